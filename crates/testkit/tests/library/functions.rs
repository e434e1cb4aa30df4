//! The scripted host, as host functions.

use std::pin::Pin;
use std::task::{Context, Poll};

use intermission::{
    self as library, Decision, Ground, HostCall, HostError, HostFunction, HostFunctions, Interrupt, Policy,
    ProposedCall, Reconciled, Value,
};
use intermission_testkit::{Called, Effect, Function, Host, Invocation, Outcome, Resumed, Verdict, World};
use tokio::sync::mpsc::UnboundedSender;

/// `host` as it acts on `world`. Each call's function is told to `called`.
pub(crate) fn functions(host: &Host, world: &World, called: &UnboundedSender<String>) -> HostFunctions {
    let one = |(name, function): (&String, &Function)| {
        let (at_work, called, data) = (world.clone(), called.clone(), function.clone());
        let lent = HostFunction::new(name.as_str(), move |call: HostCall| {
            let outcome = at_work.invoke(&data, invocation(&call));
            // Only a step that cancels listens.
            let _ = called.send(call.host_function().to_owned());
            answer(outcome, call)
        });
        let lent = lent.effect(match function.effect {
            Effect::Pure => library::Effect::Pure,
            Effect::Idempotent => library::Effect::Idempotent,
            Effect::Unsafe => library::Effect::Unsafe,
        });
        let lent = if function.probe {
            let world = world.clone();
            lent.reconcile(move |call| std::future::ready(Ok(probed(world.probe(&call.idempotency_key())))))
        } else {
            lent
        };
        let lent = if function.approval { lent.approval() } else { lent };
        let lent = if function.blocking { lent.blocking() } else { lent };
        match &function.input_schema {
            Some(schema) => lent.input_schema(schema.clone()),
            None => lent,
        }
    };
    HostFunctions::new(host.iter().map(one)).unwrap()
}

/// What the scripted host's policy says.
pub(crate) struct Rules(pub(crate) Host);

impl Policy for Rules {
    fn decide(&self, call: &ProposedCall<'_>) -> Option<Decision> {
        let rule = || Ground::new("corpus");
        Some(match self.0.get(call.function.name())?.policy? {
            Verdict::Allow => Decision::Allow,
            Verdict::Ask => Decision::Ask(rule()),
            Verdict::Deny => Decision::Deny(rule()),
        })
    }
}

fn invocation(call: &HostCall) -> Invocation {
    let first = |arguments: Vec<Value>| arguments.first().cloned().unwrap_or_default().to_json().unwrap();
    Invocation {
        call: Called::new(call.host_function(), first(call.arguments())),
        instead_of: call.edited_from().map(first),
        request_index: call.request_index(),
        key: call.idempotency_key(),
        resumed: call.resume().map(|resume| Resumed {
            answer: resume.resolution.to_json().unwrap(),
            state: resume.state.clone().unwrap_or_default().to_json().unwrap(),
        }),
    }
}

fn probed(outcome: Option<Outcome>) -> Reconciled {
    match outcome {
        Some(Outcome::Value(value) | Outcome::Later { value, .. }) => Reconciled::Happened(Ok(value.into())),
        Some(Outcome::Error(error)) => {
            Reconciled::Happened(Err(HostError::new(error.message).with_name(error.name)))
        }
        Some(Outcome::Ask { .. } | Outcome::Never) => Reconciled::Unknown,
        None => Reconciled::DidNotHappen,
    }
}

async fn answer(outcome: Outcome, call: HostCall) -> Result<Value, HostError> {
    match outcome {
        Outcome::Value(value) => Ok(value.into()),
        Outcome::Later { ms, value } => {
            Polls(ms).await;
            Ok(value.into())
        }
        Outcome::Error(error) => Err(HostError::new(error.message).with_name(error.name)),
        Outcome::Ask { payload, state, expires_at, default } => {
            let mut ask = Interrupt::new(payload).state(state);
            if let Some(time) = expires_at {
                ask = ask.expires_at(time);
            }
            Err(default.into_iter().fold(ask, Interrupt::default).into())
        }
        Outcome::Never => {
            call.abort_signal().aborted().await;
            Ok(Value::Undefined)
        }
    }
}

/// A wait that takes no time: ready when it was polled so often. Of those that wait at one time the shortest is ready first, on any machine.
struct Polls(u64);

impl Future for Polls {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            return Poll::Ready(());
        }
        self.0 -= 1;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}
