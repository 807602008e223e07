//! Where games begin. [`pool`] pairs those who wait; [`seek`] is a game that is offered to everyone; [`challenge`] is an
//! invitation by link, or to one player; [`actor`] is the one task that all go through, so that a cancel and a pairing have
//! one order.

pub mod actor;
pub mod challenge;
pub mod handle;
pub mod pool;
pub mod seating;
pub mod seek;
mod tabs;
#[cfg(test)]
mod tests;
