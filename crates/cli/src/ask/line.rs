//! Lines that somebody types.

use std::io;

/// The longest line that is read, in bytes.
const MOST: u64 = 1 << 20;

pub(super) enum Line {
    Text(String),
    /// There are no more.
    End,
}

/// The next line, read beside everything else. Nobody reads at the terminal while none is wanted: an editor may.
pub(super) async fn read_line() -> io::Result<Line> {
    let read = tokio::task::spawn_blocking(|| {
        use io::{BufRead, Read};
        let mut line = Vec::new();
        let count = io::stdin().lock().take(MOST).read_until(b'\n', &mut line)?;
        Ok(if count == 0 { Line::End } else { Line::Text(String::from_utf8_lossy(&line).into_owned()) })
    });
    read.await.unwrap_or_else(|error| Err(io::Error::other(error)))
}
