//! What a configuration lends.

use std::ops::Range;

use intermission::{HostFunction, HostFunctions, HostFunctionsError, Runner, RunnerBuilder};

use crate::config::{Config, Purpose};
use crate::error::{ConfigError, Problem};
use crate::function::{Answerer, FunctionConfig};
use crate::functions::{AnsweredBy, Http, HttpConfig, header_value, host_function};
use crate::mcp;
use crate::modules_folder::{ModulesError, ModulesFolder};
use crate::policy::{Rules, check};
use crate::secret_text::Secrets;

/// Host functions, and the policy that decides about their calls. Cheap to clone. MCP servers end with the last of the functions that are lent of them.
/// The default lends nothing.
#[derive(Clone, Debug, Default)]
pub struct Lent {
    host_functions: HostFunctions,
    rules: Option<Rules>,
}

impl Lent {
    /// The functions: those of programs and services in the order of the file, then those of each MCP server.
    pub fn host_functions(&self) -> &HostFunctions {
        &self.host_functions
    }
}

impl Config {
    /// The host functions. MCP servers are started, and tell their tools: this blocks until they have.
    ///
    /// # Errors
    /// [`ConfigError`], where a name or a schema is none, a secret is missing, a server cannot be started, or a rule of the policy makes no sense for these functions.
    pub fn lend(&self, purpose: Purpose) -> Result<Lent, ConfigError> {
        self.lend_all(purpose).map_err(|problem| ConfigError::new(&self.source, problem))
    }

    fn lend_all(&self, purpose: Purpose) -> Result<Lent, Problem> {
        let output = self.limits.output;
        let mut functions = Vec::new();
        let mut places = Vec::new();
        for config in &self.functions {
            functions.push(host_function(config, answered_by(config, purpose)?, output));
            places.push(config.name.span());
        }
        // What can be said without starting a server is said before.
        let own = functions.len();
        let mut host_functions = checked(functions.clone(), &places, own)?;
        for (function, server) in mcp::start(&self.servers, output)? {
            functions.push(function);
            places.push(self.servers[server].name.span());
        }
        check(&self.rules, &functions)?;
        if functions.len() > own {
            host_functions = checked(functions, &places, own)?;
        }
        let rules = (!self.rules.is_empty()).then(|| Rules(self.rules.clone().into()));
        Ok(Lent { host_functions, rules })
    }

    /// A runner with what is lent and all that the configuration says of runs.
    ///
    /// # Errors
    /// When there is no such folder of modules.
    pub fn runner(&self, lent: &Lent) -> Result<RunnerBuilder, ModulesError> {
        let mut builder = Runner::builder()
            .host_functions(lent.host_functions.clone())
            .limits(self.limits)
            .strict(self.strict)
            .allow_eval(self.allow_eval)
            .record_reads(self.record_reads)
            .profile(self.profile);
        if let Some(rules) = &lent.rules {
            builder = builder.policy(rules.clone());
        }
        match &self.modules {
            Some(folder) => Ok(builder.modules(ModulesFolder::new(folder)?)),
            None => Ok(builder),
        }
    }
}

fn answered_by(config: &FunctionConfig, purpose: Purpose) -> Result<AnsweredBy, Problem> {
    Ok(match &config.answered_by {
        Answerer::Command(command) => AnsweredBy::Command(command.clone()),
        Answerer::Http(http) => AnsweredBy::Http(service(http, purpose)?),
    })
}

fn service(config: &HttpConfig, purpose: Purpose) -> Result<Http, Problem> {
    let mut secrets = Secrets::default();
    let mut headers = ureq::http::HeaderMap::new();
    for (name, template) in &config.headers {
        let text = match template.resolve() {
            Ok(text) => text,
            // Where nothing is sent, nothing is missing.
            Err(_) if purpose == Purpose::Look => continue,
            Err(problem) => return Err(problem),
        };
        let value = header_value(name, &text).map_err(|problem| template.problem(problem))?;
        headers.insert(name.clone(), value);
        secrets.add_all(text.secrets());
    }
    Ok(Http::new(config.method, config.url.clone(), &headers, secrets))
}

/// The functions as a set, each of which was named at a place. The first `own` of them are not of a server.
fn checked(
    functions: Vec<HostFunction>,
    places: &[Range<usize>],
    own: usize,
) -> Result<HostFunctions, Problem> {
    let names: Vec<String> = functions.iter().map(|function| function.name().to_owned()).collect();
    HostFunctions::new(functions).map_err(|error| {
        let index = blamed(&error, &names).unwrap_or_default();
        let at = places.get(index).cloned().unwrap_or_default();
        Problem::Functions { at, error, of_server: index >= own }
    })
}

/// Which function a set is refused for.
fn blamed(error: &HostFunctionsError, names: &[String]) -> Option<usize> {
    let (HostFunctionsError::Name { name: blamed }
    | HostFunctionsError::Reserved { name: blamed }
    | HostFunctionsError::Duplicate { name: blamed }
    | HostFunctionsError::BlockingApproval { name: blamed }
    | HostFunctionsError::Schema { name: blamed, .. }) = error
    else {
        return None;
    };
    // The name of a group, or a name within one.
    let in_group = |name: &String| name.split('.').any(|part| part == blamed);
    names.iter().position(|name| name == blamed).or_else(|| names.iter().position(in_group))
}
