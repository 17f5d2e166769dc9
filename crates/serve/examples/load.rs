//! How a server bears a long run and many watchers.
//!
//! ```text
//! load write FOLDER [POINTS]           write a run of so many numbers (10 million), as training would
//! load open ADDRESS RUN                how long its curves take, the first time and again
//! load watch ADDRESS RUN COUNT SECONDS [FOLDER]
//!                                      watch a run with so many clients; with its folder, write to it
//!                                      five times a second and tell how late updates are
//! ```
//!
//! `watch` without a folder watches a real run: compare its `charts/SPS` with and without.

#![allow(clippy::print_stdout, reason = "a program for people")]

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use serde_json::{Map, Value};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::connect_async;

type Outcome = Result<(), Box<dyn Error>>;

/// As many as an update of training writes.
const METRICS: usize = 28;
/// The metric that tells when a record was written, in milliseconds.
const WRITTEN: &str = "time/written";

#[tokio::main]
async fn main() -> Outcome {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["write", folder] => write(Path::new(folder), 10_000_000),
        ["write", folder, points] => write(Path::new(folder), points.parse()?),
        ["open", address, run] => open(address, run).await,
        ["watch", address, run, count, seconds] => {
            watch(address, run, count.parse()?, seconds.parse()?, None).await
        }
        ["watch", address, run, count, seconds, folder] => {
            watch(address, run, count.parse()?, seconds.parse()?, Some(Path::new(folder))).await
        }
        _ => Err("say write, open or watch; the file's first lines explain".into()),
    }
}

/// A record that looks like one of training.
fn record(update: u64, written: f64) -> String {
    let mut object = Map::new();
    object.insert("update".to_owned(), update.into());
    object.insert("step".to_owned(), (update * 4096).into());
    object.insert("time/seconds".to_owned(), (update as f64 * 1.5).into());
    object.insert(WRITTEN.to_owned(), written.into());
    let phase = update as f64 / 5000.0;
    for metric in 2..METRICS {
        let value = (phase + metric as f64).sin() + (update * metric as u64 % 97) as f64 / 500.0;
        object.insert(format!("losses/metric_{metric}"), value.into());
    }
    format!("{}\n", Value::Object(object))
}

fn write(folder: &Path, points: usize) -> Outcome {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("config.toml"), "[env]\ngame = \"shogi\"\n")?;
    let mut file = BufWriter::new(File::create(folder.join("metrics.jsonl"))?);
    for update in 0..points.div_ceil(METRICS) as u64 {
        file.write_all(record(update, 0.0).as_bytes())?;
    }
    file.flush()?;
    let bytes = fs::metadata(folder.join("metrics.jsonl"))?.len();
    println!("{points} numbers in {} MB", bytes / 1_000_000);
    Ok(())
}

async fn open(address: &str, run: &str) -> Outcome {
    let whole = format!("/api/runs/{run}/metrics?points=500");
    let zoom = format!("{whole}&from=100000000&to=101000000");
    let log = format!("{whole}&scale=log&x=seconds");
    for (what, path) in [("first", &whole), ("again", &whole), ("zoomed", &zoom), ("log", &log)] {
        let began = Instant::now();
        let mut stream = TcpStream::connect(address).await?;
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        let status = String::from_utf8_lossy(&answer[..answer.len().min(12)]).into_owned();
        println!("{what}: {:?}, {} kB, {status}", began.elapsed(), answer.len() / 1000);
    }
    Ok(())
}

async fn watch(
    address: &str,
    run: &str,
    count: usize,
    seconds: u64,
    folder: Option<&Path>,
) -> Outcome {
    let began = Instant::now();
    let now = move || began.elapsed().as_secs_f64() * 1e3;
    let (tell, mut heard) = mpsc::unbounded_channel();
    let end = Duration::from_secs(seconds);
    for _ in 0..count {
        let address = format!("ws://{address}/api/runs/{run}/live?after=1000000000");
        let (mut socket, _) = connect_async(&address).await?;
        let tell = tell.clone();
        tokio::spawn(async move {
            let mut updates = 0u64;
            let mut delays = Vec::new();
            let listening = async {
                while let Some(Ok(message)) = socket.next().await {
                    let arrived = now();
                    let Ok(text) = message.to_text() else { continue };
                    let Ok(message) = serde_json::from_str::<Value>(text) else { continue };
                    for row in message["rows"].as_array().into_iter().flatten() {
                        updates += 1;
                        delays.extend(row["values"][WRITTEN].as_f64().map(|at| arrived - at));
                    }
                }
            };
            // The end of the time is the end of the watching.
            let _ = timeout(end, listening).await;
            let _ = tell.send((updates, delays));
        });
    }
    drop(tell);
    println!("{count} watchers after {:.1} s", began.elapsed().as_secs_f64());
    if let Some(folder) = folder {
        let mut file = OpenOptions::new().append(true).open(folder.join("metrics.jsonl"))?;
        let until = Instant::now() + end - Duration::from_secs(2).min(end / 2);
        let mut update = 1_000_000;
        while Instant::now() < until {
            update += 1;
            file.write_all(record(update, now()).as_bytes())?;
            sleep(Duration::from_millis(200)).await;
        }
    }
    let (mut updates, mut delays) = (0, Vec::new());
    while let Some((more, late)) = heard.recv().await {
        updates += more;
        delays.extend(late);
    }
    println!("{updates} updates received");
    delays.sort_by(f64::total_cmp);
    if let Some(last) = delays.len().checked_sub(1) {
        let at = |share: f64| delays[(last as f64 * share) as usize];
        println!("delay: median {:.0} ms, p99 {:.0} ms, most {:.0} ms", at(0.5), at(0.99), at(1.0));
    }
    Ok(())
}
