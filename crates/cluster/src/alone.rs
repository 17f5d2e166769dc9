//! A process on its own.

use crate::{Communicator, Traffic};

/// One process, the only rank: nobody is talked to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Communicator for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn place(&self) -> usize {
        0
    }

    fn send(&self, to: usize, _: &[u8]) {
        unreachable!("there is no rank {to}")
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        unreachable!("there is no rank {from}")
    }

    fn exchange(&self, peer: usize, _: &[u8], _: &mut [u8]) {
        unreachable!("there is no rank {peer}")
    }

    fn post(&self, to: usize, _: &[u8]) {
        unreachable!("there is no rank {to}")
    }

    fn poll(&self) -> Option<(usize, Vec<u8>)> {
        None
    }

    fn traffic(&self) -> Traffic {
        Traffic::default()
    }
}
