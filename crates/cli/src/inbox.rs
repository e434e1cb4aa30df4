//! `intermission inbox`.

mod answering;
mod list;

use intermission_store::{InboxQuery, Store, StoredInterruption};

use self::answering::Answering;
use crate::arguments::InboxArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::runtime::block_on;
use crate::terminal;

/// Lists what runs ask, or takes answers: by options, or of somebody at the terminal. Answers are kept; whoever goes on with the runs takes them.
pub(crate) fn inbox(arguments: &InboxArguments) -> Result<Exit, Failure> {
    if arguments.answers.are_given() {
        return Answering::begin(arguments)?.by_options();
    }
    if terminal::is_there() && !arguments.no_ask && !arguments.json {
        return Answering::begin(arguments)?.at_terminal();
    }
    let (asked, there_are_more) = block_on(page(arguments))?;
    list::print(&asked, arguments.json)?;
    if there_are_more {
        terminal::show_line(&format!("the oldest {}; `--limit` shows more", arguments.limit));
    }
    Ok(Exit::Completed)
}

async fn page(arguments: &InboxArguments) -> Result<(Vec<StoredInterruption>, bool), Failure> {
    let store = arguments.store.open()?;
    let run_id = match &arguments.run {
        Some(name) => Some(name.find(&*store).await?),
        None => None,
    };
    // One more tells that there are more.
    let limit = Some(arguments.limit.saturating_add(1));
    let query = InboxQuery { run_id, events: arguments.events, limit, ..InboxQuery::default() };
    let mut asked = store.inbox(query).await?;
    let there_are_more = asked.len() > arguments.limit;
    asked.truncate(arguments.limit);
    Ok((asked, there_are_more))
}
