//! The conversation with a server, from login to logout.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use keisei_engine::{Answer, Player, PlayerError, Report, Signal};
use keisei_game::Game;
use keisei_records::Record;
use keisei_shogi::{Move, Shogi};

use crate::connection::{Connection, Incoming};
use crate::seat::{Finished, Heard, Seat, Verdict};
use crate::summary::{GameSummary, SummaryError, SummaryReader};

/// How often a wait looks whether it should end.
const TICK: Duration = Duration::from_millis(100);
/// How long a server may take to answer what it answers at once.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a logout may take: it is only good manners.
const FAREWELL: Duration = Duration::from_secs(3);
/// How long to keep silent after the last move of a game with a limit, for the server to end it.
/// A server that counts otherwise than we do gets our move after that.
const LIMIT: Duration = Duration::from_secs(1);

/// Where to play, as whom, and how.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The server's name with its port.
    pub server: String,
    /// The name to log in with.
    pub name: String,
    /// The password. Servers such as Floodgate read the kind of game from it.
    pub password: String,
    /// After how many games to log out; `None` for never.
    pub games: Option<u64>,
    /// After how long a silence of ours an empty line is sent.
    pub keep_alive: Duration,
    /// How often in a row a connection is tried again.
    pub attempts: u32,
    /// How long to wait before the first of those. Every further wait is twice as long.
    pub first_wait: Duration,
    /// How much of a turn is kept back for the way to the server.
    pub margin: Duration,
}

