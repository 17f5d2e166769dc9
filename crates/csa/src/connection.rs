//! A line to a server: what it says arrives on a channel, and silence is broken in time.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// No line of the protocol is nearly as long.
const LONGEST_LINE: u64 = 64 << 10;

/// What arrives.
pub(crate) enum Incoming {
    /// A line without its end.
    Line(String),
    /// The other end has left, or the network failed.
    Closed(String),
    /// Somebody on this side wants attention.
    Woken,
}

pub(crate) struct Connection {
    stream: TcpStream,
    incoming: Receiver<Incoming>,
    waker: Sender<Incoming>,
    keep_alive: Duration,
    last_sent: Instant,
}

impl Connection {
    /// Connects to `server`, a name with a port.
    pub(crate) fn open(server: &str, keep_alive: Duration) -> io::Result<Self> {
        let stream = TcpStream::connect(server)?;
        stream.set_nodelay(true)?;
        let (waker, incoming) = channel();
        let (reader, lines) = (BufReader::new(stream.try_clone()?), waker.clone());
        thread::spawn(move || read_lines(reader, &lines));
        Ok(Self { stream, incoming, waker, keep_alive, last_sent: Instant::now() })
    }

    /// Sends one line.
    pub(crate) fn send(&mut self, line: &str) -> io::Result<()> {
        self.stream.write_all(format!("{line}\n").as_bytes())?;
        self.last_sent = Instant::now();
        Ok(())
    }

    /// Waits at most `limit` for something to arrive. After a long silence of ours it sends an
    /// empty line.
    pub(crate) fn wait(&mut self, limit: Duration) -> io::Result<Option<Incoming>> {
        if self.last_sent.elapsed() >= self.keep_alive {
            self.send("")?;
        }
        match self.incoming.recv_timeout(limit) {
            Ok(incoming) => Ok(Some(incoming)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => unreachable!("this end keeps a sender"),
        }
    }

    /// What ends a wait from another thread.
    pub(crate) fn waker(&self) -> impl FnOnce() + Send + use<> {
        let waker = self.waker.clone();
        move || {
            // Nobody waits any more once the connection is gone.
            let _ = waker.send(Incoming::Woken);
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The reader's thread ends with the stream.
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
    }
}

fn read_lines(mut reader: BufReader<TcpStream>, lines: &Sender<Incoming>) {
    let reason = loop {
        let mut bytes = Vec::new();
        match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Err(error) => break error.to_string(),
            Ok(_) if !bytes.ends_with(b"\n") => {
                break "the server closed the connection".to_owned();
            }
            Ok(_) => {
                let line =
                    String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned();
                if lines.send(Incoming::Line(line)).is_err() {
                    return;
                }
            }
        }
    };
    let _ = lines.send(Incoming::Closed(reason));
}
