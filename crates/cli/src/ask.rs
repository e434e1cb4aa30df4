//! Asking somebody at the terminal.

mod choice;
mod edit;
mod line;
pub(crate) mod show;

use std::io;

use intermission::{Answer, Interruption, Resolution, Value};

use self::choice::Choice;
use self::edit::Edited;
use self::line::{Line, read_line};
pub(crate) use self::show::Source;
use self::show::{Length, Shown};
use crate::exit::Exit;
use crate::signals::Signals;
use crate::{answers, terminal};

/// What somebody said.
pub(crate) struct Asked {
    pub(crate) answers: Vec<Resolution>,
    /// The signal that came instead.
    pub(crate) ended_by: Option<Exit>,
}

/// Why nothing more is said.
enum Silence {
    /// The input has ended.
    Closed,
    Signal(Exit),
    Failed(io::Error),
}

impl From<io::Error> for Silence {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Asks one question after the other. What is left for later, or not reached, has no answer.
///
/// # Errors
/// When the terminal fails.
pub(crate) async fn ask(
    open: &[&Interruption],
    source: Source<'_>,
    signals: &mut Signals,
) -> io::Result<Asked> {
    let mut answers = Vec::new();
    for (index, asked) in open.iter().enumerate() {
        let number = (open.len() > 1).then_some((index + 1, open.len()));
        let mut talk = Talk { asked, source, number, signals };
        match talk.answer().await {
            Ok(answer) => answers.extend(answer.map(|answer| Resolution::new(asked.id.clone(), answer))),
            Err(Silence::Closed) => {
                terminal::show_line("");
                break;
            }
            Err(Silence::Signal(exit)) => return Ok(Asked { answers: Vec::new(), ended_by: Some(exit) }),
            Err(Silence::Failed(error)) => return Err(error),
        }
    }
    Ok(Asked { answers, ended_by: None })
}

/// About one question.
struct Talk<'t> {
    asked: &'t Interruption,
    source: Source<'t>,
    number: Option<(usize, usize)>,
    signals: &'t mut Signals,
}

impl Talk<'_> {
    /// The answer; none where it is left for later.
    async fn answer(&mut self) -> Result<Option<Answer>, Silence> {
        let is_cut = self.show(Length::Short);
        let mut draft = None;
        loop {
            let answer = match self.choose(is_cut).await? {
                Choice::Later => return Ok(None),
                Choice::ShowAll => {
                    self.show(Length::Full);
                    None
                }
                Choice::Approve => Some(Answer::Approve),
                Choice::Deny => Some(self.deny().await?),
                Choice::Edit => self.edit(&mut draft).await?,
                Choice::Value => self.json("answer (JSON): ").await?.map(Answer::Value),
                Choice::Happened => {
                    self.json("what came of it (JSON): ").await?.map(|value| Answer::Happened(Ok(value)))
                }
                Choice::DidNotHappen => Some(Answer::DidNotHappen),
            };
            if answer.is_some() {
                return Ok(answer);
            }
        }
    }

    fn show(&self, length: Length) -> bool {
        let Shown { text, is_cut } = show::question(self.asked, Some(self.source), self.number, length);
        terminal::show_line(&text);
        is_cut
    }

    async fn choose(&mut self, is_cut: bool) -> Result<Choice, Silence> {
        let choices = Choice::of(self.asked.kind, is_cut);
        let prompt = choice::prompt(&choices);
        loop {
            let line = self.line(&prompt).await?;
            match choice::find(&choices, line.trim()) {
                Some(choice) => return Ok(choice),
                None if line.trim().is_empty() => {}
                None => terminal::show_line("That is none of these; the letters in brackets are enough."),
            }
        }
    }

    async fn deny(&mut self) -> Result<Answer, Silence> {
        let reason = self.line("why (may be left empty): ").await?;
        let reason = Some(reason.trim()).filter(|reason| !reason.is_empty()).map(str::to_owned);
        Ok(Answer::Deny { reason })
    }

    /// Another argument: out of an editor, or else on a line.
    async fn edit(&mut self, draft: &mut Option<String>) -> Result<Option<Answer>, Silence> {
        let argument = self.asked.arguments.first().cloned().unwrap_or_default();
        let value = match edit::edit(&argument, draft).await? {
            Edited::NoEditor => self.json("other argument (JSON): ").await?,
            Edited::Value(value) => {
                self.signals.forget()?;
                Some(value)
            }
            Edited::Unchanged => {
                self.signals.forget()?;
                terminal::show_line("Nothing was changed.");
                None
            }
            Edited::Failed(why) => {
                self.signals.forget()?;
                terminal::show_line(&why);
                None
            }
        };
        Ok(value.map(|value| Answer::ApproveWith(answers::edited(Some(self.asked), value))))
    }

    /// A value; none where the line is left empty.
    async fn json(&mut self, prompt: &str) -> Result<Option<Value>, Silence> {
        loop {
            let line = self.line(prompt).await?;
            if line.trim().is_empty() {
                return Ok(None);
            }
            match serde_json::from_str(&line) {
                Ok(json) => return Ok(Some(Value::from_json(json))),
                Err(error) => {
                    terminal::show_line(&format!(
                        "That is not JSON ({error}); a text has double quotes: \"yes\""
                    ));
                }
            }
        }
    }

    async fn line(&mut self, prompt: &str) -> Result<String, Silence> {
        terminal::show_prompt(prompt);
        tokio::select! {
            biased;
            exit = self.signals.next() => {
                terminal::show_line("");
                Err(Silence::Signal(exit))
            }
            line = read_line() => match line? {
                Line::Text(text) => Ok(text),
                Line::End => Err(Silence::Closed),
            },
        }
    }
}
