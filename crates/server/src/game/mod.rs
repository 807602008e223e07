//! A game, from its first move to its result.
//!
//! [`state`] is the game as pure logic: what a command means and what follows from an event. [`clock`] is its clock,
//! [`lag`] what a clock gives back.
//! [`actor`] is the task that owns a state, has its events committed and tells those who watch; [`handle`] is its mailbox;
//! [`registry`] finds it by the game's id, and [`sleepers`] starts it when a game's time is up; [`retold`] keeps a few that are over; `watchers` are the sockets that watch. [`notice`] is what watchers are told; [`question`] what they may ask.

pub mod actor;
pub mod chat;
pub mod clock;
pub mod event;
pub mod handle;
pub mod lag;
pub mod notice;
mod offers;
pub mod question;
pub mod registry;
pub mod retold;
pub mod sleepers;
pub mod state;
mod watchers;

#[cfg(test)]
pub(crate) mod tests;
