//! A server of the CSA protocol, version 1.2, for one client at a time: it plays the other side with
//! random moves, keeps the clocks and judges.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use keisei_game::{DeclarationRule, Game, Rules, Side, SplitMix64};
use keisei_records::formats::csa;
use keisei_shogi::Shogi;
use rsshogi_csa::{CsaCommand, GameSummaryReader, parse_line, parse_line_strict};

/// A clock in seconds.
#[derive(Clone, Copy)]
pub(crate) struct Time {
    pub(crate) total: u64,
    pub(crate) byoyomi: u64,
    pub(crate) increment: u64,
}

/// A game that the server will propose.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) client: Side,
    pub(crate) time: Time,
    pub(crate) max_moves: usize,
    /// The start as CSA writes it, with the side to move.
    pub(crate) position: String,
    /// How long the server's side thinks.
    pub(crate) think: Duration,
    /// The connection breaks after this many moves; the game goes on after the next login.
    pub(crate) lose_connection_after: Option<usize>,
    pub(crate) illegal_first_move: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            client: Side::First,
            time: Time { total: 60, byoyomi: 10, increment: 0 },
            max_moves: 256,
            position: "PI\n+".to_owned(),
            think: Duration::ZERO,
            lose_connection_after: None,
            illegal_first_move: false,
        }
    }
}

pub(crate) struct Server {
    address: String,
    transcript: Arc<Mutex<Vec<String>>>,
    thread: JoinHandle<()>,
}

impl Server {
    /// A server on a free port that proposes these games, one after the other.
    pub(crate) fn start(plans: Vec<Plan>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let transcript: Arc<Mutex<Vec<String>>> = Arc::default();
        let lines = Arc::clone(&transcript);
        let thread = thread::spawn(move || {
            let mut games: Vec<_> =
                plans.into_iter().enumerate().map(|(i, plan)| Table::new(i, plan)).collect();
            games.reverse();
            for stream in listener.incoming() {
                let line = Line::new(stream.unwrap(), Arc::clone(&lines));
                if serve(line, &mut games) == Left::ForGood {
                    return;
                }
            }
        });
        Self { address, transcript, thread }
    }

    pub(crate) fn address(&self) -> String {
        self.address.clone()
    }

    /// Every line, those of the client after `> `, once the client has left.
    pub(crate) fn finish(self) -> Vec<String> {
        self.thread.join().expect("the server saw nothing that the protocol forbids");
        std::mem::take(&mut self.transcript.lock().unwrap())
    }
}

#[derive(PartialEq, Eq)]
enum Left {
    ForGood,
    ToReturn,
}

/// What the client does.
enum Said {
    Line(CsaCommand, String),
    Nothing,
    Gone,
}

/// The connection to the client. Both readers must understand everything on it.
struct Line {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
    partial: String,
    transcript: Arc<Mutex<Vec<String>>>,
    /// A summary that is being sent.
    summary: Option<GameSummaryReader>,
}

impl Line {
    fn new(stream: TcpStream, transcript: Arc<Mutex<Vec<String>>>) -> Self {
        stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let reader = BufReader::new(stream.try_clone().unwrap());
        Self { stream, reader, partial: String::new(), transcript, summary: None }
    }

    fn say(&mut self, line: &str) {
        if line == "BEGIN Game_Summary" {
            self.summary = Some(GameSummaryReader::new());
        }
        match &mut self.summary {
            Some(reader) => {
                let read = reader.feed(line).expect("the second reader reads the summary");
                if let Some(summary) = read {
                    assert!(summary.game_id.is_some() && summary.your_turn.is_some());
                    self.summary = None;
                }
            }
            None => drop(parse_line(line).expect("the second reader reads the server's line")),
        }
        self.transcript.lock().unwrap().push(format!("< {line}"));
        // A client may leave without a word.
        let _ = self.stream.write_all(format!("{line}\n").as_bytes());
    }

