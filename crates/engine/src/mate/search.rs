//! Depth-first proof-number search over checks and answers to checks.

use std::collections::HashSet;
use std::marker::PhantomData;

use keisei_game::{Position, Side};
use web_time::Instant;

use super::table::{INFINITE, Known, Node, Table, UNLIMITED};
use super::{MateRun, Solution, Verdict, after};
use crate::{Arena, Signal};

/// No line of a search without a limit of plies gets longer. What is not decided by then stays
/// undecided.
const LONGEST_LINE: u16 = 600;

/// Says of a refutation that it holds on every line.
const ALWAYS: u16 = u16::MAX;

/// How many positions are visited between two looks at the clock and the signal.
const PATIENCE: u64 = 512;

/// One search for a mate.
pub(super) struct Search<'a, G: Arena> {
    table: &'a mut Table,
    attacker: Side,
    /// The keys of positions that lead nowhere, because they end the game.
    closed: HashSet<u64>,
    nodes: u64,
    last_look: u64,
    node_limit: u64,
    deadline: Option<Instant>,
    plies: Option<u16>,
    any_length: bool,
    signal: &'a Signal,
    stopped: bool,
    /// Asked now and then whether the search shall pause.
    pause: &'a mut dyn FnMut() -> bool,
    paused: bool,
    /// How many positions were visited before this part of the search.
    nodes_before: u64,
    /// Whether a line was left because of its length.
    left_long_line: bool,
    /// The positions before the current one.
    line: Vec<Node>,
    game: PhantomData<G>,
}

/// A move and what is known of the position after it, as the side to move there sees it.
pub(super) struct Child<M> {
    pub(super) mv: M,
    result: Outlook,
}

/// How a position looks to the side to move in it.
#[derive(Clone, Copy)]
pub(super) struct Outlook {
    /// How far the side to move is from its aim: nothing once it is reached. The attacker's aim is
    /// the proof of a mate, the defender's its refutation.
    own: u32,
    /// How far the other side is from its aim.
    other: u32,
    /// For a refutation: the ply of the position whose repetition it rests on.
    since: u16,
    /// For a mate: its plies.
    plies: u16,
}

impl Outlook {
    const fn mate(attacking: bool, plies: u16) -> Self {
        let (own, other) = if attacking { (0, INFINITE) } else { (INFINITE, 0) };
        Self { own, other, since: ALWAYS, plies }
    }

    const fn no_mate(attacking: bool, since: u16) -> Self {
        let (own, other) = if attacking { (INFINITE, 0) } else { (0, INFINITE) };
        Self { own, other, since, plies: 0 }
    }

    const fn open(attacking: bool, proof: u32, disproof: u32) -> Self {
        let (own, other) = if attacking { (proof, disproof) } else { (disproof, proof) };
        Self { own, other, since: ALWAYS, plies: 0 }
    }

    /// The plies of the mate, if it is one.
    pub(super) const fn mate_plies(self, attacking: bool) -> Option<u16> {
        let proof = if attacking { self.own } else { self.other };
        if proof == 0 { Some(self.plies) } else { None }
    }

    pub(super) const fn is_no_mate(self, attacking: bool) -> bool {
        let disproof = if attacking { self.other } else { self.own };
        disproof == 0
    }
}

impl<M> Child<M> {
    /// The plies of the mate after this move, if there is one. `attacking` says who moved.
    pub(super) const fn mate_plies(&self, attacking: bool) -> Option<u16> {
        self.result.mate_plies(!attacking)
    }
}

impl<'a, G: Arena> Search<'a, G> {
    pub(super) fn new(
        table: &'a mut Table,
        run: &MateRun<G>,
        signal: &'a Signal,
        pause: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        Self {
            table,
            attacker: run.root.turn(),
            closed: run.closed.clone(),
            nodes: run.nodes,
            last_look: run.nodes,
            node_limit: run.limits.nodes.unwrap_or(u64::MAX),
            deadline: run.deadline,
            plies: run.limits.plies,
            any_length: run.limits.any_length,
            signal,
            stopped: signal.stopped(),
            pause,
            paused: false,
            nodes_before: run.nodes,
            left_long_line: run.left_long_line,
            line: Vec::new(),
            game: PhantomData,
        }
    }

    /// Looks for a mate, then for shorter ones, and writes the last one down; `None` if it paused
    /// before. What it finds out on the way is remembered by the table, so that it finds its way
    /// back to where it was.
    pub(super) fn solve(mut self, run: &mut MateRun<G>) -> Option<Solution<G::Move>> {
        let verdict = self.decide(run);
        (run.nodes, run.left_long_line) = (self.nodes, self.left_long_line);
        Some(Solution { verdict: verdict?, nodes: self.nodes })
    }

