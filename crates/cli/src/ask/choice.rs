//! What can be said to a question.

use intermission::InterruptionKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Approve,
    Deny,
    Edit,
    Value,
    Happened,
    DidNotHappen,
    ShowAll,
    Later,
}

impl Choice {
    /// Those that fit the question.
    pub(super) fn of(kind: InterruptionKind, is_cut: bool) -> Vec<Self> {
        let answers: &[Self] = match kind {
            InterruptionKind::Approval => &[Self::Approve, Self::Deny, Self::Edit],
            InterruptionKind::Question | InterruptionKind::Event => &[Self::Value],
            InterruptionKind::OutcomeUnknown => &[Self::Happened, Self::DidNotHappen],
        };
        let all = answers.iter().copied().chain(is_cut.then_some(Self::ShowAll));
        all.chain([Self::Later]).collect()
    }

    /// Its first letter is enough.
    const fn words(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Deny => "deny",
            Self::Edit => "edit",
            Self::Value => "value",
            Self::Happened => "happened",
            Self::DidNotHappen => "nothing happened",
            Self::ShowAll => "show all",
            Self::Later => "later",
        }
    }
}

/// `[a]pprove, [d]eny, [l]ater? `
pub(super) fn prompt(choices: &[Choice]) -> String {
    let marked = |choice: &Choice| {
        let (letter, rest) = choice.words().split_at(1);
        format!("[{letter}]{rest}")
    };
    format!("{}? ", choices.iter().map(marked).collect::<Vec<_>>().join(", "))
}

/// The choice whose words, or first letter, somebody has typed.
pub(super) fn find(choices: &[Choice], typed: &str) -> Option<Choice> {
    let typed = typed.to_lowercase();
    choices.iter().copied().find(|choice| typed == choice.words() || typed == choice.words()[..1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_question_has_its_own_choices() {
        let shown = |kind, is_cut| prompt(&Choice::of(kind, is_cut));
        assert_eq!(shown(InterruptionKind::Approval, false), "[a]pprove, [d]eny, [e]dit, [l]ater? ");
        assert_eq!(shown(InterruptionKind::Question, true), "[v]alue, [s]how all, [l]ater? ");
        assert_eq!(
            shown(InterruptionKind::OutcomeUnknown, false),
            "[h]appened, [n]othing happened, [l]ater? "
        );
    }

    #[test]
    fn a_letter_or_the_words_are_a_choice_and_a_beginning_is_none() {
        let choices = Choice::of(InterruptionKind::Approval, false);
        assert_eq!(find(&choices, "a"), Some(Choice::Approve));
        assert_eq!(find(&choices, "Deny"), Some(Choice::Deny));
        assert_eq!(find(&choices, "den"), None);
        assert_eq!(find(&choices, "v"), None);
    }
}