    fn hear(&mut self) -> Said {
        match self.reader.read_line(&mut self.partial) {
            Ok(0) => return Said::Gone,
            Ok(_) if self.partial.ends_with('\n') => {}
            Ok(_) => return Said::Nothing,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Said::Nothing;
            }
            Err(_) => return Said::Gone,
        }
        let line = std::mem::take(&mut self.partial).trim_end_matches('\n').to_owned();
        self.transcript.lock().unwrap().push(format!("> {line}"));
        let command = parse_line_strict(&line).expect("the second reader reads the client's line");
        if command == CsaCommand::KeepAlive {
            self.say("");
            return Said::Nothing;
        }
        Said::Line(command, line)
    }

    /// The next line of the client, or `None` once it has gone.
    fn wait(&mut self) -> Option<CsaCommand> {
        let begin = Instant::now();
        loop {
            match self.hear() {
                Said::Line(command, _) => return Some(command),
                Said::Gone => return None,
                Said::Nothing => assert!(begin.elapsed().as_secs() < 30, "the client is silent"),
            }
        }
    }
}

/// A game and how it stands.
struct Table {
    id: String,
    plan: Plan,
    game: Shogi,
    /// The moves so far with their times.
    moves: Vec<String>,
    left: [u64; 2],
    rng: SplitMix64,
}

fn serve(mut line: Line, games: &mut Vec<Table>) -> Left {
    match line.wait() {
        Some(CsaCommand::Login { name, password, x1: false }) if password == "secret" => {
            line.say(&format!("LOGIN:{name} OK"));
        }
        Some(CsaCommand::Login { .. }) => {
            line.say("LOGIN:incorrect");
            return Left::ForGood;
        }
        None => return Left::ForGood,
        other => panic!("LOGIN comes first, not {other:?}"),
    }
    while let Some(mut table) = games.pop() {
        match table.play(&mut line) {
            Some(Left::ToReturn) => {
                games.push(table);
                return Left::ToReturn;
            }
            Some(Left::ForGood) => return Left::ForGood,
            None => {}
        }
        // Before the next game the client may leave.
        match line.hear() {
            Said::Line(CsaCommand::Logout, _) => {
                line.say("LOGOUT:completed");
                return Left::ForGood;
            }
            Said::Line(command, _) => panic!("{command:?} between games"),
            Said::Gone => return Left::ForGood,
            Said::Nothing => {}
        }
    }
    match line.wait() {
        Some(CsaCommand::Logout) => line.say("LOGOUT:completed"),
        None => {}
        other => panic!("{other:?} after the last game"),
    }
    Left::ForGood
}

impl Table {
    fn new(number: usize, plan: Plan) -> Self {
        let start = *csa::read(&plan.position).unwrap()[0].start();
        let rules = Rules { declaration: DeclarationRule::Points27, ..Shogi::RULES };
        Self {
            id: format!("test+{number}-0-0F+keisei+server+20261116"),
            game: Shogi::with_rules(start, rules),
            moves: Vec::new(),
            left: [plan.time.total; 2],
            rng: SplitMix64::new(number as u64),
            plan,
        }
    }

    fn propose(&self, line: &mut Line) {
        let sign = |side| if side == Side::First { "+" } else { "-" };
        let Time { total, byoyomi, increment } = self.plan.time;
        let names = match self.plan.client {
            Side::First => ["keisei", "server"],
            Side::Second => ["server", "keisei"],
        };
        let text = format!(
            "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\n\
             Declaration:Jishogi 1.1\nGame_ID:{}\nName+:{}\nName-:{}\nYour_Turn:{}\n\
             Rematch_On_Draw:NO\nTo_Move:{}\nMax_Moves:{}\nBEGIN Time\nTime_Unit:1sec\n\
             Total_Time:{total}\nByoyomi:{byoyomi}\nIncrement:{increment}\n\
             Least_Time_Per_Move:0\nEND Time\nBEGIN Position\n{}\n{}END Position\n\
             END Game_Summary",
            self.id,
            names[0],
            names[1],
            sign(self.plan.client),
            sign(self.game.start().turn().into()),
            self.plan.max_moves,
            self.plan.position,
            self.moves.iter().map(|mv| format!("{mv}\n")).collect::<String>(),
        );
        text.lines().for_each(|text| line.say(text));
    }

