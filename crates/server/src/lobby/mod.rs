//! Where games begin. [`pool`] pairs those who wait; [`challenge`] is an invitation by link; [`actor`] is the one task
//! that both go through, so that a cancel and a pairing have one order.

pub mod actor;
pub mod challenge;
pub mod handle;
pub mod pool;
pub mod seating;
#[cfg(test)]
mod tests;
