use super::*;

fn stored(update: u64, score: Option<f64>) -> Stored {
    let header = Header {
        game: "shogi".to_owned(),
        encoding: 1,
        actions: "compact".to_owned(),
        update,
        step: 100 * update,
        score,
    };
    let files =
        [("learner.safetensors", vec![update as u8; 1000]), ("trainer.json", b"{}".to_vec())];
    let files = files.into_iter().map(|(name, content)| (name.to_owned(), content)).collect();
    Stored { header, files }
}

fn checkpoints(folder: &tempfile::TempDir) -> Checkpoints {
    Checkpoints::new(folder.path().join("checkpoints"), &Checkpoint::default())
}

fn updates(checkpoints: &Checkpoints) -> Vec<u64> {
    checkpoints.list().unwrap().iter().filter_map(|path| update_of(path)).collect()
}

#[test]
fn what_was_saved_is_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = checkpoints(&folder);
    assert!(checkpoints.newest().unwrap().is_none());
    for update in [1, 2] {
        let path = checkpoints.save(&stored(update, None)).unwrap();
        assert_eq!(read(&path).unwrap(), stored(update, None));
    }
    assert_eq!(checkpoints.newest().unwrap(), Some(stored(2, None)));
}

#[test]
fn the_last_ones_and_the_best_are_kept_and_the_rest_removed() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = checkpoints(&folder);
    let scores = [0.5, 0.9, 0.9, 0.4, 0.6, 0.6, 0.7, 0.3];
    for (update, score) in scores.into_iter().enumerate() {
        checkpoints.save(&stored(update as u64, Some(score))).unwrap();
    }
    assert_eq!(updates(&checkpoints), [2, 5, 6, 7]);
    let without_best = Checkpoints { keep_best: false, ..checkpoints };
    without_best.save(&stored(8, None)).unwrap();
    assert_eq!(updates(&without_best), [6, 7, 8]);
}

#[test]
fn large_files_are_written_in_parts_where_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let whole = checkpoints(&folder);
    let parted = Checkpoints { part_bytes: 300, ..whole.clone() };
    let mut saved = stored(1, None);
    saved.files.insert("empty".to_owned(), Vec::new());
    saved.files.insert("learner.safetensors".to_owned(), (0..1000).map(|n| n as u8).collect());
    let path = parted.save(&saved).unwrap();
    let size = |name: &str| fs::metadata(path.join(name)).map(|found| found.len()).ok();
    let parts = (1..=5).map(|part| size(&format!("learner.safetensors.part-{part}")));
    assert_eq!(parts.collect::<Vec<_>>(), [Some(300), Some(300), Some(300), Some(100), None]);
    assert_eq!(size("learner.safetensors"), None);
    assert_eq!((size("trainer.json"), size("empty")), (Some(2), Some(0)));
    // Whoever reads need not know how it was written.
    assert_eq!(whole.newest().unwrap(), Some(saved));
    fs::remove_file(path.join("learner.safetensors.part-3")).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert_eq!(error, "the checkpoint is damaged: learner.safetensors.part-3 is missing");
}

#[test]
fn saving_the_same_update_again_replaces_it() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = checkpoints(&folder);
    checkpoints.save(&stored(4, None)).unwrap();
    checkpoints.save(&stored(4, Some(0.5))).unwrap();
    assert_eq!(checkpoints.newest().unwrap(), Some(stored(4, Some(0.5))));
    assert_eq!(updates(&checkpoints), [4]);
}

#[test]
fn every_kind_of_damage_is_noticed_and_the_checkpoint_before_is_used() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 7] = [
        ("cut short", |path| {
            let file = fs::OpenOptions::new().write(true).open(path.join("learner.safetensors"));
            file.unwrap().set_len(500).unwrap();
        }),
        ("one bit changed", |path| {
            let mut content = fs::read(path.join("learner.safetensors")).unwrap();
            content[321] ^= 4;
            fs::write(path.join("learner.safetensors"), content).unwrap();
        }),
        ("made longer", |path| fs::write(path.join("trainer.json"), "{} ").unwrap()),
        ("a file missing", |path| fs::remove_file(path.join("trainer.json")).unwrap()),
        ("no manifest", |path| fs::remove_file(path.join(MANIFEST)).unwrap()),
        ("half a manifest", |path| {
            let text = fs::read_to_string(path.join(MANIFEST)).unwrap();
            fs::write(path.join(MANIFEST), &text[..text.len() / 2]).unwrap();
        }),
        ("another format", |path| {
            let text = fs::read_to_string(path.join(MANIFEST)).unwrap();
            fs::write(path.join(MANIFEST), text.replace("\"format\": 1", "\"format\": 2")).unwrap();
        }),
    ];
    for (name, damage) in damages {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = checkpoints(&folder);
        checkpoints.save(&stored(1, None)).unwrap();
        let path = checkpoints.save(&stored(2, None)).unwrap();
        damage(&path);
        assert!(read(&path).is_err(), "{name}");
        assert_eq!(checkpoints.newest().unwrap(), Some(stored(1, None)), "{name}");
        // A run that fell back saves over the damaged one.
        checkpoints.save(&stored(2, None)).unwrap();
        assert_eq!(checkpoints.newest().unwrap(), Some(stored(2, None)), "{name}");
    }
}

#[test]
fn when_every_checkpoint_is_damaged_the_run_is_not_silently_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = checkpoints(&folder);
    let path = checkpoints.save(&stored(1, None)).unwrap();
    fs::write(path.join("trainer.json"), "").unwrap();
    let message = checkpoints.newest().unwrap_err().to_string();
    assert!(message.contains("trainer.json is not what was written"), "{message}");
}

#[test]
fn a_crash_at_any_point_of_writing_leaves_the_checkpoint_before_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = checkpoints(&folder);
    checkpoints.save(&stored(1, None)).unwrap();
    let whole = checkpoints.save(&stored(2, None)).unwrap();
    let unfinished = checkpoints.folder.join(format!("{UNFINISHED}{PREFIX}0000000002"));
    let order = ["learner.safetensors", "trainer.json", MANIFEST];
    for done in 0..=order.len() {
        // The first files are complete, the next is half written, the name not yet given.
        let _ = fs::remove_dir_all(&unfinished);
        fs::create_dir(&unfinished).unwrap();
        for (number, name) in order.iter().enumerate().take(done + 1) {
            let content = stored(2, None).files.get(*name).cloned();
            let content = content.unwrap_or_else(|| fs::read(whole.join(name)).unwrap_or_default());
            let length = if number < done { content.len() } else { content.len() / 2 };
            fs::write(unfinished.join(name), &content[..length]).unwrap();
        }
        if done == 0 {
            fs::remove_dir_all(&whole).unwrap();
        }
        assert_eq!(checkpoints.newest().unwrap(), Some(stored(1, None)), "after {done} files");
    }
    checkpoints.save(&stored(2, None)).unwrap();
    assert!(!unfinished.exists());
    assert_eq!(checkpoints.newest().unwrap(), Some(stored(2, None)));
}

#[test]
fn an_unwritable_folder_is_named_and_the_checkpoints_before_stay() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let blocked = Checkpoints::new(file.join("checkpoints"), &Checkpoint::default());
    let message = blocked.save(&stored(1, None)).unwrap_err().to_string();
    assert!(message.contains("checkpoints: "), "{message}");
}

#[test]
fn the_hash_is_the_published_one() {
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(sha256(b"abc"), expected);
}
