//! How often an address may do what costs us something.

use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;

use governor::clock::{Clock as _, DefaultClock};
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::config::LimitsConfig;
use crate::error::{ApiError, Code};
use crate::ids::PlayerId;

type Keyed<K> = RateLimiter<K, DashMapStateStore<K>, DefaultClock>;

/// Counters by address and by name.
pub struct Limits {
    pub new_players: Limit<IpAddr>,
    pub logins: Limit<IpAddr>,
    pub logins_by_name: Limit<(String, IpAddr)>,
    pub writes: Limit<IpAddr>,
    pub analyses: Limit<IpAddr>,
    pub positions: Limit<IpAddr>,
    pub chat: Limit<PlayerId>,
}

/// One kind of thing that is counted.
pub struct Limit<K: Hash + Eq + Clone>(Keyed<K>);

impl<K: Hash + Eq + Clone> Limit<K> {
    /// So many an hour; a quarter of them at once.
    fn per_hour(count: u32) -> Self {
        Self::with_burst(Quota::per_hour, count)
    }

    /// So many a minute; a quarter of them at once.
    fn per_minute(count: u32) -> Self {
        Self::with_burst(Quota::per_minute, count)
    }

    /// `count` in the time of `quota`.
    fn with_burst(quota: fn(NonZeroU32) -> Quota, count: u32) -> Self {
        let count = NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
        let burst = NonZeroU32::new(count.get() / 4).unwrap_or(NonZeroU32::MIN);
        Self(RateLimiter::dashmap(quota(count).allow_burst(burst)))
    }

    /// Counts one, unless there were too many.
    pub fn allows(&self, key: &K) -> bool {
        self.0.check_key(key).is_ok()
    }

    /// Counts one; refuses it if there were too many.
    pub fn check(&self, key: &K) -> Result<(), ApiError> {
        self.0.check_key(key).map_err(|until| {
            ApiError::new(
                Code::TooManyRequests,
                "Too many of these came from where you are. Try again in a few minutes.",
            )
            .retry_after(until.wait_time_from(DefaultClock::default().now()))
        })
    }
}

impl Limits {
    pub fn new(config: &LimitsConfig) -> Self {
        Self {
            new_players: Limit::per_hour(config.new_players_per_hour),
            logins: Limit::per_hour(config.logins_per_hour),
            logins_by_name: Limit::per_hour(config.logins_per_name_per_hour),
            writes: Limit::per_hour(config.writes_per_hour),
            analyses: Limit::per_hour(config.analyses_per_hour),
            positions: Limit::per_hour(config.positions_per_hour),
            chat: Limit::per_minute(config.chat_per_minute),
        }
    }

    /// Forgets those who have not been here lately.
    pub fn prune(&self) {
        self.new_players.0.retain_recent();
        self.logins.0.retain_recent();
        self.logins_by_name.0.retain_recent();
        self.writes.0.retain_recent();
        self.analyses.0.retain_recent();
        self.positions.0.retain_recent();
        self.chat.0.retain_recent();
    }
}

/// What counts as one place: an IPv4 address, or the network that an IPv6 customer has.
pub fn place(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(v4) => IpAddr::V4(v4),
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_at_once_then_no_more() {
        let limit = Limit::per_hour(8);
        let here = IpAddr::from([127, 0, 0, 1]);
        assert!(limit.check(&here).is_ok() && limit.check(&here).is_ok());
        assert!(limit.check(&here).is_err());
        assert!(limit.check(&IpAddr::from([127, 0, 0, 2])).is_ok(), "others are not concerned");
    }

    #[test]
    fn an_ipv6_network_is_one_place() {
        let check =
            |a: &str, b: &str| assert_eq!(place(a.parse().unwrap()), b.parse::<IpAddr>().unwrap());
        check("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::");
        check("::ffff:10.0.0.1", "10.0.0.1");
    }
}