    fn decide(&mut self, run: &mut MateRun<G>) -> Option<Verdict<G::Move>> {
        let root = &run.root;
        if run.found.is_none() {
            let found = match self.plies {
                None | Some(LONGEST_LINE..) => self.visit_root(root, UNLIMITED),
                Some(0) => Outlook::no_mate(true, ALWAYS),
                // The attacker has the last move of a mate.
                Some(plies) => self.visit_root(root, plies - (1 - plies % 2)),
            };
            run.found = found.mate_plies(true);
            if run.found.is_none() {
                let refuted = found.is_no_mate(true) && !self.left_long_line;
                return match refuted {
                    true => Some(Verdict::NoMate),
                    false if self.paused => None,
                    false => Some(Verdict::Unknown),
                };
            }
        }
        let plies = run.found.as_mut()?;
        let shortest = self.shorten(root, plies);
        if self.paused && !shortest {
            return None;
        }
        self.ignore_limits();
        let line = self.best_line(root, *plies, shortest);
        Some(if line.is_empty() {
            // Told to stop when even the first move was no longer remembered.
            Verdict::Unknown
        } else {
            Verdict::Mate { line, within: usize::from(*plies), shortest }
        })
    }

    /// Looks for shorter mates than one of `plies`, which becomes that of the shortest one found.
    /// Whether there is no shorter one.
    fn shorten(&mut self, root: &G::Position, plies: &mut u16) -> bool {
        while *plies > 1 && !self.any_length {
            let found = self.visit_root(root, *plies - 2);
            match found.mate_plies(true) {
                Some(fewer) => *plies = fewer,
                None => return found.is_no_mate(true),
            }
        }
        *plies <= 1
    }

    /// From now on only the signal stops the search.
    fn ignore_limits(&mut self) {
        (self.node_limit, self.deadline, self.nodes_before) = (u64::MAX, None, u64::MAX);
        (self.stopped, self.paused) = (self.signal.stopped(), false);
    }

    pub(super) const fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Decides whether the attacker, who is to move, mates within `plies`.
    pub(super) fn visit_root(&mut self, root: &G::Position, plies: u16) -> Outlook {
        self.line.clear();
        self.visit(root, 0, plies, INFINITE, INFINITE)
    }

    /// Looks at `position`, `ply` moves after the root and with at most `plies` to the mate, until
    /// either side is `own_limit` or `other_limit` away from its aim.
    fn visit(
        &mut self,
        position: &G::Position,
        ply: u16,
        plies: u16,
        own_limit: u32,
        other_limit: u32,
    ) -> Outlook {
        let node = self.node(position);
        let nodes_before = self.nodes;
        self.line.push(node);
        let mut children = self.children(position, ply, plies);
        let outlook = loop {
            let outlook = summary(&children, ply);
            self.look_at_the_clock();
            if outlook.own >= own_limit || outlook.other >= other_limit || self.stopped {
                break outlook;
            }
            let (best, second) = two_best(&children);
            let open = children.iter().filter(|child| child.result.own != 0).count() as u32;
            let own_limit_there = match other_limit {
                INFINITE => INFINITE,
                limit => limit.saturating_sub(open - 1),
            };
            // A child is left only when it gets clearly worse than the next best one, so that the
            // search does not hop between equals.
            let enough = second.saturating_add(second / 4 + 1);
            let next = after::<G>(position, children[best].mv);
            let plies_there = if plies == UNLIMITED { UNLIMITED } else { plies - 1 };
            children[best].result =
                self.visit(&next, ply + 1, plies_there, own_limit_there, own_limit.min(enough));
        };
        self.line.pop();
        self.remember(node, ply, plies, outlook, self.nodes - nodes_before);
        outlook
    }

    /// The moves that count in `position` and what is known after them: one alone if nothing could
    /// be better.
    pub(super) fn children(
        &mut self,
        position: &G::Position,
        ply: u16,
        plies: u16,
    ) -> Vec<Child<G::Move>> {
        let attacking = is_attackers(ply);
        self.left_long_line |= plies == UNLIMITED && ply + 1 >= LONGEST_LINE;
        let moves =
            if attacking { G::checks(position) } else { position.legal_moves().as_ref().to_vec() };
        let mut children = Vec::with_capacity(moves.len());
        for mv in moves {
            self.nodes += 1;
            let result = self.first_look(&after::<G>(position, mv), ply + 1, plies);
            let child = Child { mv, result };
            // Other mates may be shorter, unless this one is there already.
            if result.other == 0 && result.since == ALWAYS && result.plies == 0 {
                return vec![child];
            }
            children.push(child);
        }
        children
    }

    /// What is known of `position` without searching it, where `plies` were left before it.
    fn first_look(&self, position: &G::Position, ply: u16, plies: u16) -> Outlook {
        let attacking = is_attackers(ply);
        let plies = if plies == UNLIMITED { UNLIMITED } else { plies - 1 };
        let node = self.node(position);
        let known = self.table.get(node, plies);
        match known {
            Some(Known::Mate { plies }) => return Outlook::mate(attacking, plies),
            Some(Known::NoMate) => return Outlook::no_mate(attacking, ALWAYS),
            _ => {}
        }
        let answers = if attacking { None } else { Some(position.count_legal_moves() as u32) };
        if answers == Some(0) {
            return Outlook::mate(attacking, 0);
        }
        if plies == 0 || self.closed.contains(&position.key()) {
            return Outlook::no_mate(attacking, ALWAYS);
        }
        if plies == UNLIMITED
            && let Some(since) = self.repeats(node, ply)
        {
            return Outlook::no_mate(attacking, since);
        }
        match known {
            Some(Known::Open { proof, disproof }) => Outlook::open(attacking, proof, disproof),
            _ => Outlook::open(attacking, answers.unwrap_or(1), 1),
        }
    }

