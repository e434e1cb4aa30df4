//! Runs over a store in a file.

mod answers;
mod bed;
mod events;
mod life;
mod refused;
mod uncertain;
