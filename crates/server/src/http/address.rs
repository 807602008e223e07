//! Where a request comes from.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use ipnet::IpNet;

use crate::error::{ApiError, Code};
use crate::limits::place;
use crate::state::AppState;

/// The client's place, as limits count it. A proxy's word is taken only if it is configured as trusted.
pub struct ClientPlace(pub IpAddr);

impl FromRequestParts<AppState> for ClientPlace {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let ConnectInfo(peer) = ConnectInfo::<SocketAddr>::from_request_parts(parts, app)
            .await
            .map_err(|e| ApiError::new(Code::Internal, e.body_text()))?;
        let forwarded =
            parts.headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
        Ok(Self(place(client_address(peer.ip(), forwarded, &app.trusted_proxies))))
    }
}

/// The last address in the chain that no trusted proxy vouches for.
fn client_address<'a>(
    peer: IpAddr,
    forwarded: impl Iterator<Item = &'a str>,
    trusted: &[IpNet],
) -> IpAddr {
    let mut hops: Vec<&str> = forwarded.flat_map(|value| value.split(',')).map(str::trim).collect();
    let mut address = peer.to_canonical();
    while trusted.iter().any(|net| net.contains(&address)) {
        let Some(hop) = hops.pop().and_then(|hop| hop.parse::<IpAddr>().ok()) else { break };
        address = hop.to_canonical();
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trusted_proxies_are_believed() {
        let trusted = ["10.0.0.1/32".parse().unwrap(), "10.0.0.2/31".parse().unwrap()];
        let check = |peer: &str, forwarded: &[&str], expected: &str| {
            let found = client_address(peer.parse().unwrap(), forwarded.iter().copied(), &trusted);
            assert_eq!(found.to_string(), expected, "{peer} {forwarded:?}");
        };
        check("192.0.2.7", &[], "192.0.2.7");
        check("192.0.2.7", &["203.0.113.9"], "192.0.2.7");
        check("10.0.0.1", &["203.0.113.9"], "203.0.113.9");
        check("10.0.0.1", &["198.51.100.1, 203.0.113.9"], "203.0.113.9");
        check("10.0.0.1", &["203.0.113.9, 10.0.0.2"], "203.0.113.9");
        check("10.0.0.1", &["nonsense"], "10.0.0.1");
        check("::ffff:10.0.0.1", &["203.0.113.9"], "203.0.113.9");
    }
}
