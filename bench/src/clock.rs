//! The processor time of this thread: what other processes do does not count.

use std::time::Duration;

/// How much processor time `work` took, and what it gave.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = thread_time();
    let value = work();
    (thread_time() - start, value)
}

#[allow(unsafe_code, reason = "the standard library has no clock of a thread's processor time")]
fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid place for the one value that the call writes.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "this system has a clock of a thread's processor time");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_and_sleep_takes_none() {
        let (work, sum) =
            timed(|| (0..3_000_000_u64).fold(0, |sum, n| std::hint::black_box(sum ^ n)));
        let (sleep, ()) = timed(|| std::thread::sleep(Duration::from_millis(50)));
        assert!(work > Duration::ZERO && sum < 1 << 22);
        assert!(sleep < Duration::from_millis(40), "{sleep:?}");
    }
}