    /// The ply at which the current line met this position, or the same board with at least as
    /// much in the attacker's hand: whoever comes back to it has gained nothing. A line that is
    /// too long counts as a return to the root.
    fn repeats(&self, node: Node, ply: u16) -> Option<u16> {
        if ply >= LONGEST_LINE {
            return Some(0);
        }
        let earlier = self.line.iter().enumerate().skip(usize::from(ply % 2)).step_by(2);
        earlier.rev().find(|(_, before)| before.covers(node)).map(|(ply, _)| ply as u16)
    }

    fn remember(&mut self, node: Node, ply: u16, plies: u16, outlook: Outlook, effort: u64) {
        let attacking = is_attackers(ply);
        let (proof, disproof) =
            if attacking { (outlook.own, outlook.other) } else { (outlook.other, outlook.own) };
        let known = match (proof, disproof) {
            (0, _) => Known::Mate { plies: outlook.plies },
            (_, 0) if outlook.since == ALWAYS => Known::NoMate,
            // It holds on this line alone, which only the positions of the line remember.
            (_, 0) => return,
            _ => Known::Open { proof, disproof },
        };
        self.table.put(node, plies, known, effort);
    }

    fn node(&self, position: &G::Position) -> Node {
        // What holds for less in hand need not hold for more where single positions are closed.
        let (key, held) = if self.closed.is_empty() {
            G::held(position, self.attacker)
        } else {
            (position.key(), 0)
        };
        Node { key, held }
    }

    fn look_at_the_clock(&mut self) {
        if self.nodes >= self.node_limit {
            self.stopped = true;
        }
        if self.nodes - self.last_look >= PATIENCE {
            self.last_look = self.nodes;
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.stopped |= late || self.signal.stopped();
            // What is not remembered has to be found again after a pause: parts that grow with the
            // search get on whatever that takes.
            let enough = self.nodes_before.saturating_add(self.nodes_before / 8);
            if !self.stopped && self.nodes >= enough && (self.pause)() {
                (self.stopped, self.paused) = (true, true);
            }
        }
    }
}

/// How a position looks whose moves are `children`.
fn summary<M>(children: &[Child<M>], ply: u16) -> Outlook {
    let attacking = is_attackers(ply);
    let results = || children.iter().map(|child| child.result);
    let won = results().filter(|result| result.other == 0);
    // Of several refutations, the one that depends on least is best: on nothing, or else on the
    // latest position.
    let best = if attacking {
        won.min_by_key(|result| result.plies)
    } else {
        won.max_by_key(|result| result.since)
    };
    if let Some(best) = best {
        return if attacking {
            Outlook::mate(true, best.plies + 1)
        } else {
            Outlook::no_mate(false, unless_own(best.since, ply))
        };
    }
    let open = results().filter(|result| result.own != 0).count() as u32;
    if open == 0 {
        return if attacking {
            let since = results().map(|result| result.since).min().unwrap_or(ALWAYS);
            Outlook::no_mate(true, unless_own(since, ply))
        } else {
            Outlook::mate(false, results().map(|result| result.plies + 1).max().unwrap_or(0))
        };
    }
    // Positions below different moves are often the same, so that a sum would count them twice:
    // the hardest move counts in full and each other one as one.
    let hardest = results().map(|result| result.own).filter(|&own| own < INFINITE).max();
    let own = results().map(|result| result.other).min().unwrap_or(INFINITE);
    let other = (hardest.unwrap_or(1) + open - 1).min(INFINITE - 1);
    Outlook { own: own.min(INFINITE - 1), other, since: ALWAYS, plies: 0 }
}

/// Whether the attacker is to move at `ply`.
const fn is_attackers(ply: u16) -> bool {
    ply.is_multiple_of(2)
}

/// A refutation that rests on a repetition of the position itself, or of one after it, holds
/// always: a shortest mate repeats nothing.
const fn unless_own(since: u16, ply: u16) -> u16 {
    if since >= ply { ALWAYS } else { since }
}

/// The child that is nearest to the aim of the side to move, and how near the next one is.
fn two_best<M>(children: &[Child<M>]) -> (usize, u32) {
    let (mut best, mut nearest, mut second) = (0, u32::MAX, INFINITE);
    for (index, child) in children.iter().enumerate() {
        let distance = child.result.other;
        if distance < nearest {
            (best, nearest, second) = (index, distance, nearest.min(INFINITE));
        } else {
            second = second.min(distance);
        }
    }
    (best, second)
}
