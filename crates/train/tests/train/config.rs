//! The configuration: sources, refusals, presets and help.

use std::fs;

use keisei_encode::check_sizes_of;
use keisei_games::with_game;
use keisei_net::NetConfig;
use keisei_train::config::{Config, Device, Limits, PRESETS, Sources};

fn with_overrides(overrides: &[&str]) -> Result<Config, String> {
    let overrides = overrides.iter().map(|&text| text.to_owned()).collect();
    Config::load(&Sources { overrides, ..Sources::default() }).map_err(|e| e.to_string())
}

fn preset(name: &str) -> Config {
    let sources = Sources { preset: Some(name.to_owned()), ..Sources::default() };
    Config::load(&sources).unwrap_or_else(|e| panic!("{e}"))
}

/// Loads a file called `name` with this text.
fn from_file(name: &str, text: &str) -> Result<Config, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    Config::load(&Sources { file: Some(path), ..Sources::default() }).map_err(|e| e.to_string())
}

#[test]
fn defaults_are_those_of_the_document_with_an_action_space_that_works() {
    let config = with_overrides(&[]).unwrap();
    let (env, training) = (&config.env, &config.training);
    assert_eq!((env.device, env.input_channels, env.action_space_size), (Device::Cuda, 46, 2187));
    assert_eq!((env.seed, env.max_moves_per_game), (None, 500));
    assert_eq!((training.learning_rate, training.gamma, training.clip_epsilon), (3e-4, 0.99, 0.2));
    assert_eq!((training.ppo_epochs, training.minibatch_size), (10, 64));
    assert_eq!((training.entropy_coeff, training.lambda_gae), (0.01, 0.95));
    assert_eq!((training.gradient_clip_norm, training.value_coeff), (0.5, 0.5));
    assert!(!training.mixed_precision && !training.distributed);
    assert_eq!(training.checkpoint_interval, 1000);
    assert_eq!(config.rollout.games * config.rollout.steps, 2048);
    let evaluation = &config.evaluation;
    assert_eq!((evaluation.eval_interval, evaluation.eval_games), (100, 10));
    assert_eq!((evaluation.eval_timeout, evaluation.save_eval_games), (300.0, true));
    assert_eq!((&*config.logging.model_dir, &config.logging.log_file), ("models", &None));
    assert_eq!(toml::Value::try_from(config.logging.log_level).unwrap().as_str(), Some("INFO"));
    let wandb = &config.wandb;
    assert_eq!((wandb.enabled, &*wandb.project), (false, "keisei-shogi"));
    assert!(wandb.entity.is_none() && wandb.run_name.is_none() && wandb.notes.is_none());
    assert!(wandb.tags.is_empty());
    assert!(!config.demo.enabled && config.demo.model_path.is_none() && config.demo.interactive);
}

#[test]
fn later_sources_win_over_earlier_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    fs::write(&path, "[training]\ngamma = 0.5\nclip_epsilon = 0.3\nlambda_gae = 0.7\n").unwrap();
    let config = Config::load(&Sources {
        preset: Some("cpu".to_owned()),
        file: Some(path),
        environment: vec![
            ("KEISEI__TRAINING__CLIP_EPSILON".to_owned(), "0.4".to_owned()),
            ("KEISEI__TRAINING__LAMBDA_GAE".to_owned(), "0.8".to_owned()),
            ("HOME".to_owned(), "/nowhere".to_owned()),
        ],
        overrides: vec!["training.lambda_gae=0.6".to_owned()],
    })
    .unwrap();
    let training = config.training;
    assert_eq!(training.minibatch_size, 512, "from the preset");
    assert_eq!(training.gamma, 0.5, "from the file, over the preset");
    assert_eq!(training.clip_epsilon, 0.4, "from the environment, over the file");
    assert_eq!(training.lambda_gae, 0.6, "from the command line, over all");
}

#[test]
fn toml_and_yaml_say_the_same() {
    let toml = "[env]\nseed = 7\ndevice = \"cpu\"\n[training]\nlearning_rate = 1e-4\n\
                [wandb]\ntags = [\"a\", \"b\"]\nentity = \"none\"\n";
    let yaml = "env:\n  seed: 7\n  device: cpu\ntraining:\n  learning_rate: 1e-4\n\
                wandb:\n  tags: [a, b]\n  entity: null\nlogging:\n  # nothing yet\n";
    let config = from_file("a.toml", toml).unwrap();
    assert_eq!(config, from_file("a.yaml", yaml).unwrap());
    assert_eq!(config, from_file("a.yml", yaml).unwrap());
    assert_eq!((config.env.seed, config.training.learning_rate), (Some(7), 1e-4));
    assert_eq!(from_file("empty.yaml", "").unwrap(), Config::default());
}

