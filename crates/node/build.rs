//! Links as a Node addon.

fn main() {
    napi_build::setup();
}
