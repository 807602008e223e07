//! What whoever hosts the server does by hand: copies, users.

use std::io::Write;
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::config::Config;
use crate::password::Passwords;
use crate::player::{AccountName, Password};
use crate::store::Store;
use crate::store::backup::{back_up, database_file, restore as restore_store};
use crate::store::tenancy::Tenancy;
use crate::time::Clock;
use crate::{open_store, store_config};

/// Copies the database to `file`, also while a server uses it.
///
/// # Errors
/// Why there is no copy.
pub async fn backup(config: &Config, file: &Path) -> anyhow::Result<()> {
    Ok(back_up(&store_config(config), file).await?)
}

/// Makes the database out of such a copy, and brings its schema up to date. No server may be using it.
///
/// # Errors
/// Why not; what was there is as it was.
pub async fn restore(config: &Config, file: &Path) -> anyhow::Result<()> {
    let config = store_config(config);
    database_file(&config)?;
    let _alone = Tenancy::take(&config).await?;
    restore_store(&config, file).await?;
    open_store(&config).await?.close().await;
    Ok(())
}

/// Brings the schema of the database up to date. No server may be using it.
///
/// # Errors
/// If it cannot be reached, or is of a later version.
pub async fn migrate(config: &Config) -> anyhow::Result<()> {
    let config = store_config(config);
    let mut alone = Tenancy::take(&config).await?;
    let store = open_store(&config).await?;
    // A server that had lost its hold for that long must not go on over another schema.
    alone.begin(Clock::system().now()).await?;
    store.close().await;
    Ok(())
}

/// Lists accounts by name.
///
/// # Errors
/// If the database or `out` does not answer.
pub async fn list_users(config: &Config, out: &mut impl Write) -> anyhow::Result<()> {
    with_store(config, async |store| {
        for account in store.accounts().await? {
            writeln!(
                out,
                "{}\t{}\t{}",
                account.player.name,
                account.player.kind.as_str(),
                account.created_at
            )?;
        }
        Ok(())
    })
    .await
}

/// Gives an account another password, and ends all that lets somebody in as it, tokens too.
///
/// # Errors
/// If there is no such account, or the password is too weak.
pub async fn set_password(config: &Config, name: &str, password: &str) -> anyhow::Result<()> {
    with_store(config, async |store| {
        let name = AccountName::parse(name).map_err(anyhow::Error::msg)?;
        let password = Password::new(password.to_owned(), &name).map_err(anyhow::Error::msg)?;
        let hash = Passwords::new(1, 1).hash(password).await;
        let hash = hash.ok().context("the password could not be hashed")?;
        if !store.reset_password(name.as_str(), &hash).await? {
            bail!("there is no account of this name");
        }
        Ok(())
    })
    .await
}

/// Marks an account as a bot, whatever it has played.
///
/// # Errors
/// If there is no such account.
pub async fn mark_bot(config: &Config, name: &str) -> anyhow::Result<()> {
    with_store(config, async |store| {
        if !store.mark_bot(name).await? {
            bail!("there is no account of this name");
        }
        Ok(())
    })
    .await
}

/// Ends all that lets somebody in as this player.
///
/// # Errors
/// If there is no such player.
pub async fn log_out(config: &Config, name: &str) -> anyhow::Result<u64> {
    with_store(config, async |store| {
        let profile = store.profile(name).await?.context("there is no player of this name")?;
        Ok(store.end_all(profile.player.id).await?)
    })
    .await
}

/// Works with the database that is there, beside a server that uses it.
async fn with_store<T>(
    config: &Config,
    work: impl AsyncFnOnce(&Store) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let store = Store::join(&store_config(config)).await.context("database")?;
    let done = work(&store).await;
    store.close().await;
    done
}
