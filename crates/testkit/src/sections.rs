//! A page's headings, code blocks, and lines that begin with `needs:` or `known:`. Everything else is prose.

/// What begins with a heading.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Section<'p> {
    /// 1 for the page's own, 2 for a case.
    pub(crate) level: usize,
    pub(crate) title: &'p str,
    pub(crate) line: usize,
    /// What the `needs:` lines say, and where.
    pub(crate) needs: Vec<(usize, &'p str)>,
    /// What the `known:` line says.
    pub(crate) known: Option<&'p str>,
    pub(crate) blocks: Vec<Block<'p>>,
    /// Whether there is any prose.
    pub(crate) has_prose: bool,
}

/// A fenced code block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block<'p> {
    /// What stands behind the fence.
    pub(crate) info: &'p str,
    /// The line of the fence, from 1: the text begins on the next.
    pub(crate) line: usize,
    pub(crate) text: &'p str,
}

const FENCE: &str = "```";

/// The sections of a page, or the line and what is wrong there.
pub(crate) fn sections(page: &str) -> Result<Vec<Section<'_>>, (usize, &'static str)> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut open: Option<(usize, &str, usize)> = None;
    let mut at = 0;
    for (index, line) in page.split_inclusive('\n').enumerate() {
        let (number, start) = (index + 1, at);
        at += line.len();
        let line = line.trim_end();
        if let Some((fence, info, from)) = open {
            if line == FENCE {
                let block = Block { info, line: fence, text: &page[from..start] };
                sections.last_mut().ok_or((fence, BEFORE))?.blocks.push(block);
                open = None;
            }
        } else if let Some(info) = line.strip_prefix(FENCE) {
            open = Some((number, info.trim(), at));
        } else if let Some((marks, title)) = heading(line) {
            sections.push(Section { level: marks, title, line: number, ..Section::default() });
        } else if !line.is_empty() {
            let section = sections.last_mut().ok_or((number, BEFORE))?;
            if let Some(needs) = line.strip_prefix("needs:") {
                section.needs.extend(needs.split(',').map(|need| (number, need.trim())));
            } else if let Some(known) = line.strip_prefix("known:") {
                section.known = Some(known.trim());
            } else {
                section.has_prose = true;
            }
        }
    }
    match open {
        Some((line, ..)) => Err((line, "this block is never closed")),
        None => Ok(sections),
    }
}

const BEFORE: &str = "a page begins with its title: `# Title`";

fn heading(line: &str) -> Option<(usize, &str)> {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    let title = line[marks..].strip_prefix(' ')?;
    (marks > 0).then_some((marks, title.trim()))
}
