//! Players on the command line.

use keisei_engine::spec::PROGRAMS;
use keisei_engine::{PlayerSpec, SpecError};

const HELP: &str = "\
Players:
  random          any legal move
  mate1           any legal move, but a mate in one if there is one
  greedy          the move that wins the most material at once
  level:N         a built-in opponent, from 1, the weakest, to 10: `keisei models` lists them
  ab:DEPTH        alpha-beta over material; ab:3,quiescence follows captures to their end
  net:MODEL       a network with search; ,simulations=N ,seconds=S ,threads=N ,batch=N
                  ,precision=f32|int16 ,policy_temperature=T ,exploration=C ,fpu_reduction=R
                  ,gumbel_up_to=N ,mirror
  policy:MODEL    a network without search; ,greedy ,temperature=T ,mirror
  usi:COMMAND     a shogi engine; ;depth=N ;nodes=N ;seconds=S ;name=NAME ;option.NAME=VALUE
  uci:COMMAND     a chess engine, with the same settings
  gnushogi        GNU Shogi

MODEL is a weights file, the folder of a run, whose newest model is taken, or `shipped`, the
built-in network: net:shipped; `shipped/ID` is one of its earlier ages (`keisei models`).";

/// What players there are, before a command's examples.
pub(crate) fn help(examples: &str) -> String {
    format!("{HELP}\n\n{examples}")
}

/// Reads the name of a player.
pub(crate) fn player(text: &str) -> Result<PlayerSpec, String> {
    read(text, "human, ")
}

/// Reads the name of a player that is a program.
pub(crate) fn program(text: &str) -> Result<PlayerSpec, String> {
    match read(text, "")? {
        PlayerSpec::Human => Err("people play with `keisei play`: name a program here".to_owned()),
        spec => Ok(spec),
    }
}

fn read(text: &str, people: &str) -> Result<PlayerSpec, String> {
    text.parse().map_err(|error| match error {
        // Whoever asks names the text.
        SpecError::Unknown { .. } => {
            format!("there is no such player; known are {people}{}", PROGRAMS.join(", "))
        }
        error => error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_program() {
        for name in PROGRAMS {
            let kind = name.split(':').next().unwrap();
            assert!(HELP.contains(&format!("\n  {kind}")), "{name}");
        }
    }

    #[test]
    fn people_are_offered_only_where_they_can_play() {
        assert_eq!(player("human"), Ok(PlayerSpec::Human));
        assert!(player("foo").unwrap_err().contains("known are human, random"));
        assert!(program("foo").unwrap_err().contains("known are random"));
        assert!(program("human").unwrap_err().contains("keisei play"));
    }
}
