use super::*;
use crate::Threads;
use std::sync::atomic::{AtomicBool, Ordering};

/// Keeps what is said; its thread stays where it is instead of ending the process.
struct Kept {
    said: Arc<Mutex<Vec<String>>>,
    ended: Arc<AtomicBool>,
}

impl Ending for Kept {
    fn say(&self, message: &str) {
        lock(&self.said).push(message.to_owned());
    }

    fn end(&self) -> ! {
        self.ended.store(true, Ordering::Release);
        loop {
            thread::park();
        }
    }
}

/// What ranks say, and which of them end within eight seconds, when one of them does `work`.
fn said_by(
    size: usize,
    work: impl Fn(usize, Watch) -> Option<Watch> + Sync,
) -> (Vec<String>, usize) {
    let said = Arc::new(Mutex::new(Vec::new()));
    let ended = Threads::run(size, |ranks| {
        let ended = Arc::new(AtomicBool::new(false));
        let kept = Kept { said: Arc::clone(&said), ended: Arc::clone(&ended) };
        let watch = Watch::begin(&*ranks, kept).unwrap();
        watch.set_progress("update 7".to_owned());
        watch.set_hint("go on with: keisei train --run a".to_owned());
        let watch = work(ranks.rank(), watch);
        let begin = Instant::now();
        while !ended.load(Ordering::Acquire) && begin.elapsed() < Duration::from_secs(8) {
            thread::sleep(Duration::from_millis(10));
        }
        // A guard that waits for ever is not waited for.
        watch.into_iter().for_each(std::mem::forget);
        ended.load(Ordering::Acquire)
    });
    let said = lock(&said).clone();
    (said, ended.into_iter().filter(|&ended| ended).count())
}

#[test]
fn a_problem_of_one_rank_ends_all_with_one_message_that_says_who_when_and_how_to_go_on() {
    let (said, ended) = said_by(4, |rank, watch| {
        if rank == 2 {
            let _ = watch.orders.send(Order::Fail("the disk is full".to_owned()));
        }
        Some(watch)
    });
    assert_eq!((said.len(), ended), (1, 4), "{said:?}");
    for part in [
        "rank 2 (process ",
        "): the disk is full (2",
        "UTC, update 7)",
        "all 4 ranks have ended; go on with: keisei train --run a",
    ] {
        assert!(said[0].contains(part), "{said:?}");
    }
}

#[test]
fn a_problem_of_rank_0_ends_all() {
    let (said, ended) = said_by(2, |rank, watch| {
        if rank == 0 {
            let _ = watch.orders.send(Order::Fail("the disk is full".to_owned()));
        }
        Some(watch)
    });
    assert_eq!((said.len(), ended), (1, 2), "{said:?}");
    assert!(said[0].starts_with("rank 0 ("), "{said:?}");
}

#[test]
fn ranks_whose_work_is_done_are_not_missed() {
    let (said, ended) = said_by(3, |rank, watch| {
        thread::sleep(Duration::from_millis(300 * rank as u64));
        watch.finish();
        None
    });
    assert_eq!((said.len(), ended), (0, 0), "{said:?}");
}

#[test]
fn a_rank_alone_has_nobody_to_watch() {
    let (said, ended) = said_by(1, |_, watch| {
        watch.fail("nobody hears this");
        watch.finish();
        None
    });
    assert_eq!((said.len(), ended), (0, 0), "{said:?}");
}

#[test]
fn only_addresses_at_which_rank_0_listens_are_given_to_the_others() {
    let addresses = ["127.0.0.1", "::1", "10.0.0.7", "fe80::1"].map(|text| text.parse().unwrap());
    let given = that_answer(addresses.into_iter());
    assert_eq!(given, [addresses[0], addresses[2]]);
    for address in given.iter().filter(|address| address.is_loopback()) {
        let listener = TcpListener::bind((ANYWHERE, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        assert!(TcpStream::connect((*address, port)).is_ok(), "{address}");
    }
}