/// What happens on the way.
#[derive(Debug)]
pub enum Event<'a> {
    /// A line was sent. Passwords are hidden.
    Sent(&'a str),
    /// A line was received.
    Received(&'a str),
    /// The connection is lost; it will be tried again after a wait.
    Lost {
        /// Why.
        reason: &'a str,
        /// How long the wait is.
        wait: Duration,
    },
    /// A game begins, or goes on after the connection was lost.
    Begun(&'a GameSummary),
    /// A game broke off with the connection, or because the program is asked to end.
    BrokenOff {
        /// The name by which the server knows the game.
        id: &'a str,
        /// The game so far.
        record: &'a Record<Shogi>,
    },
    /// A game is over.
    Over(&'a Finished),
}

/// The games of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that the server gave no result.
    pub others: u64,
}

impl Tally {
    /// How many games were finished.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws + self.others
    }

    fn add(&mut self, verdict: Verdict) {
        *match verdict {
            Verdict::Win => &mut self.wins,
            Verdict::Loss => &mut self.losses,
            Verdict::Draw => &mut self.draws,
            Verdict::Censored | Verdict::Stopped => &mut self.others,
        } += 1;
    }
}

/// Why a session ends before its time.
#[derive(Debug, thiserror::Error)]
pub enum CsaError {
    /// The connection is gone and does not come back.
    #[error("{server}: {reason}")]
    Lost {
        /// The server.
        server: String,
        /// Why.
        reason: String,
    },
    /// Name or password are not accepted.
    #[error("{server} does not let {name} in: {answer}")]
    Login {
        /// The server.
        server: String,
        /// The name.
        name: String,
        /// What the server said.
        answer: String,
    },
    /// The name or the password cannot be sent.
    #[error("{what} must be one word")]
    NoWord {
        /// Which of them.
        what: &'static str,
    },
    /// The server says something that the protocol does not know at this point.
    #[error("the server said {line:?}: {problem}")]
    Line {
        /// The line.
        line: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The server proposes a game that cannot be played.
    #[error(transparent)]
    Summary(#[from] SummaryError),
    /// The player failed. The game was resigned.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// Logs in, plays as many games as the settings say, and logs out. Once `stop` says so, a game that
/// is being played is resigned at our next turn.
///
/// # Errors
///
/// If the server does not let us in, cannot be reached any more, or breaks the protocol; or if the
/// player fails.
pub fn play(
    settings: &Settings,
    player: &mut dyn Player<Shogi>,
    stop: &(dyn Fn() -> bool + Sync),
    observe: &mut dyn FnMut(&Event<'_>),
) -> Result<Tally, CsaError> {
    for (what, word) in [("the name", &settings.name), ("the password", &settings.password)] {
        if word.is_empty() || word.contains(char::is_whitespace) {
            return Err(CsaError::NoWord { what });
        }
    }
    let mut client =
        Client { settings, player, stop, observe, tally: Tally::default(), unfinished: None };
    let mut failures = 0;
    loop {
        let lost = match client.session(&mut failures) {
            Ok(()) => return Ok(client.tally),
            Err(End::Failed(error)) => return Err(error),
            Err(End::Lost(reason)) => reason,
        };
        failures += 1;
        if failures > settings.attempts || stop() {
            return Err(CsaError::Lost { server: settings.server.clone(), reason: lost });
        }
        let wait = settings.first_wait.saturating_mul(1 << (failures - 1).min(6));
        (client.observe)(&Event::Lost { reason: &lost, wait });
        let begin = Instant::now();
        while begin.elapsed() < wait && !stop() {
            thread::sleep(TICK.min(wait));
        }
    }
}

/// Why a connection is left.
enum End {
    /// It broke, and may be tried again.
    Lost(String),
    /// Trying again would not help.
    Failed(CsaError),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        Self::Lost(error.to_string())
    }
}

impl From<CsaError> for End {
    fn from(error: CsaError) -> Self {
        Self::Failed(error)
    }
}

impl From<SummaryError> for End {
    fn from(error: SummaryError) -> Self {
        Self::Failed(error.into())
    }
}

impl From<PlayerError> for End {
    fn from(error: PlayerError) -> Self {
        Self::Failed(error.into())
    }
}

struct Client<'a> {
    settings: &'a Settings,
    player: &'a mut dyn Player<Shogi>,
    stop: &'a (dyn Fn() -> bool + Sync),
    observe: &'a mut dyn FnMut(&Event<'_>),
    tally: Tally,
    /// A game that broke off with the connection.
    unfinished: Option<(String, Record<Shogi>)>,
}

impl Client<'_> {
    /// One connection, until all games are played or the program is asked to end.
    fn session(&mut self, failures: &mut u32) -> Result<(), End> {
        let settings = self.settings;
        let mut connection = Connection::open(&settings.server, settings.keep_alive)?;
        self.log_in(&mut connection)?;
        *failures = 0;
        while settings.games.is_none_or(|games| self.tally.games() < games) {
            let Some(summary) = self.next_game(&mut connection)? else { break };
            if !self.agree(&mut connection, &summary)? {
                continue;
            }
            self.play_game(&mut connection, summary)?;
        }
        self.log_out(&mut connection)
    }

    fn send(&mut self, connection: &mut Connection, line: &str) -> Result<(), End> {
        (self.observe)(&Event::Sent(line));
        Ok(connection.send(line)?)
    }

    /// The next line that is not empty, or `None` if nothing came for a moment or somebody here
    /// wants attention.
    fn hear(&mut self, connection: &mut Connection) -> Result<Option<String>, End> {
        match connection.wait(TICK)? {
            Some(Incoming::Line(line)) => {
                (self.observe)(&Event::Received(&line));
                Ok(Some(line).filter(|line| !line.is_empty()))
            }
            Some(Incoming::Closed(reason)) => Err(End::Lost(reason)),
            Some(Incoming::Woken) | None => Ok(None),
        }
    }

    /// The first line that `wanted` takes, of those that come while the server has to answer.
    fn expect<T>(
        &mut self,
        connection: &mut Connection,
        patience: Duration,
        mut wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, End> {
        let begin = Instant::now();
        while begin.elapsed() < patience {
            if let Some(line) = self.hear(connection)?
                && let Some(found) = wanted(&line)
            {
                return Ok(found);
            }
        }
        Err(End::Lost(format!("the server was silent for {} s", patience.as_secs())))
    }

    fn log_in(&mut self, connection: &mut Connection) -> Result<(), End> {
        let Settings { server, name, password, .. } = self.settings;
        (self.observe)(&Event::Sent(&format!("LOGIN {name} *****")));
        connection.send(&format!("LOGIN {name} {password}"))?;
        let answer = self.expect(connection, PATIENCE, |line| {
            line.strip_prefix("LOGIN:").map(|answer| answer.trim().to_owned())
        })?;
        if answer != format!("{name} OK") {
            let (server, name) = (server.clone(), name.clone());
            return Err(CsaError::Login { server, name, answer }.into());
        }
        Ok(())
    }

    fn log_out(&mut self, connection: &mut Connection) -> Result<(), End> {
        self.send(connection, "LOGOUT")?;
        let completed = |line: &str| line.starts_with("LOGOUT:").then_some(());
        // Whether the server says goodbye or just leaves is all the same now.
        let _ = self.expect(connection, FAREWELL, completed);
        Ok(())
    }

    /// The next game that the server proposes, however long that takes; `None` if the program is
    /// asked to end.
    fn next_game(&mut self, connection: &mut Connection) -> Result<Option<GameSummary>, End> {
        let mut reader: Option<SummaryReader> = None;
        loop {
            let line = self.hear(connection)?;
            match (&mut reader, line) {
                (None, _) if (self.stop)() => return Ok(None),
                (None, Some(line)) if line == "BEGIN Game_Summary" => {
                    reader = Some(SummaryReader::default());
                }
                (Some(reader), Some(line)) => {
                    if let Some(summary) = reader.read(&line) {
                        return Ok(Some(summary?));
                    }
                }
                _ => {}
            }
        }
    }

    /// Agrees to a game; whether it begins.
    fn agree(&mut self, connection: &mut Connection, summary: &GameSummary) -> Result<bool, End> {
        let answer = if (self.stop)() { "REJECT" } else { "AGREE" };
        self.send(connection, &format!("{answer} {}", summary.id))?;
        // The other player may take as long as it likes.
        loop {
            match self.hear(connection)? {
                Some(line) if line.starts_with("START:") => return Ok(true),
                Some(line) if line.starts_with("REJECT:") => return Ok(false),
                None if answer == "AGREE" && (self.stop)() => {
                    self.send(connection, &format!("REJECT {}", summary.id))?;
                    return Ok(false);
                }
                _ => {}
            }
        }
    }

    fn play_game(&mut self, connection: &mut Connection, summary: GameSummary) -> Result<(), End> {
        (self.observe)(&Event::Begun(&summary));
        let mut seat = Seat::new(summary);
        match self.unfinished.take() {
            Some((id, before)) if id == seat.summary.id => seat.remember(&before),
            _ => self.player.new_game()?,
        }
        match self.play_to_end(connection, &mut seat) {
            Ok(verdict) => {
                let finished = seat.finish(verdict);
                self.tally.add(verdict);
                (self.observe)(&Event::Over(&finished));
                Ok(())
            }
            Err(end) => {
                let id = seat.summary.id.clone();
                let known = seat.record().clone();
                (self.observe)(&Event::BrokenOff { id: &id, record: &seat.break_off() });
                self.unfinished = Some((id, known));
                Err(end)
            }
        }
    }

    fn play_to_end(
        &mut self,
        connection: &mut Connection,
        seat: &mut Seat,
    ) -> Result<Verdict, End> {
        // What we said last has to be confirmed before we speak again.
        let mut spoken = false;
        let mut moved = Instant::now();
        loop {
            let ends = seat.is_at_limit() && moved.elapsed() < LIMIT;
            if !spoken && seat.is_our_turn() && !ends {
                if seat.game().outcome().is_none() {
                    match self.take_turn(connection, seat)? {
                        Turn::Line(line) => self.send(connection, &line)?,
                        Turn::Over(verdict) => return Ok(verdict),
                    }
                    spoken = true;
                } else if !seat.game().position().has_legal_moves() {
                    self.send(connection, "%TORYO")?;
                    spoken = true;
                }
            }
            let Some(line) = self.hear(connection)? else { continue };
            match understand(seat, &line)? {
                Heard::Nothing => {}
                Heard::Move => (spoken, moved) = (false, Instant::now()),
                Heard::Over(verdict) => return Ok(verdict),
            }
        }
    }

    /// Lets the player think, while the server may still end the game.
    fn take_turn(&mut self, connection: &mut Connection, seat: &mut Seat) -> Result<Turn, End> {
        if (self.stop)() {
            return Ok(Turn::Line("%TORYO".to_owned()));
        }
        let limits = seat.limits(self.settings.margin);
        let (signal, mut last) = (Signal::new(), None);
        let mut over: Option<Result<Verdict, End>> = None;
        let answer = {
            let Self { player, stop, observe, .. } = self;
            let (game, last) = (seat.game().clone(), &mut last);
            let (wake, thinks) = (connection.waker(), signal.clone());
            thread::scope(|scope| {
                let thinker = scope.spawn(move || {
                    let mut report = |report: &Report<Move>| {
                        // Of several lines the first is what the player means to play.
                        if report.line <= 1 {
                            *last = Some(report.clone());
                        }
                    };
                    let answer = player.think(&game, &limits, &thinks, &mut report);
                    wake();
                    answer
                });
                while !thinker.is_finished() {
                    let heard = match connection.wait(TICK) {
                        Ok(Some(Incoming::Line(line))) => {
                            observe(&Event::Received(&line));
                            understand(seat, &line)
                        }
                        Ok(Some(Incoming::Closed(reason))) => Err(End::Lost(reason)),
                        Ok(Some(Incoming::Woken)) => break,
                        Ok(None) => Ok(Heard::Nothing),
                        Err(error) => Err(error.into()),
                    };
                    match heard {
                        Ok(Heard::Over(verdict)) => over = Some(Ok(verdict)),
                        Ok(Heard::Nothing | Heard::Move) => {}
                        Err(end) => over = Some(Err(end)),
                    }
                    if over.is_some() || stop() {
                        signal.stop();
                    }
                    if over.is_some() {
                        break;
                    }
                }
                thinker.join().expect("a player that fails says so")
            })
        };
        match over {
            Some(Ok(verdict)) => return Ok(Turn::Over(verdict)),
            Some(Err(end)) => return Err(end),
            None => {}
        }
        let line = match answer {
            Err(error) => {
                self.send(connection, "%TORYO")?;
                return Err(error.into());
            }
            Ok(_) if (self.stop)() => "%TORYO".to_owned(),
            Ok(Answer::Resign) => "%TORYO".to_owned(),
            Ok(Answer::Win) => "%KACHI".to_owned(),
            Ok(Answer::Play { mv, .. }) => seat.move_line(mv, last.as_ref()),
        };
        Ok(Turn::Line(line))
    }
}

/// What came of our turn.
enum Turn {
    /// A line to be sent.
    Line(String),
    /// The server ended the game meanwhile.
    Over(Verdict),
}

fn understand(seat: &mut Seat, line: &str) -> Result<Heard, End> {
    seat.hear(line).map_err(|error| {
        End::Failed(CsaError::Line { line: line.to_owned(), problem: error.to_string() })
    })
}
