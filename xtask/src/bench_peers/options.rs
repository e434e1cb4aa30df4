//! What the command line asks for.

use super::install::PEERS;
use crate::error::Error;

pub(super) struct Options {
    /// Names of peers; empty: all.
    only: Vec<String>,
    /// How often everything is measured.
    pub(super) rounds: u32,
}

impl Options {
    /// `[--only peer,peer] [--rounds N]`
    pub(super) fn parse(arguments: &[String]) -> Result<Self, Error> {
        let mut options = Self { only: Vec::new(), rounds: 12 };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().map_or("", String::as_str);
            match argument.as_str() {
                "--only" => options.only = names(value())?,
                "--rounds" => options.rounds = rounds(value())?,
                other => return Err(Error::UnknownArgument { argument: other.to_owned() }),
            }
        }
        Ok(options)
    }

    /// Whether a peer takes part.
    pub(super) fn wants(&self, peer: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == peer)
    }

    /// Whether all peers take part.
    pub(super) fn everything(&self) -> bool {
        PEERS.iter().all(|peer| self.wants(peer.name))
    }
}

fn names(list: &str) -> Result<Vec<String>, Error> {
    let known = |name: &str| PEERS.iter().any(|peer| peer.name == name);
    let names: Vec<String> = list.split(',').map(str::to_owned).collect();
    match names.iter().find(|name| !known(name)) {
        None => Ok(names),
        Some(name) => {
            let known = PEERS.iter().map(|peer| peer.name).collect::<Vec<_>>().join(", ");
            Err(Error::UnknownPeer { name: name.clone(), known })
        }
    }
}

fn rounds(text: &str) -> Result<u32, Error> {
    match text.parse() {
        Ok(rounds) if rounds > 0 => Ok(rounds),
        _ => Err(Error::Rounds { given: text.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options, Error> {
        Options::parse(&arguments.iter().map(|argument| (*argument).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn without_arguments_all_peers_take_part_in_twelve_rounds() {
        let options = parse(&[]).unwrap();
        assert_eq!(options.rounds, 12);
        assert!(options.everything());
    }

    #[test]
    fn named_peers_alone_take_part() {
        let options = parse(&["--only", "run,modebox", "--rounds", "3"]).unwrap();
        assert_eq!(options.rounds, 3);
        assert!(options.wants("run") && options.wants("modebox") && !options.wants("intermission"));
        assert!(!options.everything());
    }

    #[test]
    fn what_is_no_peer_and_what_is_no_number_is_refused() {
        let refused = |arguments: &[&str]| parse(arguments).err().unwrap().to_string();
        assert_eq!(
            refused(&["--only", "runn"]),
            "there is no peer `runn`; there are: intermission, intermission-replaying, modebox, modebox-unmetered, run"
        );
        assert_eq!(refused(&["--rounds", "0"]), "--rounds takes a number from 1 on, not `0`");
        assert_eq!(refused(&["--rounds"]), "--rounds takes a number from 1 on, not ``");
    }
}
