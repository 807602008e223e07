//! What was measured, and whether it is what is asked.

use std::fmt;
use std::time::Duration;

use super::back::Back;
use super::idle::Idle;
use super::{Figures, Load};
use crate::Database;

/// Whose figures they are; the relay has no database.
pub type Subject = Option<Database>;

/// At this number of games the saturated figures are held against the relay's.
pub const SATURATED_GAMES: usize = 200;
/// How many times the relay's a p99 at a steady rate may be.
const MOST_P99: f64 = 3.0;
/// The most that an idle socket may hold, in bytes.
const MOST_IDLE: f64 = 10_000.0;
/// The longest that a move may have to wait after a crash.
const MOST_BACK: Duration = Duration::from_secs(2);
/// Moves that were made of those that were due; with fewer, a rate was not kept.
const KEPT: f64 = 0.95;

/// The least share of the relay's messages that a database has to make as durable moves.
const fn least_share(database: Database) -> f64 {
    match database {
        Database::Sqlite => 1.0 / 4.0,
        Database::Postgres => 1.0 / 3.0,
    }
}

const fn name(subject: Subject) -> &'static str {
    match subject {
        None => "relay",
        Some(Database::Sqlite) => "SQLite",
        Some(Database::Postgres) => "Postgres",
    }
}

/// Everything that one run has measured.
#[derive(Debug, Default)]
pub struct Report {
    /// Each load with what each subject came to.
    pub moves: Vec<(Load, Vec<(Subject, Figures)>)>,
    /// With the number of sockets.
    pub idle: Vec<(Database, usize, Idle)>,
    /// With the number of games.
    pub back: Vec<(Database, usize, Back)>,
}

/// One of the things that are asked.
struct Asked {
    what: String,
    asked: String,
    found: String,
    is_reached: bool,
}

impl Report {
    fn asked(&self) -> Vec<Asked> {
        let mut all = Vec::new();
        for (load, figures) in &self.moves {
            let relay = figures.iter().find(|(subject, _)| subject.is_none());
            let Some((_, relay)) = relay else { continue };
            let databases = figures.iter().filter_map(|(subject, of)| Some(((*subject)?, of)));
            all.extend(databases.filter_map(|(database, of)| load.ask(database, of, relay)));
        }
        for (database, sockets, idle) in &self.idle {
            for (held, whose) in [(idle.stranger, "without"), (idle.guest, "with")] {
                all.push(Asked {
                    what: format!(
                        "{}: memory of each of {} idle sockets {whose} a session",
                        name(Some(*database)),
                        sockets / 2
                    ),
                    asked: format!("{:.0} kB at most", MOST_IDLE / 1000.0),
                    found: format!("{:.1} kB", held / 1000.0),
                    is_reached: held <= MOST_IDLE,
                });
            }
        }
        for (database, games, back) in &self.back {
            all.push(Asked {
                what: format!("{}: a move after kill -9, {games} games", name(Some(*database))),
                asked: format!("{MOST_BACK:?} at most"),
                found: format!("{:.2?}", back.first_move),
                is_reached: back.first_move <= MOST_BACK,
            });
        }
        all
    }
}

impl Load {
    /// What is asked of this load, if anything is.
    fn ask(self, database: Database, of: &Figures, relay: &Figures) -> Option<Asked> {
        let (name, games) = (name(Some(database)), self.games);
        match self.wanted() {
            None if games == SATURATED_GAMES => {
                let (share, least) = (of.per_second() / relay.per_second(), least_share(database));
                Some(Asked {
                    what: format!("{name}: moves of the relay's messages, {games} games"),
                    asked: format!("{least:.2} at least"),
                    found: format!("{share:.2}"),
                    is_reached: share >= least,
                })
            }
            None => None,
            Some(wanted) => {
                let (times, kept) = (of.ms(0.99) / relay.ms(0.99), of.per_second() / wanted);
                Some(Asked {
                    what: format!("{name}: p99 at {wanted:.0} moves/s, {games} games"),
                    asked: format!("{MOST_P99} × the relay's at most"),
                    found: match kept {
                        KEPT.. => format!("{times:.1} ×"),
                        _ => format!("{times:.1} ×, and {:.0} % of the moves", 100.0 * kept),
                    },
                    is_reached: times <= MOST_P99 && kept >= KEPT,
                })
            }
        }
    }