#[test]
fn files_that_are_no_configuration_are_refused_by_name() {
    assert!(from_file("a.json", "{}").unwrap_err().contains("ends in .toml, .yaml or .yml"));
    assert!(from_file("a.toml", "[env\n").unwrap_err().contains("a.toml"));
    assert!(from_file("a.yaml", "env: [1\n").unwrap_err().contains("a.yaml"));
    assert!(from_file("a.yaml", "- 1\n").unwrap_err().contains("a.yaml"));
    let twice = "[env]\nseed = 1\nseed = 2\n";
    assert!(from_file("a.toml", twice).unwrap_err().contains("seed"));
    let missing = Sources { file: Some("not/there.toml".into()), ..Sources::default() };
    assert!(Config::load(&missing).unwrap_err().to_string().contains("not/there.toml"));
    let preset = Sources { preset: Some("tpu".to_owned()), ..Sources::default() };
    let message = Config::load(&preset).unwrap_err().to_string();
    assert!(message.contains("\"tpu\"") && message.contains("cpu-smoke"), "{message}");
}

#[test]
fn a_wrong_setting_is_refused_with_its_place_its_key_its_value_and_its_range() {
    let cases = [
        ("training.gamma=1.5", "command line: training.gamma: 1.5 is out of range: 0 to 1"),
        ("training.learning_rate=0", "training.learning_rate: 0 is out of range: above 0"),
        ("training.learning_rate=nan", "training.learning_rate: "),
        ("training.learning_rate_end=inf", "training.learning_rate_end: \"inf\" is not a number"),
        ("training.ppo_epochs=0", "training.ppo_epochs: 0 is out of range: 1 to 1000"),
        ("training.ppo_epochs=two", "training.ppo_epochs: \"two\" is not a whole number"),
        ("training.mixed_precision=1", "training.mixed_precision: 1 is not true or false"),
        ("env.device=tpu", "env.device: \"tpu\" is not one of auto, cpu, cuda"),
        ("wandb.tags=a", "wandb.tags: \"a\" is not a list of texts"),
        (
            "training.learning_rat=1",
            "training.learning_rat: there is no such setting; is \"learning_rate\" meant?",
        ),
        ("trainin.gamma=1", "trainin.gamma: there is no such setting; is \"training\" meant?"),
        ("training=1", "training: there is no such setting"),
        ("training.gamma", "\"training.gamma\" is not of the form section.name=value"),
    ];
    for (text, expected) in cases {
        let message = with_overrides(&[text]).unwrap_err();
        assert!(message.contains(expected), "{text}: {message}");
    }
    let message = from_file("a.toml", "[training]\nspeed = 1\n").unwrap_err();
    assert!(message.contains("a.toml: training.speed: there is no such setting"), "{message}");
    let message = from_file("a.yaml", "training:\n  target_kl: .inf\n").unwrap_err();
    assert!(message.contains("a.yaml: ") && message.contains("non-finite"), "{message}");
    let message = from_file("a.yaml", "gamma: 1\n").unwrap_err();
    assert!(message.contains("gamma: there is no such setting"), "{message}");
    let variable = ("KEISEI__TRAINING__GAMMA".to_owned(), "2".to_owned());
    let sources = Sources { environment: vec![variable], ..Sources::default() };
    let message = Config::load(&sources).unwrap_err().to_string();
    assert!(message.contains("KEISEI__TRAINING__GAMMA: training.gamma: 2"), "{message}");
    let with_variable = |name: &str| {
        let environment = vec![(name.to_owned(), "0.5".to_owned())];
        Config::load(&Sources { environment, ..Sources::default() })
    };
    let message = with_variable("KEISEI_TRAINING__GAMMA").unwrap_err().to_string();
    assert!(message.contains("KEISEI_TRAINING__GAMMA: settings are named KEISEI__"), "{message}");
    assert!(with_variable("KEISEI_PYTHON").is_ok(), "which names an interpreter for tests");
}

