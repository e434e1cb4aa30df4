//! What the user's own code does for the library: each is one of the library's traits, over [`Asks`](crate::asks::Asks).

pub(crate) mod call;
pub(crate) mod claims;
pub(crate) mod codec;
pub(crate) mod modules;
pub(crate) mod sink;
pub(crate) mod store;
