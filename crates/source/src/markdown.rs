//! Code fences of Markdown (`CommonMark` 0.31, section 4.5; backticks only).

use std::ops::Range;

/// One fence: where its opening line begins and where its code is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fence {
    /// The whole block, from the first backtick to the end of the closing line.
    pub(crate) block: Range<usize>,
    /// The lines between.
    pub(crate) code: Range<usize>,
}

/// The fences of a text. One that is not closed runs to the end of the text.
pub(crate) fn fences(text: &str) -> Vec<Fence> {
    let mut found = Vec::new();
    if !text.contains("```") {
        return found;
    }
    let mut open: Option<(usize, Range<usize>)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let line_start = at;
        at += line.len();
        let Some((indent, ticks, info)) = fence_line(line) else { continue };
        match &open {
            None if !info.contains('`') => open = Some((ticks, line_start + indent..at)),
            Some((opened, head)) if ticks >= *opened && info.is_empty() => {
                found.push(Fence { block: head.start..at, code: head.end..line_start });
                open = None;
            }
            _ => {}
        }
    }
    if let Some((_, head)) = open {
        found.push(Fence { block: head.start..text.len(), code: head.end..text.len() });
    }
    found
}

/// The indent, the number of backticks and what stands behind them. Any indent will do: a fence in a list has
/// more than the three spaces of one outside.
fn fence_line(line: &str) -> Option<(usize, usize, &str)> {
    let content = line.trim_start_matches([' ', '\t']);
    let rest = content.trim_start_matches('`');
    let ticks = content.len() - rest.len();
    (ticks >= 3).then(|| (line.len() - content.len(), ticks, rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<&str> {
        fences(text).into_iter().map(|fence| &text[fence.code]).collect()
    }

    #[test]
    fn the_code_is_what_stands_between_the_fences() {
        assert_eq!(codes("Here:\n```ts\nlet a = 1\n```\nDone"), ["let a = 1\n"]);
        assert_eq!(codes("```\n```"), [""]);
    }

    #[test]
    fn a_longer_fence_holds_shorter_ones() {
        assert_eq!(codes("````js\n```\nx\n```\n````"), ["```\nx\n```\n"]);
    }

    #[test]
    fn a_fence_that_is_not_closed_runs_to_the_end() {
        assert_eq!(codes("```js\nreturn 1\n"), ["return 1\n"]);
    }

    #[test]
    fn a_line_with_backticks_behind_them_opens_nothing() {
        assert_eq!(codes("``` a ``` b\n"), Vec::<&str>::new());
    }

    #[test]
    fn every_fence_is_found() {
        assert_eq!(codes("  ```js\n  1\n  ```\n```\r\n2\r\n```\r\n"), ["  1\n", "2\r\n"]);
    }
}
