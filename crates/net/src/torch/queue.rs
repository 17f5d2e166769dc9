//! A device that several threads ask at once.

use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::sys::CUevent_flags::CU_EVENT_BLOCKING_SYNC;
use cudarc::driver::{CudaEvent, CudaStream};
use tch::{Device, Kind, Tensor};

use super::device::TorchDevice;
use super::kernel;

/// The work that threads give a device. Each adds all layers of its batch in one piece and waits for
/// its own answer alone, so that one goes on with the first answer while the device computes the
/// second. Layers that mix, or waits for whatever the device still has to do, would end all at once:
/// then threads and device would work in turns, not together. What brings a batch to the device may
/// come in between: it is short there, and long for the thread that prepares it.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    turn: Arc<Mutex<()>>,
    /// The stream of a GPU, which is libtorch's.
    stream: Option<Arc<CudaStream>>,
}

/// Numbers on their way back from the device.
pub(super) struct Answer {
    numbers: Tensor,
    arrival: Option<CudaEvent>,
}

impl Queue {
    /// That of a device.
    pub(super) fn new(device: TorchDevice) -> Self {
        let stream = match device.0 {
            Device::Cuda(gpu) => kernel::stream(gpu),
            _ => None,
        };
        Self { turn: Arc::default(), stream }
    }

    /// Has the device do `work` and bring back what it gives.
    pub(super) fn ask(&self, work: impl FnOnce() -> Tensor) -> Answer {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let numbers = work();
        let Some(stream) = &self.stream else {
            return Answer { numbers, arrival: None };
        };
        // Into pinned memory, which the device writes to while this thread does something else. (The
        // public name warns at each call.)
        let numbers = numbers.to_device_(Device::Cpu, Kind::Float, true, false);
        let arrival = stream.record_event(Some(CU_EVENT_BLOCKING_SYNC));
        Answer { numbers, arrival: Some(arrival.expect("a GPU that works tells when it is done")) }
    }
}

impl Answer {
    /// The numbers, once they are there.
    pub(super) fn wait(self) -> Tensor {
        if let Some(arrival) = &self.arrival {
            arrival.synchronize().expect("the GPU does what it was asked");
        }
        self.numbers
    }
}
