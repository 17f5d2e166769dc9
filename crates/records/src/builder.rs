//! Building a record while a file is read.

use std::cell::Cell;

use keisei_game::Position;

use crate::{Ending, NodeId, Notes, Problem, Record, Recorded, Step};

/// How much a reader takes from one file, against hostile ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The bytes of the file.
    pub bytes: usize,
    /// The moves, endings and headers of all its records together. A record counts for eight more.
    pub nodes: usize,
    /// The moves of one line.
    pub plies: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 64 << 20, nodes: 1_000_000, plies: 10_000 }
    }
}

/// What is left of the limits of a file.
pub(crate) struct Budget {
    nodes: Cell<usize>,
    limits: Limits,
}

impl Budget {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { nodes: Cell::new(limits.nodes), limits }
    }

    /// Counts a move, an ending or a header.
    pub(crate) fn spend(&self) -> Result<(), Problem> {
        self.take(1)
    }

    /// Counts a record of a file that may hold many.
    pub(crate) fn spend_record(&self) -> Result<(), Problem> {
        self.take(8)
    }

    fn take(&self, count: usize) -> Result<(), Problem> {
        let problem = Problem::Limit { limit: self.limits.nodes, what: "moves in a file" };
        self.nodes.set(self.nodes.get().checked_sub(count).ok_or(problem)?);
        Ok(())
    }
}

/// A record under construction, with the line that is being read.
pub(crate) struct Builder<'a, G: Recorded> {
    record: Record<G>,
    /// The nodes and positions of the current line, from the start to its last move.
    path: Vec<(NodeId, G::Position)>,
    /// The node that was read last: the last of the path, or an ending after it.
    tip: NodeId,
    /// Comment lines about the tip that were not looked into yet.
    remarks: CommentLines,
    budget: &'a Budget,
}

/// A line that was left for a variation of its last move.
pub(crate) struct Saved<G: Recorded> {
    ply: usize,
    tip: NodeId,
    step: (NodeId, G::Position),
}

impl<'a, G: Recorded> Builder<'a, G> {
    pub(crate) fn new(start: G::Position, budget: &'a Budget) -> Self {
        Self {
            record: Record::from_position(start.clone()),
            path: vec![(NodeId::ROOT, start)],
            tip: NodeId::ROOT,
            remarks: CommentLines::default(),
            budget,
        }
    }

    /// The position at the end of the current line.
    pub(crate) fn position(&self) -> &G::Position {
        &self.path[self.path.len() - 1].1
    }

    /// The moves of the current line.
    pub(crate) fn ply(&self) -> usize {
        self.path.len() - 1
    }

    /// The last move of the current line.
    pub(crate) fn last_move(&self) -> Option<G::Move> {
        self.record.node(self.path[self.path.len() - 1].0).mv()
    }

    /// The ending that was just read, if one was.
    pub(crate) fn ended(&self) -> Option<Ending> {
        self.record.node(self.tip).ending()
    }

    pub(crate) fn headers(&mut self) -> &mut crate::Headers {
        &mut self.record.headers
    }

    /// The notes of what was read last.
    pub(crate) fn notes(&mut self) -> &mut Notes<G::Move> {
        self.record.notes_mut(self.tip)
    }

    /// Adds a header.
    pub(crate) fn header(&mut self, key: &str, value: &str) -> Result<(), Problem> {
        self.budget.spend()?;
        self.record.headers.push(key, value);
        Ok(())
    }

    /// Adds a comment line about what was read last. Evaluations in it are found later.
    pub(crate) fn remark(&mut self, line: &str) {
        self.remarks.add(line);
    }

    /// Plays a move at the end of the current line.
    pub(crate) fn play(&mut self, mv: G::Move) -> Result<(), Problem> {
        self.settle();
        if let Some(ending) = self.ended() {
            return Err(Problem::AfterEnd(ending));
        }
        let ply = self.ply() + 1;
        G::check(self.position(), mv)
            .map_err(|rule| Problem::Illegal { ply, rule: rule.to_string() })?;
        let limit = self.budget.limits.plies;
        if ply > limit {
            return Err(Problem::Limit { limit, what: "moves in a line" });
        }
        self.budget.spend()?;
        let mut position = self.position().clone();
        position.play_unchecked(mv);
        self.tip = self.record.add(self.tip, Step::Move(mv));
        self.path.push((self.tip, position));
        Ok(())
    }

    /// Ends the current line. Some programs say so twice.
    pub(crate) fn end(&mut self, ending: Ending) -> Result<(), Problem> {
        self.settle();
        match self.ended() {
            Some(before) if before == ending => return Ok(()),
            Some(before) => return Err(Problem::AfterEnd(before)),
            None => {}
        }
        self.budget.spend()?;
        self.tip = self.record.add(self.tip, Step::End(ending));
        Ok(())
    }

    /// Goes back on the current line until it has `ply` moves. False if it has fewer.
    pub(crate) fn go_back(&mut self, ply: usize) -> bool {
        self.settle();
        if ply > self.ply() {
            return false;
        }
        self.path.truncate(ply + 1);
        self.tip = self.path[ply].0;
        true
    }

    /// Takes the last move off the current line, to be put back by [`Builder::come_back`].
    pub(crate) fn step_back(&mut self) -> Option<Saved<G>> {
        self.settle();
        if self.ply() == 0 {
            return None;
        }
        let tip = self.tip;
        let step = self.path.pop()?;
        self.tip = self.path[self.ply()].0;
        Some(Saved { ply: self.ply(), tip, step })
    }

    /// Goes back to where a line was left.
    pub(crate) fn come_back(&mut self, saved: Saved<G>) {
        self.settle();
        self.path.truncate(saved.ply + 1);
        self.path.push(saved.step);
        self.tip = saved.tip;
    }

    /// The record.
    pub(crate) fn finish(mut self) -> Record<G> {
        self.settle();
        self.record
    }

    /// Looks into the comment lines about the tip.
    fn settle(&mut self) {
        if let Some(lines) = self.remarks.take() {
            let position = &self.path[self.path.len() - 1].1;
            G::read_remarks(position, &lines, self.record.notes_mut(self.tip));
        }
    }
}

/// Lines joined by `\n`. No line at all is not the same as one empty line.
#[derive(Clone, Debug, Default)]
pub(crate) struct CommentLines(Option<String>);

impl CommentLines {
    pub(crate) fn add(&mut self, line: &str) {
        match &mut self.0 {
            Some(text) => text.extend(["\n", line]),
            None => self.0 = Some(line.to_owned()),
        }
    }

    /// The lines so far, if there are any; none are left behind.
    pub(crate) fn take(&mut self) -> Option<String> {
        self.0.take()
    }
}
