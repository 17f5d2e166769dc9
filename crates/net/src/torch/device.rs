//! Where libtorch computes, and in which numbers.

use rayon::prelude::*;
use tch::kind::Element;
use tch::{Cuda, Device, Kind, Tensor};

use crate::backend::Precision;

/// How many rows one thread brings to the device at most, where there are many.
const ROWS_A_TASK: usize = 8192;

/// Where libtorch computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TorchDevice(pub(super) Device);

impl TorchDevice {
    /// The CPU.
    pub const CPU: Self = Self(Device::Cpu);

    /// The first NVIDIA GPU, if libtorch finds one.
    pub fn gpu() -> Option<Self> {
        Self::gpu_at(0)
    }

    /// The NVIDIA GPU for the process with this place on the machine, if libtorch finds one. If
    /// there are more processes than GPUs, they share them.
    pub fn gpu_at(place: usize) -> Option<Self> {
        let count = if Cuda::is_available() { Cuda::device_count().max(1) as usize } else { 0 };
        let gpu = place.checked_rem(count).map(|number| Self(Device::Cuda(number)));
        if gpu.is_some() {
            // Beside a GPU the CPU only prepares and reads batches, on rayon's threads. Those of
            // libtorch would spin between their small jobs and take the cores away.
            tch::set_num_threads(1);
        }
        gpu
    }

    /// Whether it is a GPU.
    pub fn is_gpu(self) -> bool {
        self.0.is_cuda()
    }

    /// Brings numbers to the device.
    pub(super) fn upload<T: Element>(self, numbers: &[T]) -> Tensor {
        let tensor = Tensor::from_slice(numbers);
        if !self.is_gpu() {
            return tensor;
        }
        // From pinned memory the copy need not be waited for. (The public name warns at each call.)
        tensor.internal_pin_memory(self.0).to_device_(self.0, tensor.kind(), true, false)
    }

    /// Brings the numbers of all rows to the device, one row after the other. All threads help if
    /// there are many: those of a rollout are hundreds of megabytes.
    pub(super) fn upload_rows<'a, R, N>(
        self,
        rows: &'a [R],
        numbers_of: impl Fn(&'a R) -> N + Sync,
    ) -> Tensor
    where
        R: Sync,
        N: ExactSizeIterator<Item: Element>,
    {
        let upload = |rows: &'a [R]| {
            let count = rows.iter().map(|row| numbers_of(row).len()).sum();
            let mut numbers = Vec::with_capacity(count);
            rows.iter().for_each(|row| numbers.extend(numbers_of(row)));
            self.upload(&numbers)
        };
        if rows.len() <= ROWS_A_TASK {
            return upload(rows);
        }
        let parts: Vec<_> = rows.par_chunks(ROWS_A_TASK).map(upload).collect();
        Tensor::cat(&parts, 0)
    }
}

impl Precision {
    /// The numbers of the blocks.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Full => Kind::Float,
            Self::Mixed => Kind::BFloat16,
        }
    }
}

impl TorchDevice {
    /// Brings numbers back from the device through `pinned`, memory that the device can write to
    /// itself, which is made if it is not there yet.
    pub(super) fn download_pinned(
        self,
        tensor: &Tensor,
        pinned: &mut Option<Tensor>,
        numbers: &mut Vec<f32>,
    ) {
        if !self.is_gpu() {
            numbers.clear();
            return download_into(tensor, numbers);
        }
        let host = pinned.get_or_insert_with(|| {
            let host = Tensor::zeros(tensor.size(), (Kind::Float, Device::Cpu));
            host.internal_pin_memory(self.0)
        });
        host.copy_(tensor);
        numbers.resize(tensor.numel(), 0.0);
        host.copy_data(numbers, tensor.numel());
    }
}

/// Brings numbers back from the device.
pub(super) fn download(tensor: &Tensor) -> Vec<f32> {
    let mut numbers = Vec::new();
    download_into(tensor, &mut numbers);
    numbers
}

/// Brings numbers back from the device, to the end of `numbers`.
pub(super) fn download_into(tensor: &Tensor, numbers: &mut Vec<f32>) {
    let (before, count) = (numbers.len(), tensor.numel());
    numbers.resize(before + count, 0.0);
    let tensor = tensor.to_device(Device::Cpu).contiguous();
    tensor.copy_data(&mut numbers[before..], count);
}