    /// Plays to the end, or until the client is gone.
    fn play(&mut self, line: &mut Line) -> Option<Left> {
        self.propose(line);
        match line.wait() {
            Some(CsaCommand::Agree { game_id: Some(id) }) if id == self.id => {}
            Some(CsaCommand::Reject { .. }) => {
                line.say(&format!("REJECT:{} by keisei", self.id));
                return None;
            }
            Some(CsaCommand::Logout) => {
                line.say("LOGOUT:completed");
                return Some(Left::ForGood);
            }
            None => return Some(Left::ForGood),
            other => panic!("{other:?} instead of AGREE"),
        }
        line.say(&format!("START:{}", self.id));
        loop {
            if self.moves.len() >= self.plan.max_moves {
                // A client that cannot wait plays on meanwhile, and is found out after the game.
                thread::sleep(Duration::from_millis(300));
                line.say("#MAX_MOVES");
                line.say("#CENSORED");
                return None;
            }
            if self.plan.lose_connection_after == Some(self.moves.len()) {
                self.plan.lose_connection_after = None;
                let _ = line.stream.shutdown(std::net::Shutdown::Both);
                return Some(Left::ToReturn);
            }
            let ours = self.game.turn() != self.plan.client;
            let over = if ours { self.own_turn(line) } else { self.clients_turn(line) };
            match over {
                Turn::Moved => {}
                Turn::Over => return None,
                Turn::Gone => return Some(Left::ForGood),
            }
        }
    }

    fn own_turn(&mut self, line: &mut Line) -> Turn {
        let begin = Instant::now();
        while begin.elapsed() < self.plan.think {
            match line.hear() {
                Said::Gone => return Turn::Gone,
                Said::Line(command, _) => panic!("{command:?} out of turn"),
                Said::Nothing => {}
            }
        }
        if self.plan.illegal_first_move {
            line.say("+7775FU,T0");
            return Turn::Gone;
        }
        let Some(mv) = self.rng.choose(self.game.position().legal_moves().as_ref()) else {
            line.say("%TORYO,T0");
            line.say("#RESIGN");
            line.say("#WIN");
            return Turn::Over;
        };
        self.make(line, mv, begin.elapsed().as_secs());
        Turn::Moved
    }

    fn clients_turn(&mut self, line: &mut Line) -> Turn {
        let side = self.plan.client as usize;
        let Time { byoyomi, increment, .. } = self.plan.time;
        let allowed = self.left[side] + increment + byoyomi;
        let begin = Instant::now();
        loop {
            let spent = begin.elapsed().as_secs();
            if spent >= allowed.max(1) {
                line.say("#TIME_UP");
                line.say("#LOSE");
                return Turn::Over;
            }
            let (command, text) = match line.hear() {
                Said::Line(command, text) => (command, text),
                Said::Nothing => continue,
                Said::Gone => return Turn::Gone,
            };
            let CsaCommand::Move(played) = command else {
                return self.special(line, &text, spent);
            };
            assert_eq!(played.elapsed, None, "only the server tells times");
            let mv = csa::read_move(self.game.position(), played.csa.as_str())
                .expect("the client plays legal moves");
            if let Some(comment) = &played.comment {
                let mut after = *self.game.position();
                after.play_unchecked(mv);
                csa::read_floodgate(&after, comment).expect("a score and a legal line");
            }
            self.left[side] = (self.left[side] + increment).saturating_sub(spent);
            self.make(line, mv, spent);
            return Turn::Moved;
        }
    }

    fn special(&mut self, line: &mut Line, text: &str, spent: u64) -> Turn {
        line.say(&format!("{text},T{spent}"));
        match text {
            "%TORYO" => {
                line.say("#RESIGN");
                line.say("#LOSE");
            }
            "%KACHI" if self.game.can_declare_win() => {
                line.say("#JISHOGI");
                line.say("#WIN");
            }
            _ => {
                line.say("#ILLEGAL_MOVE");
                line.say("#LOSE");
            }
        }
        Turn::Over
    }

    fn make(&mut self, line: &mut Line, mv: keisei_shogi::Move, spent: u64) {
        let text = format!("{},T{spent}", csa::write_move(self.game.position(), mv));
        self.game.play_unchecked(mv);
        line.say(&text);
        self.moves.push(text);
    }
}

enum Turn {
    Moved,
    Over,
    Gone,
}
