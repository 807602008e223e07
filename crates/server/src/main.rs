//! `manifold`: reads the settings, starts the log, serves.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, Parser, Subcommand};
use manifold::admin;
use manifold::config::{Config, LogFormat};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;

/// A move is a few dozen small pieces of memory, taken on one thread and given back on another.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Chess in four dimensions, online.
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    flags: Flags,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the site (this is what happens without a command)
    Serve,
    /// Bring the database's schema up to date, and nothing else; no server may be using it
    Migrate,
    /// Copy the database to a file, also while a server uses it (SQLite; Postgres has pg_dump)
    Backup {
        /// Must not be there yet
        file: PathBuf,
    },
    /// Make the database out of such a copy, with no server using it (SQLite; Postgres has pg_restore)
    Restore {
        /// What `backup` has made
        file: PathBuf,
    },
    /// Help people with their accounts, also while a server uses the database
    #[command(subcommand)]
    User(User),
}

#[derive(Debug, Subcommand)]
enum User {
    /// List all accounts: name, kind, since when
    List,
    /// Give an account the password that is typed, or piped, on one line; everybody is logged out of it
    Password {
        /// Whose
        name: String,
    },
    /// Mark an account as a bot, for good; sockets that are open take it for a person until they are closed
    Bot {
        /// Which
        name: String,
    },
    /// Log a player out everywhere, and revoke all tokens
    Logout {
        /// Whom
        name: String,
    },
}

#[derive(Debug, Args)]
struct Flags {
    /// Settings [default: config/manifold.toml, if it is there]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Address and port to listen on [default: 127.0.0.1:4000]
    #[arg(long, global = true, value_name = "ADDRESS")]
    listen: Option<String>,
    /// sqlite:<path> or postgres://… [default: sqlite:data/manifold.db]
    #[arg(long, global = true, value_name = "URL")]
    database_url: Option<String>,
    /// What players type, https://…: for links, cookies and the check of origins
    #[arg(long, global = true, value_name = "URL")]
    public_url: Option<String>,
    /// Read the web client from this folder instead of the binary
    #[arg(long, global = true, value_name = "FOLDER")]
    static_dir: Option<String>,
}

impl Flags {
    fn overrides(&self) -> BTreeMap<&'static str, String> {
        [
            ("server.listen", &self.listen),
            ("database.url", &self.database_url),
            ("server.public_url", &self.public_url),
            ("server.static_dir", &self.static_dir),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key, value.clone()?)))
        .collect()
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    let config = Config::load(cli.flags.config.as_deref(), &cli.flags.overrides())?;
    start_log(&config)?;
    match cli.command.unwrap_or(Command::Serve) {
        Command::Serve => serve(config).await,
        Command::Migrate => {
            admin::migrate(&config).await?;
            println!("The database is up to date.");
            Ok(())
        }
        Command::Backup { file } => {
            admin::backup(&config, &file).await?;
            println!("The database is copied to {}.", file.display());
            Ok(())
        }
        Command::Restore { file } => {
            admin::restore(&config, &file).await?;
            println!("The database is made out of {}.", file.display());
            Ok(())
        }
        Command::User(User::List) => admin::list_users(&config, &mut std::io::stdout()).await,
        Command::User(User::Password { name }) => {
            let mut password = String::new();
            std::io::stdin().read_line(&mut password)?;
            admin::set_password(&config, &name, password.trim_end_matches(['\r', '\n'])).await?;
            println!("{name} has another password, and is logged out everywhere.");
            Ok(())
        }
        Command::User(User::Bot { name }) => {
            admin::mark_bot(&config, &name).await?;
            println!("{name} is a bot.");
            Ok(())
        }
        Command::User(User::Logout { name }) => {
            let ended = admin::log_out(&config, &name).await?;
            println!("{name} is logged out: {ended} sessions and tokens have ended.");
            Ok(())
        }
    }
}

async fn serve(config: Config) -> anyhow::Result<()> {
    let listen = config.server.listen;
    let listener =
        TcpListener::bind(listen).await.with_context(|| format!("cannot listen on {listen}"))?;
    let address = listener.local_addr()?;
    let shutdown = CancellationToken::new();
    let signals = tokio::spawn(stop_on_signal(shutdown.clone()));
    let ready = move || println!("Manifold is ready: http://{address}/");
    let result = manifold::run(config, listener, shutdown.clone(), ready).await;
    signals.abort();
    result
}

/// Stops in order at the first Ctrl-C or SIGTERM, and at once at the second.
async fn stop_on_signal(shutdown: CancellationToken) {
    signal().await;
    tracing::info!("stopping");
    shutdown.cancel();
    signal().await;
    tracing::warn!("stopping at once");
    std::process::exit(130);
}

/// Returns at Ctrl-C or SIGTERM; never where signals cannot be heard.
async fn signal() {
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => _ = signal.recv().await,
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        result = tokio::signal::ctrl_c() => if result.is_err() { std::future::pending::<()>().await },
        () = terminated => {}
    }
}

fn start_log(config: &Config) -> anyhow::Result<()> {
    let filter = std::env::var("RUST_LOG").unwrap_or_else(|_| config.log.filter.clone());
    let filter = EnvFilter::try_new(filter).context("log.filter")?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    match config.log.format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
    Ok(())
}
