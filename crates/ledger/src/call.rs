//! A call without an outcome, and what may be done about it when.

use crate::entry::{Encoded, Outcome, Question, QuestionKind, Request, Resolution};

/// A call without an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenCall {
    /// What it asks for.
    pub request: Request,
    /// What was done about it.
    pub standing: Standing,
    /// How many questions it has asked.
    pub questions: u32,
    /// Its latest question with its answer: what the host function is invoked again with.
    pub resume: Option<Box<(Question, Resolution)>>,
    /// The arguments that an approver put in place of the script's.
    pub edited: Option<Encoded>,
}

/// What was done about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing.
    Called,
    /// The host function was invoked; what came of it nobody knows.
    Dispatched,
    /// It asks.
    Asking(Box<Question>),
    /// It was answered, and nothing was done since.
    Answered(Box<Question>, Resolution),
}

impl OpenCall {
    /// The arguments that the host function gets.
    pub fn effective_arguments(&self) -> Option<&[u8]> {
        match (&self.edited, &self.request) {
            (Some(edited), _) => Some(edited),
            (None, Request::Function { arguments, .. }) => Some(arguments),
            (None, _) => None,
        }
    }

    pub(crate) fn new(request: Request) -> Self {
        Self { request, standing: Standing::Called, questions: 0, resume: None, edited: None }
    }

    pub(crate) fn question(&self) -> Option<&Question> {
        match &self.standing {
            Standing::Asking(question) => Some(question),
            _ => None,
        }
    }

    pub(crate) fn is_asking(&self) -> bool {
        self.question().is_some()
    }

    pub(crate) fn dispatch(&mut self) -> Result<(), &'static str> {
        match &self.standing {
            Standing::Asking(_) => return Err("a dispatch of a call whose question is open"),
            Standing::Answered(_, Resolution::Denied { .. }) => {
                return Err("a dispatch of a call that was denied");
            }
            Standing::Answered(_, Resolution::Happened(_)) => {
                return Err("a dispatch of a call whose outcome was told");
            }
            Standing::Answered(question, _) if question.kind == QuestionKind::Event => {
                return Err("a dispatch of a call that waits for an event");
            }
            Standing::Called | Standing::Dispatched | Standing::Answered(..) => {}
        }
        self.standing = Standing::Dispatched;
        Ok(())
    }

    /// `blocking`: the guest stands still meanwhile, so it can only be asked what became of the call.
    pub(crate) fn ask(&mut self, question: &Question, blocking: bool) -> Result<(), &'static str> {
        let fits = match question.kind {
            QuestionKind::Approval | QuestionKind::Event => self.standing == Standing::Called,
            QuestionKind::Question | QuestionKind::OutcomeUnknown => self.standing == Standing::Dispatched,
        };
        if !fits {
            return Err("a question of a call that cannot ask it now");
        }
        if blocking && question.kind != QuestionKind::OutcomeUnknown {
            return Err("a question of a blocking call");
        }
        if Some(question.ordinal) != self.questions.checked_add(1) {
            return Err("a question out of order");
        }
        self.questions = question.ordinal;
        self.standing = Standing::Asking(Box::new(question.clone()));
        Ok(())
    }

    pub(crate) fn answer(&mut self, resolution: &Resolution) -> Result<(), &'static str> {
        let Standing::Asking(question) = &self.standing else { return Err("an answer to no question") };
        if !resolution.fits(question.kind) {
            return Err("an answer of another kind than the question");
        }
        if question.kind != QuestionKind::OutcomeUnknown {
            self.resume = Some(Box::new((Question::clone(question), resolution.clone())));
        }
        if let Resolution::Approved { arguments: Some(arguments) } = resolution {
            self.edited = Some(arguments.clone());
        }
        self.standing = Standing::Answered(question.clone(), resolution.clone());
        Ok(())
    }

    pub(crate) fn may_have(&self, outcome: &Outcome) -> Result<(), &'static str> {
        match (&self.standing, outcome) {
            (Standing::Asking(_), _) => Err("an outcome of a call whose question is open"),
            (Standing::Answered(_, Resolution::Denied { .. }), Outcome::Fulfilled(_)) => {
                Err("a value of a call that was denied")
            }
            _ if !self.request.can_give(outcome) => Err("a module's name or text that is no text"),
            _ => Ok(()),
        }
    }

    /// Its outcome is void. What was answered stays answered, but for a no.
    pub(crate) fn make_again(&mut self) {
        self.standing = match self.resume.as_deref() {
            Some((question, resolution @ (Resolution::Answered(_) | Resolution::Approved { .. }))) => {
                Standing::Answered(Box::new(question.clone()), resolution.clone())
            }
            _ => Standing::Called,
        };
    }
}

impl Request {
    /// A text is major type 3, or tag 273 with a lone surrogate in it: docs/values.md.
    fn can_give(&self, outcome: &Outcome) -> bool {
        match (self, outcome) {
            (Self::Function { .. }, _) | (_, Outcome::Rejected(_)) => true,
            (Self::Normalize { .. } | Self::Load { .. }, Outcome::Fulfilled(value)) => {
                value.first().is_some_and(|head| head >> 5 == 3) || value.starts_with(&[0xd9, 0x01, 0x11])
            }
        }
    }
}

impl Resolution {
    /// Whether a question of this kind can be answered so.
    pub fn fits(&self, kind: QuestionKind) -> bool {
        match self {
            Self::Answered(_) => matches!(kind, QuestionKind::Question | QuestionKind::Event),
            Self::Approved { .. } | Self::Denied { .. } => kind == QuestionKind::Approval,
            Self::Happened(_) | Self::DidNotHappen => kind == QuestionKind::OutcomeUnknown,
            Self::Expired => true,
        }
    }
}
