//! What people can do, and what they are told when they cannot: each story on SQLite and on Postgres.

mod accounts;
mod backups;
mod challenges;
mod chat;
mod claims;
mod clocks;
mod computer;
mod connections;
mod correspondence;
mod durability;
mod lag;
mod learning;
mod logs;
mod offers;
mod playing;
mod pools;
mod questions;
mod races;
mod ratings;
mod reading;
mod rematches;
mod sessions;
mod shield;
mod sockets;
mod takebacks;
mod worlds;
