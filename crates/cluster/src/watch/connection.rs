//! A connection between rank 0 and another rank.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long a greeting may take: it is there at once, or somebody else has called.
const GREETING: Duration = Duration::from_secs(2);
const LONGEST: usize = 1 << 20;

/// What ranks say over the connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// A sign of life.
    Alive,
    /// All ranks have to end, with this message if nobody has said it yet.
    End(String),
    /// The sender's work is done.
    Bye,
}

/// A connection, with what was read of the frame that comes next.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    read: Vec<u8>,
    /// When something was heard last.
    pub(super) heard: Instant,
}

impl Connection {
    fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self { stream, read: Vec::new(), heard: Instant::now() })
    }

    /// Says who calls.
    pub(super) fn greet(mut stream: TcpStream, token: u64, rank: usize) -> io::Result<Self> {
        stream.write_all(&token.to_le_bytes())?;
        stream.write_all(&(rank as u64).to_le_bytes())?;
        stream.set_read_timeout(Some(GREETING))?;
        let mut answer = [0; 8];
        stream.read_exact(&mut answer)?;
        match u64::from_le_bytes(answer) == token {
            true => Self::new(stream),
            false => Err(io::Error::other("somebody else answers")),
        }
    }

    /// The rank that calls, if it is one of ours.
    pub(super) fn accept(mut stream: TcpStream, token: u64) -> Option<(usize, Self)> {
        stream.set_read_timeout(Some(GREETING)).ok()?;
        let mut words = [[0; 8]; 2];
        for word in &mut words {
            stream.read_exact(word).ok()?;
        }
        let [said, rank] = words.map(u64::from_le_bytes);
        if said != token {
            return None;
        }
        stream.write_all(&token.to_le_bytes()).ok()?;
        Some((rank as usize, Self::new(stream).ok()?))
    }

    /// Sends a frame. What does not fit into the connection's buffer means that nobody reads it,
    /// which is noticed by the silence.
    pub(super) fn send(&mut self, frame: &Frame) {
        let (kind, text) = match frame {
            Frame::Alive => (0, ""),
            Frame::End(text) => (1, text.as_str()),
            Frame::Bye => (2, ""),
        };
        let mut bytes = vec![kind];
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        let _ = self.stream.write_all(&bytes);
    }

    /// The frames that have come in, and whether the connection is still open.
    pub(super) fn receive(&mut self) -> (Vec<Frame>, bool) {
        let mut buffer = [0; 1024];
        let open = loop {
            match self.stream.read(&mut buffer) {
                Ok(0) => break false,
                Ok(count) => {
                    self.heard = Instant::now();
                    self.read.extend(&buffer[..count]);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break error.kind() == io::ErrorKind::WouldBlock,
            }
        };
        let mut frames = Vec::new();
        while let Some((frame, length)) = next_frame(&self.read) {
            self.read.drain(..length);
            frames.extend(frame);
        }
        (frames, open)
    }
}

/// The first frame in `bytes` and its length; one of an unknown kind is passed over.
fn next_frame(bytes: &[u8]) -> Option<(Option<Frame>, usize)> {
    let (&kind, rest) = bytes.split_first()?;
    let (length, rest) = rest.split_first_chunk()?;
    let length = (u32::from_le_bytes(*length) as usize).min(LONGEST);
    let text = rest.get(..length)?;
    let frame = match kind {
        0 => Some(Frame::Alive),
        1 => Some(Frame::End(String::from_utf8_lossy(text).into_owned())),
        2 => Some(Frame::Bye),
        _ => None,
    };
    Some((frame, 5 + length))
}
