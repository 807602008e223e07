//! What has to go away with the process that wants it, however that ends: a private Postgres, a small disk. The drills of
//! `manifold-tests` take both of them away in mid-play.
//!
//! Each hangs on a pipe, see [`keeper`]; [`command`] runs other programs.

pub mod command;
pub mod disk;
pub mod keeper;
pub mod postgres;
