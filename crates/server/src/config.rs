//! Settings: `config/manifold.toml` has each with its default and why.
#![allow(missing_docs, reason = "every setting is explained in config/manifold.toml, once")]

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use config::{Environment, File, FileFormat};
use ipnet::IpNet;
use manifold_glicko2::{Config as Glicko2, Rating, Settings};
use manifold_rules::Variant;
use serde::Deserialize;

use crate::game::clock::{DAY_MS, Days, Fischer, Speed, TimeControl};
use crate::serve::Bounds;

/// The documented defaults, compiled in.
const DEFAULTS: &str = include_str!("../../../config/manifold.toml");
/// Where a file of one's own is looked for when none is named.
const DEFAULT_FILE: &str = "config/manifold.toml";

/// More threads than any machine has processors that chess would be left alone with.
const MAX_THREADS: usize = 256;
/// Whoever waits behind so many is better told to come back.
const MAX_ANALYSIS_QUEUE: usize = 10_000;
/// A request ends after thirty seconds, and advice may have to wait for ten.
const MAX_ANALYSIS_MS: u64 = 15_000;

/// Browsers keep no cookie for longer (RFC 6265bis), and nobody wants a token for ever.
const MAX_DAYS: i64 = 400;

/// All settings. Every field is explained in `config/manifold.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub server: ServerConfig,
    pub log: LogConfig,
    pub database: DatabaseConfig,
    pub game: GameConfig,
    pub pool: PoolConfig,
    pub computer: ComputerConfig,
    pub rating: RatingConfig,
    pub leaderboard: LeaderboardConfig,
    pub session: SessionConfig,
    pub limits: LimitsConfig,
    pub metrics: MetricsConfig,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerConfig {
    pub listen: SocketAddr,
    pub public_url: String,
    trusted_proxies: Vec<String>,
    pub static_dir: String,
    pub shutdown_seconds: u64,
    connections: usize,
    connections_per_address: usize,
    head_ms: u64,
    pub body_ms: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogConfig {
    pub filter: String,
    pub format: LogFormat,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    Json,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatabaseConfig {
    pub url: String,
    pub max_connections: u32,
    pub timeout_ms: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameConfig {
    variants: Vec<String>,
    pub pools: Vec<String>,
    first_move_bullet_ms: i64,
    first_move_blitz_ms: i64,
    first_move_rapid_ms: i64,
    first_move_classical_ms: i64,
    pub min_base_ms: i64,
    pub max_base_ms: i64,
    pub max_increment_ms: i64,
    pub challenge_hours: i64,
    pub games_per_bot: i64,
    lag_ping_ms: u64,
    pub abandoned_days: i64,
    claim_left_ms: u64,
    claim_bullet_ms: u64,
    claim_blitz_ms: u64,
    claim_rapid_ms: u64,
    claim_classical_ms: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolConfig {
    pub window: f64,
    pub window_per_second: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComputerConfig {
    pub threads: usize,
    pub move_ms: u64,
    pub pause_ms: u64,
    pub games_per_player: i64,
    pub games: i64,
    pub analysis_queue: usize,
    pub analysis_ms: u64,
    pub max_analysis_ms: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingConfig {
    start_rating: f64,
    start_deviation: f64,
    start_volatility: f64,
    tau: f64,
    min_deviation: f64,
    max_deviation: f64,
    max_volatility: f64,
    min_rating: f64,
    periods_per_day: f64,
    provisional_deviation: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaderboardConfig {
    pub max_deviation: f64,
    pub active_days: i64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionConfig {
    pub days: i64,
    pub token_days: i64,
    pub tokens: i64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsConfig {
    pub sockets: usize,
    pub sockets_per_player: usize,
    pub sockets_per_address: usize,
    pub commands_per_second: u32,
    pub commands_burst: u32,
    pub new_players_per_hour: u32,
    pub logins_per_hour: u32,
    pub logins_per_name_per_hour: u32,
    pub writes_per_hour: u32,
    pub analyses_per_hour: u32,
    pub positions_per_hour: u32,
    pub chat_per_minute: u32,
    pub password_workers: usize,
    pub password_queue: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricsConfig {
    listen: String,
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error(transparent)]
    Read(#[from] config::ConfigError),
    #[error("setting {0}")]
    Invalid(String),
}

impl Config {
    /// Defaults, then the file, then the environment, then `overrides` (the flags), each over the one before.
    pub fn load(
        file: Option<&Path>,
        overrides: &BTreeMap<&str, String>,
    ) -> Result<Self, ConfigError> {
        let mut builder =
            config::Config::builder().add_source(File::from_str(DEFAULTS, FileFormat::Toml));
        builder = match file {
            Some(file) => builder.add_source(File::from(file).format(FileFormat::Toml)),
            None => builder.add_source(
                File::from(PathBuf::from(DEFAULT_FILE)).format(FileFormat::Toml).required(false),
            ),
        };
        builder = builder.add_source(
            Environment::with_prefix("MANIFOLD")
                .prefix_separator("__")
                .separator("__")
                .try_parsing(true)
                .list_separator(",")
                .with_list_parse_key("game.variants")
                .with_list_parse_key("game.pools")
                .with_list_parse_key("server.trusted_proxies"),
        );
        if let Ok(url) = std::env::var("DATABASE_URL") {
            builder = builder.set_override("database.url", url)?;
        }
        for (key, value) in overrides {
            builder = builder.set_override(*key, value.as_str())?;
        }
        let config: Self = builder.build()?.try_deserialize()?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), ConfigError> {
        let invalid = |what: String| Err(ConfigError::Invalid(what));
        self.pools()?;
        self.variants()?;
        self.rating.glicko2()?;
        let positive = [
            ("limits.commands_per_second", self.limits.commands_per_second),
            ("limits.commands_burst", self.limits.commands_burst),
            ("limits.new_players_per_hour", self.limits.new_players_per_hour),
            ("limits.logins_per_hour", self.limits.logins_per_hour),
            ("limits.logins_per_name_per_hour", self.limits.logins_per_name_per_hour),
            ("limits.writes_per_hour", self.limits.writes_per_hour),
            ("limits.analyses_per_hour", self.limits.analyses_per_hour),
            ("limits.positions_per_hour", self.limits.positions_per_hour),
            ("limits.chat_per_minute", self.limits.chat_per_minute),
            ("database.max_connections", self.database.max_connections),
        ];
        if let Some((key, _)) = positive.iter().find(|(_, value)| *value == 0) {
            return invalid(format!("{key} must not be 0"));
        }
        let days =
            [("session.days", self.session.days), ("session.token_days", self.session.token_days)];
        if let Some((key, _)) = days.iter().find(|(_, days)| !(1..=MAX_DAYS).contains(days)) {
            return invalid(format!("{key} is from 1 to {MAX_DAYS}"));
        }
        self.server.trusted_proxies()?;
        self.metrics.address()?;
        let url = &self.server.public_url;
        if !(url.is_empty() || url.starts_with("https://") || url.starts_with("http://")) {
            return invalid("server.public_url begins with https:// or http://".to_owned());
        }
        // Browsers name an origin in its one normal form; any other spelling would never be met.
        let host = url.split_once("://").map_or("", |(_, host)| host.trim_end_matches('/'));
        let default_port = if self.server.is_https() { ":443" } else { ":80" };
        if host.contains('/') || host.contains(char::is_uppercase) || host.ends_with(default_port) {
            let form =
                "scheme://host or scheme://host:port, in lower case, without the scheme's own port";
            return invalid(format!("server.public_url is {form}"));
        }
        if self.game.lag_ping_ms == 0 {
            return invalid("game.lag_ping_ms must not be 0".to_owned());
        }
        if !(1..=self.game.max_base_ms).contains(&self.game.min_base_ms) {
            return invalid("game.min_base_ms must be from 1 to game.max_base_ms".to_owned());
        }
        // More would reach beyond the years that a date can have.
        const MOST_DAYS: i64 = 3650;
        if !(1..=MOST_DAYS).contains(&self.game.abandoned_days) {
            return invalid(format!("game.abandoned_days is from 1 to {MOST_DAYS}"));
        }
        self.computer.check()
    }

    /// The games that are offered.
    pub fn variants(&self) -> Result<Vec<Variant>, ConfigError> {
        let parse = |name: &String| {
            name.parse()
                .map_err(|_| ConfigError::Invalid(format!("game.variants: there is no {name:?}")))
        };
        self.game.variants.iter().map(parse).collect()
    }

    /// The pools, by name.
    pub fn pools(&self) -> Result<Vec<(String, Fischer)>, ConfigError> {
        let parse = |name: &String| {
            let time = Fischer::from_pool_name(name).filter(|time| time.base_ms > 0);
            let wrong =
                || ConfigError::Invalid(format!("game.pools: {name:?} is not minutes+seconds"));
            Ok((name.clone(), time.ok_or_else(wrong)?))
        };
        self.game.pools.iter().map(parse).collect()
    }
}

impl ServerConfig {
    /// The origin that browsers name when a page of ours asks, if it is configured.
    pub fn origin(&self) -> Option<&str> {
        let url = self.public_url.trim_end_matches('/');
        (!url.is_empty()).then_some(url)
    }

    /// Addresses or networks.
    pub fn trusted_proxies(&self) -> Result<Vec<IpNet>, ConfigError> {
        let parse = |text: &String| {
            let net = text.parse::<IpNet>().ok();
            net.or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from)).ok_or_else(|| {
                ConfigError::Invalid(format!(
                    "server.trusted_proxies: {text:?} is no address or network"
                ))
            })
        };
        self.trusted_proxies.iter().map(parse).collect()
    }

    pub fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }

    pub fn shutdown(&self) -> Duration {
        Duration::from_secs(self.shutdown_seconds)
    }

    pub fn bounds(&self) -> Result<Bounds, ConfigError> {
        Ok(Bounds {
            connections: self.connections,
            per_address: self.connections_per_address,
            trusted_proxies: self.trusted_proxies()?,
            head: Duration::from_millis(self.head_ms),
        })
    }
}

impl MetricsConfig {
    /// Where figures are told, if anywhere.
    pub fn address(&self) -> Result<Option<SocketAddr>, ConfigError> {
        if self.listen.is_empty() {
            return Ok(None);
        }
        let wrong = |_| ConfigError::Invalid("metrics.listen is an address and a port".to_owned());
        self.listen.parse().map(Some).map_err(wrong)
    }
}

/// How long somebody who is away is waited for, before the game can be claimed.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// After the page was closed.
    pub left: Duration,
    /// After the line was lost.
    pub lost: Duration,
}

impl GameConfig {
    /// How long absent players are waited for; nothing where no clock runs while they sit there.
    pub fn patience(&self, time: TimeControl) -> Option<Patience> {
        let lost = match time.fischer()?.speed() {
            Speed::Bullet => self.claim_bullet_ms,
            Speed::Blitz => self.claim_blitz_ms,
            Speed::Rapid => self.claim_rapid_ms,
            Speed::Classical | Speed::Correspondence | Speed::Untimed => self.claim_classical_ms,
        };
        let ms = Duration::from_millis;
        Some(Patience { left: ms(self.claim_left_ms), lost: ms(lost) })
    }

    /// How often the line of a player whose clock may run is measured.
    pub fn lag_ping(&self) -> Duration {
        Duration::from_millis(self.lag_ping_ms)
    }

    /// How long a side has for its first move; without a clock, for any.
    pub fn first_move_ms(&self, time: TimeControl) -> i64 {
        match time.speed() {
            Speed::Bullet => self.first_move_bullet_ms,
            Speed::Blitz => self.first_move_blitz_ms,
            Speed::Rapid => self.first_move_rapid_ms,
            Speed::Classical => self.first_move_classical_ms,
            Speed::Correspondence | Speed::Untimed => {
                time.days().map_or(self.abandoned_days * DAY_MS, Days::ms)
            }
        }
    }
}

impl ComputerConfig {
    fn check(&self) -> Result<(), ConfigError> {
        let invalid = |what: String| Err(ConfigError::Invalid(what));
        if self.threads > MAX_THREADS {
            return invalid(format!("computer.threads is at most {MAX_THREADS}"));
        }
        if self.analysis_queue > MAX_ANALYSIS_QUEUE {
            return invalid(format!("computer.analysis_queue is at most {MAX_ANALYSIS_QUEUE}"));
        }
        if !(1..=MAX_ANALYSIS_MS).contains(&self.max_analysis_ms) {
            return invalid(format!("computer.max_analysis_ms is from 1 to {MAX_ANALYSIS_MS}"));
        }
        if !(1..=self.max_analysis_ms).contains(&self.analysis_ms) {
            let bounds = "from 1 to computer.max_analysis_ms";
            return invalid(format!("computer.analysis_ms is {bounds}, {}", self.max_analysis_ms));
        }
        Ok(())
    }
}

impl RatingConfig {
    /// The rating system with these numbers.
    pub fn glicko2(&self) -> Result<Glicko2, ConfigError> {
        let start = Rating {
            rating: self.start_rating,
            deviation: self.start_deviation,
            volatility: self.start_volatility,
        };
        let settings = Settings {
            start,
            tau: self.tau,
            min_deviation: self.min_deviation,
            max_deviation: self.max_deviation,
            max_volatility: self.max_volatility,
            min_rating: self.min_rating,
            provisional_deviation: self.provisional_deviation,
            periods_per_day: self.periods_per_day,
            ..Settings::default()
        };
        Glicko2::new(settings).map_err(|e| ConfigError::Invalid(format!("rating: {e}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_complete() {
        let config =
            Config::load(Some(Path::new("../../config/manifold.toml")), &BTreeMap::new()).unwrap();
        assert_eq!(config.pools().unwrap().len(), 5);
    }

    #[test]
    fn flags_go_over_the_file_and_wrong_values_are_named() {
        let load =
            |key, value: &str| Config::load(None, &BTreeMap::from([(key, value.to_owned())]));
        assert_eq!(load("server.listen", "127.0.0.1:9").unwrap().server.listen.port(), 9);
        for (key, value) in [
            ("server.listen", "nowhere"),
            ("server.public_url", "example.org"),
            ("server.public_url", "https://Example.org"),
            ("server.public_url", "https://example.org:443"),
            ("server.public_url", "https://example.org/chess"),
            ("server.prot", "1"),
            ("limits.commands_burst", "0"),
            ("game.lag_ping_ms", "0"),
            ("metrics.listen", "somewhere"),
            ("session.days", "0"),
            ("session.token_days", "401"),
            ("game.abandoned_days", "0"),
            ("game.abandoned_days", "3651"),
            ("computer.threads", "257"),
            ("computer.analysis_queue", "10001"),
            ("computer.analysis_queue", "9223372036854775807"),
            ("computer.analysis_ms", "3001"),
            ("computer.analysis_ms", "0"),
            ("computer.max_analysis_ms", "499"),
            ("computer.max_analysis_ms", "15001"),
        ] {
            let error = load(key, value).expect_err(&format!("{key} = {value}")).to_string();
            let named = key.rsplit('.').next().expect("a key has parts");
            assert!(!key.starts_with("computer.") || error.contains("computer."), "{error}");
            assert!(named == "listen" || error.contains(&named[..4]), "{key} = {value}: {error}");
        }
    }
}
