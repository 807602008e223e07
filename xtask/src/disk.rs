//! A small disk that can be filled: a file system in memory, mounted in a fresh directory.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::keeper::{Keeper, fresh_directory};

/// Argument: the fresh directory. A file of zeros takes whatever room there is, until it is removed.
const KEEPER: &str = r#"
set -u
directory=$1
mount -t tmpfs -o size=32m,mode=0777 manifold-disk "$directory" 2>/dev/null || { rmdir "$directory"; exit 1; }
echo ready
while read -r order; do
    case $order in
    fill) cat /dev/zero >"$directory/ballast" 2>/dev/null; echo full ;;
    free) rm -f "$directory/ballast"; echo freed ;;
    esac
done
umount -l "$directory"
rmdir "$directory"
"#;

/// A disk of 32 MiB; it is gone when this is dropped.
#[derive(Debug)]
pub struct Disk {
    keeper: Keeper,
    directory: PathBuf,
}

impl Disk {
    /// Mounts one.
    ///
    /// # Errors
    /// Where nobody may.
    pub fn mount() -> Result<Disk> {
        let directory = fresh_directory("disk")?;
        Ok(Disk { keeper: Keeper::start(KEEPER, &[&directory], None)?, directory })
    }

    /// Where it is mounted.
    pub fn path(&self) -> &Path {
        &self.directory
    }

    /// Leaves no room on it.
    ///
    /// # Errors
    /// If it is gone.
    pub fn fill(&mut self) -> Result<()> {
        self.keeper.order("fill", "full")
    }

    /// Gives back the room that [`fill`](Disk::fill) took.
    ///
    /// # Errors
    /// If it is gone.
    pub fn free(&mut self) -> Result<()> {
        self.keeper.order("free", "freed")
    }
}
