//! URLs for the guest: the WHATWG URL standard's parser and setters. guest/c/url.c says how they are asked for.

use url::{Url, quirks};

use crate::thrown;

const PARSE: i32 = 1;
const SET: i32 = 2;

/// Length-prefixed strings; ends at the first that is not whole.
pub(crate) fn strings(bytes: &[u8]) -> impl Iterator<Item = &str> {
    thrown::parts(bytes).map_while(|part| std::str::from_utf8(part).ok())
}

/// The parts of the URL that `request` describes; `None` where it is none.
pub(crate) fn compute(kind: i32, request: &[u8]) -> Option<Vec<u8>> {
    let mut strings = strings(request);
    let href = strings.next()?;
    let url = match kind {
        PARSE => parse(href, strings.next())?,
        SET => set(Url::parse(href).ok()?, strings.next()?, strings.next()?)?,
        _ => return None,
    };
    Some(parts(&url))
}

fn parse(href: &str, base: Option<&str>) -> Option<Url> {
    match base {
        Some(base) => Url::parse(base).ok()?.join(href).ok(),
        None => Url::parse(href).ok(),
    }
}

/// A part that cannot be set stays as it is, but for `href`.
fn set(mut url: Url, part: &str, value: &str) -> Option<Url> {
    match part {
        "href" => return Url::parse(value).ok(),
        "protocol" => drop(quirks::set_protocol(&mut url, value)),
        "username" => drop(quirks::set_username(&mut url, value)),
        "password" => drop(quirks::set_password(&mut url, value)),
        "host" => drop(quirks::set_host(&mut url, value)),
        "hostname" => drop(quirks::set_hostname(&mut url, value)),
        "port" => drop(quirks::set_port(&mut url, value)),
        "pathname" => quirks::set_pathname(&mut url, value),
        "search" => quirks::set_search(&mut url, value),
        "hash" => quirks::set_hash(&mut url, value),
        _ => return None,
    }
    Some(url)
}

fn parts(url: &Url) -> Vec<u8> {
    let origin = quirks::origin(url);
    let parts = [
        quirks::href(url),
        &origin,
        quirks::protocol(url),
        quirks::username(url),
        quirks::password(url),
        quirks::host(url),
        quirks::hostname(url),
        quirks::port(url),
        quirks::pathname(url),
        quirks::search(url),
        quirks::hash(url),
    ];
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend((part.len() as u32).to_le_bytes());
        bytes.extend(part.as_bytes());
    }
    bytes
}
