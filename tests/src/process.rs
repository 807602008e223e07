//! What a process costs, as Linux counts it.

use std::time::Duration;

/// Linux counts a process's time in hundredths of a second, whatever its own clock does.
const TICK: Duration = Duration::from_millis(10);

/// The time that all cores together have spent on it; nothing where that is not to be had.
pub fn cpu_time(pid: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may contain anything.
    let (_, fields) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    let ticks = |index: usize| fields.get(index)?.parse::<u32>().ok();
    // proc(5) counts from 1 and has two fields before these: 14 is utime, 15 is stime.
    Some(TICK * (ticks(11)? + ticks(12)?))
}

/// The memory that is really there, in bytes.
pub fn resident(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}
