//! With threads the module has the C library of WASI, whose start makes the first thread known to it. Rust links that
//! start to programs only.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = env::var("TARGET").unwrap_or_default();
    if target != "wasm32-wasip1-threads" {
        return;
    }
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let printed = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", &target])
        .output()
        .expect("rustc tells where its libraries are");
    let folder = String::from_utf8(printed.stdout).expect("the folder's name is UTF-8");
    let start = Path::new(folder.trim()).join("self-contained/crt1-reactor.o");
    println!("cargo::rustc-link-arg-cdylib={}", start.display());
}
