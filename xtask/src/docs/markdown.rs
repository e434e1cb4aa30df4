//! What a Markdown text points at, and what can be pointed at in it.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// Something that points elsewhere, and the line (from 1) that it is in.
pub(super) struct Pointer {
    pub(super) line: usize,
    pub(super) target: Target,
}

pub(super) enum Target {
    /// A piece of code within a sentence.
    Span(String),
    /// The destination of a link or image.
    Link(String),
}

/// Code spans and links, in order; what stands in code blocks is none.
pub(super) fn pointers(text: &str) -> Vec<Pointer> {
    let mut pointers = Vec::new();
    for (event, place) in Parser::new(text).into_offset_iter() {
        let target = match event {
            Event::Code(span) => Target::Span(span.into_string()),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Target::Link(dest_url.into_string())
            }
            _ => continue,
        };
        pointers.push(Pointer { line: 1 + text[..place.start].matches('\n').count(), target });
    }
    pointers
}

/// The anchors of the headings, as GitHub derives them.
pub(super) fn anchors(text: &str) -> Vec<String> {
    let mut anchors = Vec::new();
    let mut heading: Option<String> = None;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(words) | Event::Code(words) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&words);
                }
            }
            Event::End(TagEnd::Heading(_)) => anchors.extend(heading.take().map(|heading| anchor(&heading))),
            _ => {}
        }
    }
    anchors
}

fn anchor(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}
