//! Tells cargo about the folders that macros read into the binary: new files there would otherwise go unnoticed.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
    println!("cargo:rerun-if-changed=../../static");
}
