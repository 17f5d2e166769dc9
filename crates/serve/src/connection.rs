//! Connections: how many there are, and what becomes of a client that does not take its answers.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::{Instant, Sleep, sleep};

/// Counts of something that clients have open.
#[derive(Clone, Debug)]
pub(crate) struct Places(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    most: usize,
    most_per_client: usize,
    taken: Mutex<HashMap<IpAddr, usize>>,
    freed: Notify,
}

impl Places {
    pub(crate) fn new(most: usize, most_per_client: usize) -> Self {
        let (taken, freed) = (Mutex::default(), Notify::new());
        Self(Arc::new(Shared { most, most_per_client, taken, freed }))
    }

    /// A place for `client`, if it may have one more.
    pub(crate) fn take(&self, client: IpAddr) -> Option<Place> {
        let mut taken = self.0.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = taken.values().sum();
        let own = taken.get(&client).copied().unwrap_or(0);
        if all >= self.0.most || own >= self.0.most_per_client {
            return None;
        }
        taken.insert(client, own + 1);
        Some(Place { places: self.clone(), client })
    }

    /// Waits until all places are free.
    pub(crate) async fn all_free(&self) {
        loop {
            let freed = self.0.freed.notified();
            if self.0.taken.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
                return;
            }
            freed.await;
        }
    }
}

/// A place that is free again once this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    places: Places,
    client: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let shared = &self.places.0;
        let mut taken = shared.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.client);
            }
        }
        drop(taken);
        shared.freed.notify_waiters();
    }
}

/// A connection that is given up when the other side takes nothing for too long. It keeps its
/// place, also when it has become a WebSocket.
pub(crate) struct Connection<S> {
    stream: S,
    patience: Duration,
    /// Runs while the other side takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    _place: Place,
}

impl<S> Connection<S> {
    pub(crate) fn new(stream: S, patience: Duration, place: Place) -> Self {
        Self { stream, patience, stalled: None, _place: place }
    }

    /// Passes `progress` on, unless there has been none for too long.
    fn watch<T>(
        &mut self,
        cx: &mut Context<'_>,
        progress: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if progress.is_ready() {
            self.stalled = None;
            return progress;
        }
        let deadline = Instant::now() + self.patience;
        let stalled = self.stalled.get_or_insert_with(|| {
            let mut sleep = Box::pin(sleep(Duration::ZERO));
            sleep.as_mut().reset(deadline);
            sleep
        });
        ready!(stalled.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let progress = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch(cx, progress)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let progress = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.watch(cx, progress)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use tokio::io::AsyncWriteExt;

    #[test]
    fn places_are_counted_for_each_client_and_altogether() {
        let places = Places::new(3, 2);
        let [a, b] = [1, 2].map(|last| IpAddr::from(Ipv4Addr::new(10, 0, 0, last)));
        let first = places.take(a).unwrap();
        let _second = places.take(a).unwrap();
        assert!(places.take(a).is_none(), "two a client");
        let _third = places.take(b).unwrap();
        assert!(places.take(b).is_none(), "three altogether");
        drop(first);
        assert!(places.take(b).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_takes_nothing_is_given_up() {
        let place = Places::new(1, 1).take(Ipv4Addr::LOCALHOST.into()).unwrap();
        let (near, _far) = tokio::io::duplex(8);
        let mut connection = Connection::new(near, Duration::from_secs(30), place);
        let error = connection.write_all(&[0; 64]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
