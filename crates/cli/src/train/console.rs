//! What is said to the person at the terminal: lines on standard error or, while the view has the
//! screen, lines for it to show.

use std::collections::VecDeque;
use std::io::{self, Write, stderr};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::Result;
use keisei_cluster::Watch;
use keisei_train::config::LogLevel;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::cluster::SharedWatch;
use crate::interrupt::Interrupt;

/// How many lines are kept for the view.
const KEPT: usize = 100;
/// How many of them are said again when the view is gone.
const REPEATED: usize = 10;

/// Where lines are said. Clones speak to the same person.
#[derive(Clone, Default)]
pub(super) struct Console(Arc<Shared>);

#[derive(Default)]
struct Shared {
    /// Whether the view has the screen.
    on_screen: AtomicBool,
    /// Held while the screen is drawn, taken or left.
    screen: Mutex<()>,
    lines: Mutex<VecDeque<String>>,
    /// What panics said while the view had the screen.
    panics: Mutex<Vec<String>>,
}

impl Console {
    /// Lets Ctrl-C end the run after the update that is under way, or at once the second time. The
    /// last checkpoint stays.
    pub(super) fn stop_on_interrupt(&self, watch: &SharedWatch) -> Result<Interrupt> {
        let (told, left, watch) = (self.clone(), self.clone(), watch.clone());
        Interrupt::catch(
            move || {
                told.say("stopping after this update; Ctrl-C again stops at once");
                watch.tell(Watch::ask_to_end);
            },
            move || left.leave_screen(),
        )
    }

    /// Says a line.
    pub(super) fn say(&self, line: &str) {
        if !self.on_screen() {
            // A terminal that is gone hears nothing; the run is saved all the same.
            let _ = writeln!(stderr(), "{line}");
            return;
        }
        let mut lines = unpoisoned(&self.0.lines);
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back(line.to_owned());
    }

    /// The newest lines, at most `count`, the oldest of them first.
    pub(super) fn newest(&self, count: usize) -> Vec<String> {
        let lines = unpoisoned(&self.0.lines);
        lines.iter().skip(lines.len().saturating_sub(count)).cloned().collect()
    }

    /// Whether the view has the screen.
    pub(super) fn on_screen(&self) -> bool {
        self.0.on_screen.load(Ordering::Acquire)
    }

    /// Sends what the libraries report to this console, from `level` up.
    pub(super) fn listen(&self, level: LogLevel) {
        let level = match level {
            LogLevel::Error => LevelFilter::ERROR,
            LogLevel::Warn => LevelFilter::WARN,
            LogLevel::Info => LevelFilter::INFO,
            LogLevel::Debug => LevelFilter::DEBUG,
            LogLevel::Trace => LevelFilter::TRACE,
        };
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(level)
            .with_ansi(false)
            .without_time()
            .with_target(false)
            .with_writer(self.clone());
        // Somebody who listens already goes on listening.
        let _ = subscriber.try_init();
    }

    /// Takes the whole screen, until it is left.
    pub(super) fn take_screen(&self) -> io::Result<()> {
        let _held = unpoisoned(&self.0.screen);
        enable_raw_mode()?;
        if let Err(error) = execute!(stderr(), EnterAlternateScreen, Clear(ClearType::All)) {
            disable_raw_mode()?;
            return Err(error);
        }
        self.0.on_screen.store(true, Ordering::Release);
        self.keep_panics();
        Ok(())
    }

    /// Draws, if the screen is still ours.
    pub(super) fn draw(&self, draw: impl FnOnce() -> io::Result<()>) -> io::Result<bool> {
        let _held = unpoisoned(&self.0.screen);
        let ours = self.on_screen();
        if ours {
            draw()?;
        }
        Ok(ours)
    }

    /// Gives the screen back as it was, and says again what was said last.
    pub(super) fn leave_screen(&self) {
        let _held = unpoisoned(&self.0.screen);
        if !self.0.on_screen.swap(false, Ordering::AcqRel) {
            return;
        }
        // A terminal that is gone needs nothing back.
        let _ = disable_raw_mode();
        let _ = execute!(stderr(), LeaveAlternateScreen, Show);
        self.newest(REPEATED).iter().for_each(|line| self.say(line));
        if thread::panicking() {
            unpoisoned(&self.0.panics).iter().for_each(|panic| self.say(panic));
        }
    }

    /// Panics do not write over the view. One that ends the program is told once the screen is
    /// left; others are caught, and told by who caught them.
    fn keep_panics(&self) {
        let console = self.clone();
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if console.on_screen() {
                unpoisoned(&console.0.panics).push(info.to_string());
            } else {
                usual(info);
            }
        }));
    }
}

impl<'a> MakeWriter<'a> for Console {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Whatever is written at once is a line.
impl Write for Console {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.say(String::from_utf8_lossy(bytes).trim_end());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a mutex holds, also after a panic: nothing here is ever half changed.
pub(super) fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