    /// Moves a second, unless it is as many as there can be.
    fn wanted(self) -> Option<f64> {
        self.pace.map(|pace| self.games as f64 / pace.as_secs_f64())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (load, figures) in &self.moves {
            show(f, *load, figures)?;
        }
        for (database, sockets, idle) in &self.idle {
            writeln!(
                f,
                "{}: {:.1} kB for each of {} idle sockets without a session, {:.1} kB with one, over {:.1} MB",
                name(Some(*database)),
                idle.stranger / 1000.0,
                sockets / 2,
                idle.guest / 1000.0,
                idle.base as f64 / 1e6
            )?;
        }
        for (database, games, back) in &self.back {
            writeln!(
                f,
                "{}: {games} games back: ready after {:.2?}, first move after {:.2?}, all shown after {:.2?}",
                name(Some(*database)),
                back.ready,
                back.first_move,
                back.all_shown
            )?;
        }
        let asked = self.asked();
        if !asked.is_empty() {
            writeln!(f, "\n{:<56} {:<26} found", "", "asked")?;
        }
        for Asked { what, asked, found, is_reached } in asked {
            let verdict = if is_reached { "reached" } else { "MISSED" };
            writeln!(f, "{what:<56} {asked:<26} {found}: {verdict}")?;
        }
        Ok(())
    }
}

fn show(f: &mut fmt::Formatter<'_>, load: Load, rows: &[(Subject, Figures)]) -> fmt::Result {
    match load.wanted() {
        Some(wanted) => writeln!(f, "{} games at once, {wanted:.0} moves a second", load.games)?,
        None => writeln!(f, "{} games at once, each move answered at once", load.games)?,
    }
    let header = ["moves/s", "of the relay", "p50 ms", "p99 ms", "max ms", "server's µs a move"];
    let [rate, share, p50, p99, max, cpu] = header;
    writeln!(f, "{:<10} {rate:>9} {share:>13} {p50:>8} {p99:>8} {max:>8} {cpu:>19}", "")?;
    let relay = rows.iter().find(|(subject, _)| subject.is_none()).map(|(_, relay)| relay);
    for (subject, figures) in rows {
        let (name, rate) = (name(*subject), figures.per_second());
        let share = relay.map_or(f64::NAN, |relay| rate / relay.per_second());
        let [p50, p99, max] = [0.5, 0.99, 1.0].map(|quantile| figures.ms(quantile));
        let cpu = figures.cpu_us().unwrap_or(f64::NAN);
        writeln!(
            f,
            "{name:<10} {rate:>9.0} {share:>13.2} {p50:>8.2} {p99:>8.2} {max:>8.2} {cpu:>19.1}"
        )?;
    }
    writeln!(f)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// So many moves of so many milliseconds in a second.
    fn figures(moves: u32, ms: u64) -> Figures {
        let mut figures = Figures::new();
        let since = Instant::now().checked_sub(Duration::from_millis(ms)).expect("it runs longer");
        (0..moves).for_each(|_| figures.note(since));
        figures.measured = Duration::from_secs(1);
        figures
    }

    fn verdicts(load: Load, postgres: Figures, relay: Figures) -> Vec<bool> {
        let database = Database::Postgres;
        let moves = vec![(load, vec![(None, relay), (Some(database), postgres)])];
        let report = Report { moves, ..Report::default() };
        report.asked().iter().map(|asked| asked.is_reached).collect()
    }

    #[test]
    fn what_is_asked_of_each_load() {
        let load = |games| Load { games, time: Duration::from_secs(1), pace: None };
        let saturated = load(SATURATED_GAMES);
        assert_eq!(verdicts(saturated, figures(34, 9), figures(100, 1)), [true]);
        assert_eq!(verdicts(saturated, figures(33, 9), figures(100, 1)), [false]);
        assert!(verdicts(load(10), figures(1, 9), figures(100, 1)).is_empty());
        let steady = load(10).at_rate(100);
        assert_eq!(verdicts(steady, figures(100, 50), figures(100, 20)), [true]);
        assert_eq!(verdicts(steady, figures(100, 80), figures(100, 20)), [false], "too slow");
        assert_eq!(verdicts(steady, figures(90, 20), figures(100, 20)), [false], "too few");
    }
}
