//! Sources of any shape, and nests of any two texts: an answer or an error, never a crash, in bounded memory.
#![no_main]

use intermission_source::{Options, SourceKind, analyse, prepare_bytes};
use libfuzzer_sys::fuzz_target;

const KINDS: [SourceKind; 4] =
    [SourceKind::Auto, SourceKind::FunctionBody, SourceKind::Module, SourceKind::Imported];

fuzz_target!(|input: &[u8]| {
    let Some((&first, rest)) = input.split_first() else { return };
    let kind = KINDS[usize::from(first & 3)];
    let text = match first >> 2 {
        0 => rest.to_vec(),
        // Mostly small, so that many are tried; as large as a source may be now and then.
        size => nest(rest, Options::default().max_bytes >> (63 - size).min(8)),
    };
    let options = Options { kind, ..Options::default() };
    let prepared = prepare_bytes(&text, &options);
    let Ok(text) = std::str::from_utf8(&text) else { return };
    let analysed = analyse(text, &options);
    if let Ok(prepared) = prepared {
        let lines = prepared.text.lines().count() as u32;
        for line in [0, 1, lines, lines + 1, u32::MAX] {
            let _ = prepared.original_of_bytes(line, 7);
        }
    } else if let Err(error) = analysed {
        assert!(!error.to_string().is_empty());
    }
});

/// `open` as often as `size` bytes have room for it and its `close`, then the middle, then as many `close`. The three are separated by zeros.
fn nest(parts: &[u8], size: usize) -> Vec<u8> {
    let mut parts = parts.splitn(3, |byte| *byte == 0);
    let mut next = || parts.next().unwrap_or_default();
    let (open, middle, close) = (next(), next(), next());
    let count = size.saturating_sub(middle.len()) / (open.len() + close.len()).max(1);
    [open.repeat(count).as_slice(), middle, &close.repeat(count)].concat()
}
