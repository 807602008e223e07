//! A copy of the whole database while it is in use, and a database from such a copy. SQLite only: Postgres brings
//! `pg_dump` and `pg_restore`, which do this better than anything of ours could.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _};

use super::{OpenError, SCHEMA, StoreConfig, is_known, sqlite_file};

/// Why there is no copy, or no database from it.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(
        "this is for SQLite; for Postgres use its own tools: pg_dump --format=custom --file=FILE URL, and pg_restore \
         --dbname=URL FILE"
    )]
    Postgres,
    #[error("{0} is there already, and is not written over")]
    Exists(PathBuf),
    #[error("{0} is no whole database of Manifold: {1}")]
    Broken(PathBuf, String),
    #[error("cannot read or write: {0}")]
    Io(#[from] io::Error),
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("the database url: {0}")]
    Url(#[from] OpenError),
}

/// The file of the database, if it is one.
pub fn database_file(config: &StoreConfig) -> Result<PathBuf, BackupError> {
    if config.is_postgres() {
        return Err(BackupError::Postgres);
    }
    Ok(sqlite_file(config)?)
}

async fn read_only(file: &Path) -> Result<SqliteConnection, sqlx::Error> {
    SqliteConnectOptions::new().filename(file).read_only(true).connect().await
}

/// Writes the database as it is at one moment into `to`, while a server may be writing on: everything that was committed
/// before it began is in it. `to` appears only when it is whole and on the disk.
pub async fn back_up(config: &StoreConfig, to: &Path) -> Result<(), BackupError> {
    let from = database_file(config)?;
    if to.exists() {
        return Err(BackupError::Exists(to.to_owned()));
    }
    let unfinished = unfinished(to);
    remove_if_there(&unfinished)?;
    let mut connection = read_only(&from).await?;
    sqlx::query("VACUUM INTO $1")
        .bind(unfinished.to_string_lossy().into_owned())
        .execute(&mut connection)
        .await?;
    connection.close().await?;
    settle(&unfinished, to)
}

/// Makes the database out of a copy. Where there is one, it is left alone: whoever wants another moves it away.
pub async fn restore(config: &StoreConfig, from: &Path) -> Result<(), BackupError> {
    let to = database_file(config)?;
    for suffix in ["", "-wal", "-shm"] {
        let file = PathBuf::from(format!("{}{suffix}", to.display()));
        if file.exists() {
            return Err(BackupError::Exists(file));
        }
    }
    check(from).await?;
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    let unfinished = unfinished(&to);
    fs::copy(from, &unfinished)?;
    settle(&unfinished, &to)
}

/// Whether the file is whole, and ours.
async fn check(file: &Path) -> Result<(), BackupError> {
    let broken = |why: String| BackupError::Broken(file.to_owned(), why);
    if !file.is_file() {
        return Err(broken("there is no such file".to_owned()));
    }
    let mut connection = read_only(file).await.map_err(|e| broken(e.to_string()))?;
    let (found,): (String,) = sqlx::query_as("PRAGMA integrity_check(1)")
        .fetch_one(&mut connection)
        .await
        .map_err(|e| broken(e.to_string()))?;
    if found != "ok" {
        return Err(broken(found));
    }
    let schema: Vec<(i64, Vec<u8>)> = sqlx::query_as(SCHEMA)
        .fetch_all(&mut connection)
        .await
        .map_err(|e| broken(e.to_string()))?;
    connection.close().await?;
    if !is_known(&schema) {
        return Err(broken("its schema is of another version".to_owned()));
    }
    Ok(())
}

fn unfinished(file: &Path) -> PathBuf {
    PathBuf::from(format!("{}.unfinished", file.display()))
}

fn remove_if_there(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// Gives a file that is written its name, once it is on the disk.
fn settle(unfinished: &Path, file: &Path) -> Result<(), BackupError> {
    File::open(unfinished)?.sync_all()?;
    fs::rename(unfinished, file)?;
    if let Some(folder) = file.parent().filter(|folder| *folder != Path::new("")) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
