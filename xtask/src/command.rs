//! A command line that can be shown, run and repeated by hand.

use std::fmt;
use std::path::Path;
use std::process::{Command as Process, Stdio};

use anyhow::{Context, Result, bail};

/// A program with its arguments and what it adds to the environment, run in the repository's root.
pub(crate) struct Command {
    program: &'static str,
    args: Vec<String>,
    env: Vec<(&'static str, String)>,
}

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository")
}

impl Command {
    /// `cargo` with the arguments in `line`, split at blanks.
    pub(crate) fn cargo(line: &str) -> Self {
        Self::new("cargo", line)
    }

    /// `program` with the arguments in `line`, split at blanks.
    pub(crate) fn new(program: &'static str, line: &str) -> Self {
        let args = line.split_whitespace().map(str::to_owned).collect();
        Self { program, args, env: Vec::new() }
    }

    /// One more argument, blanks and all.
    pub(crate) fn arg(mut self, arg: impl fmt::Display) -> Self {
        self.args.push(arg.to_string());
        self
    }

    /// The option `name` with a `value`, if there is one.
    pub(crate) fn option(self, name: &str, value: Option<impl fmt::Display>) -> Self {
        match value {
            Some(value) => self.arg(name).arg(value),
            None => self,
        }
    }

    /// More arguments.
    pub(crate) fn args(mut self, args: &[String]) -> Self {
        self.args.extend_from_slice(args);
        self
    }

    /// The environment variable `name` with `value`.
    pub(crate) fn env(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.env.push((name, value.into()));
        self
    }

    /// Runs the command; anything but success is an error that shows how to repeat it.
    pub(crate) fn run(&self) -> Result<()> {
        let status = self.process().status().with_context(|| format!("cannot start {self}"))?;
        if !status.success() {
            bail!("{status}; to repeat:\n    {self}");
        }
        Ok(())
    }

    /// What the command prints, or `None` if it cannot be run or fails.
    pub(crate) fn output(&self) -> Option<String> {
        let output = self.process().stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// How many bytes the command prints.
    pub(crate) fn bytes(&self) -> Result<u64> {
        let output = self.process().output().with_context(|| format!("cannot start {self}"))?;
        Ok(output.stdout.len() as u64)
    }

    fn process(&self) -> Process {
        let mut process = Process::new(self.program);
        process.args(&self.args).current_dir(root());
        process.envs(self.env.iter().map(|(name, value)| (name, value)));
        process
    }
}

/// The command as a shell reads it.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.env {
            write!(f, "{name}={} ", quoted(value))?;
        }
        f.write_str(self.program)?;
        self.args.iter().try_for_each(|arg| write!(f, " {}", quoted(arg)))
    }
}

fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+:,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_a_shell_reads_it() {
        let command = Command::cargo("doc --no-deps")
            .env("RUSTDOCFLAGS", "-D warnings")
            .option("--seed", Some(7))
            .option("--plies", None::<u64>)
            .arg("it's");
        assert_eq!(
            command.to_string(),
            r"RUSTDOCFLAGS='-D warnings' cargo doc --no-deps --seed 7 'it'\''s'"
        );
    }

    #[test]
    fn a_failing_command_is_an_error_that_shows_how_to_repeat_it() {
        assert!(Command::new("true", "").run().is_ok());
        let error = Command::new("false", "really").run().unwrap_err().to_string();
        assert!(error.ends_with("to repeat:\n    false really"), "{error}");
        let error = Command::new("no-such-program", "").run().unwrap_err().to_string();
        assert_eq!(error, "cannot start no-such-program");
    }
}
