//! The full-screen view of a run.

mod draw;
mod model;

use std::io::{self, BufWriter, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::console::{Console, unpoisoned};
use crate::interrupt::Interrupt;
use draw::{Look, draw};
pub(super) use model::{About, Model, Watcher};

/// How often the screen is drawn while no key is pressed.
const REDRAW_EVERY: Duration = Duration::from_millis(200);

/// How long the painter has to put its brush down. When the terminal is gone, reading its keys may
/// never return; the program ends without it then.
const PATIENCE: Duration = Duration::from_secs(2);

/// The view at work in a thread of its own. Dropping it gives the terminal back.
pub(super) struct View {
    console: Console,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl View {
    /// Takes the screen and shows the model on it as it changes.
    pub(super) fn open(
        console: &Console,
        model: &Arc<Mutex<Model>>,
        stop: &Interrupt,
    ) -> io::Result<Self> {
        console.take_screen()?;
        let over = Arc::new(AtomicBool::new(false));
        let painter = Painter {
            console: console.clone(),
            model: Arc::clone(model),
            stop: stop.clone(),
            over: Arc::clone(&over),
        };
        let thread = thread::spawn(move || painter.run());
        Ok(Self { console: console.clone(), over, thread: Some(thread) })
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        let end = Instant::now() + PATIENCE;
        while self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
            && Instant::now() < end
        {
            thread::sleep(Duration::from_millis(5));
        }
        if let Some(thread) = self.thread.take().filter(JoinHandle::is_finished) {
            // It catches its own panics.
            let _ = thread.join();
        }
        self.console.leave_screen();
    }
}

/// Draws the screen and reads the keys.
struct Painter {
    console: Console,
    model: Arc<Mutex<Model>>,
    stop: Interrupt,
    over: Arc<AtomicBool>,
}

impl Painter {
    /// Paints until the view is over. A view that fails gives the screen back, and the run goes on
    /// with lines.
    fn run(&self) {
        let problem = match catch_unwind(AssertUnwindSafe(|| self.paint())) {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it panicked".to_owned(),
        };
        self.console.leave_screen();
        self.console.say(&format!("the view has ended ({problem}); the run goes on"));
    }

    fn paint(&self) -> io::Result<()> {
        let mut terminal = Terminal::new(CrosstermBackend::new(BufWriter::new(stderr())))?;
        let mut look = Look::default();
        while !self.over.load(Ordering::Relaxed) {
            look.stopping = self.stop.asked();
            let lines = self.console.newest(usize::from(terminal.size()?.height));
            let painted = self.console.draw(|| {
                terminal.draw(|frame| draw(frame, &unpoisoned(&self.model), &lines, look))?;
                Ok(())
            });
            if !painted? {
                break;
            }
            if event::poll(REDRAW_EVERY)?
                && let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
            {
                self.press(key, &mut look);
            }
        }
        Ok(())
    }

    fn press(&self, key: KeyEvent, look: &mut Look) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            // No signal comes of it while the view reads the keys.
            KeyCode::Char('c') if control => self.stop.insist(),
            KeyCode::Char('q') => self.stop.ask(),
            KeyCode::Char('b') => look.board_first = !look.board_first,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
