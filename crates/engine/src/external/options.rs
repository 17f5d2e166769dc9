//! The options that an engine has, and setting them.

/// An option as an engine offers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OfferedOption {
    name: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Check,
    Spin {
        min: i64,
        max: i64,
    },
    Combo(Vec<String>),
    Button,
    /// Any text, and whatever else engines think of.
    Text,
}

impl OfferedOption {
    /// Reads `option name NAME type KIND …`.
    pub(super) fn read(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("option ")?.trim_start().strip_prefix("name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let mut words = rest.split_ascii_whitespace();
        let kind = match words.next()? {
            "check" => Kind::Check,
            "button" => Kind::Button,
            "spin" => {
                let words: Vec<_> = words.collect();
                let after = |key| {
                    let place = words.iter().position(|word| *word == key)?;
                    words.get(place + 1)?.parse().ok()
                };
                Kind::Spin {
                    min: after("min").unwrap_or(i64::MIN),
                    max: after("max").unwrap_or(i64::MAX),
                }
            }
            "combo" => {
                let choices = rest.split(" var ").skip(1);
                Kind::Combo(choices.map(|choice| choice.trim().to_owned()).collect())
            }
            _ => Kind::Text,
        };
        Some(Self { name: name.trim().to_owned(), kind })
    }

    /// The `setoption` line that gives this option `value`, or why it cannot have it.
    fn set(&self, value: &str) -> Result<String, String> {
        let name = &self.name;
        let refused =
            |allowed: String| Err(format!("option {name} cannot be {value:?}: {allowed}"));
        match &self.kind {
            Kind::Check if !["true", "false"].contains(&value) => {
                refused("it is true or false".to_owned())
            }
            Kind::Spin { min, max }
                if !value.parse().is_ok_and(|number: i64| (*min..=*max).contains(&number)) =>
            {
                refused(format!("it is a number from {min} to {max}"))
            }
            Kind::Combo(choices) if !choices.iter().any(|choice| choice == value) => {
                refused(format!("it is one of {}", choices.join(", ")))
            }
            Kind::Button => Ok(format!("setoption name {name}")),
            _ => Ok(format!("setoption name {name} value {value}")),
        }
    }
}

/// The line that sets the option that is called `name`, or why that is not possible.
pub(super) fn set_line(
    options: &[OfferedOption],
    name: &str,
    value: &str,
) -> Result<String, String> {
    let exact = options.iter().find(|option| option.name == name);
    let like = || options.iter().find(|option| plain(&option.name) == plain(name));
    match exact.or_else(like) {
        Some(option) => option.set(value),
        // Every USI engine has these two, whether it lists them or not.
        None if ["USI_Hash", "USI_Ponder"].contains(&name) => {
            Ok(format!("setoption name {name} value {value}"))
        }
        None => {
            let names: Vec<_> = options.iter().map(|option| option.name.as_str()).collect();
            Err(format!("there is no option {name:?}; there are: {}", names.join(", ")))
        }
    }
}

/// A name without what differs between the ways to write it.
fn plain(name: &str) -> String {
    let name = name.to_ascii_lowercase().replace('_', " ");
    let bare = name.strip_prefix("usi ").or_else(|| name.strip_prefix("uci "));
    bare.unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Vec<OfferedOption> {
        let lines = [
            "option name Skill Level type spin default 20 min -20 max 20",
            "option name UCI_Variant type combo default shogi var chess var shogi",
            "option name Ponder type check default false",
            "option name Clear Hash type button",
            "option name EvalDir type string default eval",
        ];
        lines.iter().map(|line| OfferedOption::read(line).unwrap()).collect()
    }

    #[test]
    fn options_are_found_by_the_names_that_can_be_typed() {
        let set = |name, value| set_line(&options(), name, value);
        assert_eq!(set("Skill_Level", "-20").unwrap(), "setoption name Skill Level value -20");
        assert_eq!(set("USI_Variant", "chess").unwrap(), "setoption name UCI_Variant value chess");
        assert_eq!(set("ponder", "true").unwrap(), "setoption name Ponder value true");
        assert_eq!(set("Clear Hash", "").unwrap(), "setoption name Clear Hash");
        assert_eq!(set("EvalDir", "my nets").unwrap(), "setoption name EvalDir value my nets");
        assert_eq!(set("USI_Hash", "64").unwrap(), "setoption name USI_Hash value 64");
    }

    #[test]
    fn what_an_option_cannot_be_is_refused_with_what_it_can() {
        let refused = |name, value| set_line(&options(), name, value).unwrap_err();
        assert!(refused("Skill_Level", "21").contains("\"21\": it is a number from -20 to 20"));
        assert!(refused("UCI_Variant", "go").contains("it is one of chess, shogi"));
        assert!(refused("Ponder", "yes").contains("it is true or false"));
        assert!(refused("Skil", "1").contains("no option \"Skil\"; there are: Skill Level, UCI_"));
    }

    #[test]
    fn lines_that_offer_nothing_are_no_options() {
        for line in ["option", "option name X", "id name X", "option name X type"] {
            assert_eq!(OfferedOption::read(line), None, "{line}");
        }
    }
}
