//! The whole of training: play, learn, tell, evaluate, save; and again.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use keisei_encode::Actions;

use crate::session::Session;
use crate::trainer::TrainError;

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It reached its last move or minute.
    Finished,
    /// It was asked to stop from outside.
    Interrupted,
    /// A callback asked it to stop, for this reason.
    Stopped(String),
}

impl<A: Actions> Session<A> {
    /// Trains until the run is finished, `stop` is set or a callback asks for the end. Whatever the
    /// end, the last state is saved.
    pub fn train(&mut self, stop: &AtomicBool) -> Result<End, TrainError> {
        let end = loop {
            if let Some(end) = self.agree(stop) {
                break end;
            }
            let start = Instant::now();
            self.tell_start();
            let collected = self.trainer.collect();
            self.tell_scene();
            let learned = self.trainer.learn(&collected)?;
            self.note(&collected, &learned);
            let goes_on = !self.recover(&learned)?;
            if goes_on {
                self.evaluate_if_due();
            }
            self.trainer.add_time(start.elapsed());
            if goes_on {
                self.save_if_due()?;
            }
        };
        self.save_if_changed()?;
        if end == End::Finished {
            self.mark_finished()?;
        }
        Ok(end)
    }
}
