//! The socket's messages: `docs/protocol.md` in types.
//!
//! [`client`] is what comes in, [`server`] what goes out; [`game`] and [`lobby`] put into words what those two tell.

pub mod client;
pub mod game;
pub mod lobby;
pub mod server;