#[test]
fn settings_that_do_not_go_together_are_refused() {
    let cases = [
        (&["training.minibatch_size=100"][..], "2048 is not a multiple of"),
        (&["env.min_moves_per_game=501"], "env.min_moves_per_game = 501 is above"),
        (&["rewind.share=0.95"], "is above 1"),
        (&["rewind.depth=31"], "rewind.depth = 31 is above"),
        (
            &["training.teacher=search", "opponents.share=0.2"],
            "opponents.share = 0.2: a teacher plays both sides",
        ),
        (&["evaluation.eval_games=3"], "is odd"),
        (&["env.game=chess", "env.mirror=true"], "mirror"),
        (&["env.move_count_plane=true"], "no such plane"),
        (&["training.distributed=true"], "one process learns"),
        (&["demo.enabled=true"], "keisei play --black human --white net:FILE"),
        (&["demo.enabled=true", "demo.interactive=false"], "--black net:FILE --white net:FILE"),
    ];
    for (overrides, expected) in cases {
        let message = with_overrides(overrides).unwrap_err();
        assert!(message.contains(expected), "{overrides:?}: {message}");
    }
}

#[test]
fn every_preset_loads_and_has_a_file_of_its_name() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let mut names: Vec<_> = PRESETS.iter().map(|&(name, _)| name.to_owned()).collect();
    files.sort();
    names.sort();
    assert_eq!(files, names);
    for name in names {
        let config = preset(&name);
        let env = &config.env;
        let (planes, actions) = (env.input_channels, env.action_space_size);
        with_game!(env.game, G => check_sizes_of::<G>(planes, actions)).unwrap();
    }
}

#[test]
fn the_document_preset_has_the_numbers_of_the_document() {
    let (document, defaults) = (preset("document"), Config::default());
    let training = &document.training;
    assert_eq!(
        training,
        &keisei_train::config::Training { bootstrap_cut_games: false, ..defaults.training }
    );
    assert_eq!(document.evaluation, defaults.evaluation);
    assert_eq!(NetConfig::from(&document.network), NetConfig::document());
    assert_eq!(NetConfig::from(&defaults.network), NetConfig::default());
    assert!(!document.rewind.enabled && document.opponents.share == 0.0);
}

#[test]
fn a_resolved_configuration_reads_back_as_itself() {
    for &(name, _) in PRESETS {
        let config = preset(name);
        assert_eq!(from_file("resolved.toml", &config.to_toml()).as_ref(), Ok(&config), "{name}");
    }
    let odd = ["wandb.notes=a \"quoted\"\\n note", "env.seed=18446744073709551615"];
    let odd = with_overrides(&odd).unwrap();
    assert_eq!(odd.env.seed, Some(u64::MAX));
    assert_eq!(from_file("resolved.toml", &odd.to_toml()), Ok(odd));
}

#[test]
fn the_help_explains_every_setting_and_is_true() {
    let everything = Config::explain(None).unwrap();
    let defaults: toml::Table = toml::from_str(&Config::default().to_toml()).unwrap();
    let mut count = 0;
    for (section, settings) in &defaults {
        for (name, value) in settings.as_table().unwrap() {
            let key = format!("{section}.{name}");
            let text = Config::explain(Some(&key)).unwrap();
            assert!(text.starts_with(&format!("{key} = {value}   (")), "{text}");
            let meaning = text.lines().nth(1).unwrap_or_default();
            assert!(meaning.trim().len() > 10, "{key} has no meaning: {text}");
            assert!(everything.contains(&text), "{key} is missing from the whole");
            // The default that the help names is one that is accepted.
            assert_eq!(with_overrides(&[&format!("{key}={value}")]), Ok(Config::default()));
            count += 1;
        }
    }
    assert!(count > 60, "{count}");
    assert!(Config::explain(Some("env.seed")).unwrap().starts_with("env.seed = none   ("));
    assert!(Config::explain(Some("rewind")).unwrap().starts_with("[rewind]\n"));
    assert!(Config::explain(Some("rewind.nothing")).is_err());
    assert!(Config::explain(Some("everything")).is_err());
}

#[test]
fn limits_in_the_help_are_the_limits_that_hold() {
    let outside = |limits| match limits {
        Limits::Any => None,
        Limits::Between(low, high) => Some([low - 1.0, high + 1.0]),
        Limits::AtLeast(low) => Some([low - 1.0, f64::INFINITY]),
        Limits::Above(low) => Some([low, f64::NEG_INFINITY]),
        Limits::OneOf(_) => Some([0.0, 1.0]),
    };
    let mut limited = 0;
    for (section, settings) in Config::settings() {
        for setting in settings {
            let Some(values) = outside(setting.limits) else { continue };
            for value in values {
                let key = format!("{section}.{}", setting.name);
                let message = with_overrides(&[&format!("{key}={value}")]).unwrap_err();
                assert!(message.contains(&key), "{message}");
            }
            limited += 1;
        }
    }
    assert!(limited > 40, "{limited}");
}
