//! The files of `guest/js`, in the order in which they run.

use crate::Profile;

/// A file, and its name in the guest.
#[derive(Clone, Copy)]
pub(crate) struct RealmFile {
    name: &'static str,
    text: &'static str,
}

impl RealmFile {
    /// As `guest/c/realm.c` takes it: name and text, each with a NUL behind it.
    pub(crate) fn frame(self) -> Vec<u8> {
        [self.name.as_bytes(), self.text.as_bytes()].map(|part| [part, &[0]].concat()).concat()
    }
}

/// The files of a realm.
pub(crate) fn of(profile: Profile) -> impl Iterator<Item = RealmFile> {
    let own = match profile {
        Profile::Full => FULL,
        Profile::Bare => BARE,
        Profile::Locked => LOCKED,
    };
    SHARED.iter().chain(own).copied()
}

const SHARED: &[RealmFile] = &[
    RealmFile { name: "intermission:primordials", text: include_str!("../js/primordials.js") },
    RealmFile { name: "intermission:realm", text: include_str!("../js/realm.js") },
    RealmFile { name: "intermission:weak", text: include_str!("../js/weak.js") },
    RealmFile { name: "intermission:locale", text: include_str!("../js/locale.js") },
    RealmFile { name: "intermission:decimal", text: include_str!("../js/decimal.js") },
    RealmFile { name: "intermission:locale-number", text: include_str!("../js/locale-number.js") },
    RealmFile { name: "intermission:locale-date", text: include_str!("../js/locale-date.js") },
    RealmFile { name: "intermission:locale-array", text: include_str!("../js/locale-array.js") },
    RealmFile { name: "intermission:collate", text: include_str!("../js/collate.js") },
    RealmFile { name: "intermission:inspect-text", text: include_str!("../js/inspect-text.js") },
    RealmFile { name: "intermission:inspect-layout", text: include_str!("../js/inspect-layout.js") },
    RealmFile { name: "intermission:inspect-names", text: include_str!("../js/inspect-names.js") },
    RealmFile { name: "intermission:inspect-errors", text: include_str!("../js/inspect-errors.js") },
    RealmFile { name: "intermission:inspect", text: include_str!("../js/inspect.js") },
    RealmFile { name: "intermission:inspect-shapes", text: include_str!("../js/inspect-shapes.js") },
    RealmFile { name: "intermission:format", text: include_str!("../js/format.js") },
    RealmFile { name: "intermission:table", text: include_str!("../js/table.js") },
    RealmFile { name: "intermission:console", text: include_str!("../js/console.js") },
];

const BARE: &[RealmFile] = &[RealmFile { name: "intermission:bare", text: include_str!("../js/bare.js") }];

const LOCKED: &[RealmFile] = &[
    RealmFile { name: "intermission:bare", text: include_str!("../js/bare.js") },
    RealmFile { name: "intermission:locked", text: include_str!("../js/locked.js") },
];

const FULL: &[RealmFile] = &[
    RealmFile { name: "intermission:webidl", text: include_str!("../js/webidl.js") },
    RealmFile { name: "intermission:timers", text: include_str!("../js/timers.js") },
    RealmFile { name: "intermission:event", text: include_str!("../js/event.js") },
    RealmFile { name: "intermission:event-target", text: include_str!("../js/event-target.js") },
    RealmFile { name: "intermission:abort", text: include_str!("../js/abort.js") },
    RealmFile { name: "intermission:form-encoding", text: include_str!("../js/form-encoding.js") },
    RealmFile { name: "intermission:url-search-params", text: include_str!("../js/url-search-params.js") },
    RealmFile { name: "intermission:url", text: include_str!("../js/url.js") },
    RealmFile { name: "intermission:encoding", text: include_str!("../js/encoding.js") },
    RealmFile { name: "intermission:base64", text: include_str!("../js/base64.js") },
    RealmFile { name: "intermission:crypto", text: include_str!("../js/crypto.js") },
    RealmFile { name: "intermission:performance", text: include_str!("../js/performance.js") },
    RealmFile { name: "intermission:structured-clone", text: include_str!("../js/structured-clone.js") },
];
