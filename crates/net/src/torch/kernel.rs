//! Kernels of our own: compiled for the GPU at hand, and started on libtorch's stream.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use cudarc::driver::sys::CUdevice_attribute_enum as Attribute;
use cudarc::driver::sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaStream, DriverError, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::{CompileError, CompileOptions, Ptx, compile_ptx_with_opts};
use tch::Tensor;

/// What Hopper GPUs can do, in the numbers of [`Gpu::capability`].
pub(super) const HOPPER: (i32, i32) = (9, 0);

/// And the oldest ones that have kernels.
#[cfg(test)]
pub(super) const AMPERE: (i32, i32) = (8, 0);

/// Why there are no kernels.
#[derive(Debug, thiserror::Error)]
pub(super) enum KernelError {
    #[error("libcuda or libnvrtc is not found on the library path")]
    NoLibrary,
    #[error(transparent)]
    Driver(#[from] DriverError),
    #[error(transparent)]
    Compiler(#[from] CompileError),
}

/// A GPU that kernels are compiled for.
#[derive(Debug)]
pub(super) struct Gpu {
    context: Arc<CudaContext>,
    /// The major and the minor number of what it can.
    capability: (i32, i32),
    pub(super) multiprocessors: usize,
    /// How many bytes a block of threads can share.
    pub(super) shared_memory: usize,
}

/// A compiled kernel.
#[derive(Debug)]
pub(super) struct Kernel {
    function: CudaFunction,
    stream: Arc<CudaStream>,
    threads: usize,
    shared_memory: usize,
}

/// Kernels for GPUs by what they were compiled for, each at the first call.
pub(super) struct Kernels<S, K>(LazyLock<Mutex<Compiled<S, K>>>);

type Compiled<S, K> = HashMap<(usize, S), Option<Arc<K>>>;

impl<S: Clone + Eq + Hash, K> Kernels<S, K> {
    /// None yet.
    pub(super) const fn new() -> Self {
        Self(LazyLock::new(Mutex::default))
    }

    /// The kernels for `shape` and the GPU with this number. Where they cannot be compiled, the log
    /// says so, once, and what happens `otherwise`.
    pub(super) fn of(
        &self,
        gpu: usize,
        shape: S,
        otherwise: &str,
        compile: impl FnOnce(&Gpu, &S) -> Result<K, KernelError>,
    ) -> Option<Arc<K>> {
        let mut compiled = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let compile = || match Gpu::new(gpu).and_then(|gpu| compile(&gpu, &shape)) {
            Ok(kernels) => Some(Arc::new(kernels)),
            Err(error) => {
                tracing::warn!(%error, "{otherwise}");
                None
            }
        };
        compiled.entry((gpu, shape.clone())).or_insert_with(compile).clone()
    }
}

impl Gpu {
    /// The GPU with this number.
    pub(super) fn new(number: usize) -> Result<Self, KernelError> {
        // SAFETY: the libraries are opened and nothing is called in them. Without asking first, a
        // machine that lacks them would end in a panic.
        #[allow(unsafe_code)]
        let present = unsafe {
            cudarc::driver::sys::is_culib_present() && cudarc::nvrtc::sys::is_culib_present()
        };
        if !present {
            return Err(KernelError::NoLibrary);
        }
        let context = CudaContext::new(number)?;
        let attribute = |which| context.attribute(which).map(|number| number as usize);
        Ok(Self {
            capability: context.compute_capability()?,
            multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            shared_memory: attribute(
                Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
            )?,
            context,
        })
    }

    /// Whether it multiplies in bf16 and copies past its registers, as all since Ampere.
    pub(super) fn multiplies_in_bf16(&self) -> bool {
        self.capability.0 >= 8
    }

    /// Whether four warps can multiply together, which GPUs before Hopper cannot and later ones do
    /// otherwise.
    pub(super) fn multiplies_together(&self) -> bool {
        self.capability == HOPPER
    }

    /// Compiles kernels, with `definitions` as a compiler of C takes them.
    pub(super) fn compile(
        &self,
        source: &str,
        definitions: &[String],
    ) -> Result<Arc<CudaModule>, KernelError> {
        Ok(self.context.load_module(compile(source, definitions, self.capability)?)?)
    }
}

/// Compiles kernels for GPUs that can do this.
fn compile(
    source: &str,
    definitions: &[String],
    capability: (i32, i32),
) -> Result<Ptx, CompileError> {
    let mut options = definitions.to_vec();
    let (major, minor) = capability;
    // What Hopper alone can do has to be asked for.
    let alone = if capability == HOPPER { "a" } else { "" };
    options.push(format!("--gpu-architecture=compute_{major}{minor}{alone}"));
    compile_ptx_with_opts(source, CompileOptions { options, ..CompileOptions::default() })
}

impl Kernel {
    /// The kernel of this name, for blocks of so many threads that share so many bytes.
    pub(super) fn new(
        module: &Arc<CudaModule>,
        gpu: &Gpu,
        name: &str,
        threads: usize,
        shared_memory: usize,
    ) -> Result<Self, KernelError> {
        let function = module.load_function(name)?;
        function
            .set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared_memory as i32)?;
        Ok(Self { function, stream: gpu.context.default_stream(), threads, shared_memory })
    }

    /// Starts `blocks` blocks of threads, which read and write `tensors` (or are told that there is
    /// none) of `count` positions.
    pub(super) fn launch(&self, blocks: usize, tensors: &[Option<&Tensor>], count: i64) {
        let launch = LaunchConfig {
            grid_dim: (blocks as u32, 1, 1),
            block_dim: (self.threads as u32, 1, 1),
            shared_mem_bytes: self.shared_memory as u32,
        };
        let address = |tensor: &Option<&Tensor>| tensor.map_or(0, |t| t.data_ptr() as u64);
        let addresses: Vec<_> = tensors.iter().map(address).collect();
        let count = count as i32;
        let mut arguments = self.stream.launch_builder(&self.function);
        addresses.iter().for_each(|address| {
            arguments.arg(address);
        });
        arguments.arg(&count);
        // SAFETY: the kernels read and write tensors of `count` positions of the shape that they
        // were compiled for, which their callers have made for them. All belongs to the stream on
        // which libtorch, too, makes and frees its memory. They evaluate and learn several times as
        // fast as libtorch's own.
        #[allow(unsafe_code)]
        let launched = unsafe { arguments.launch(launch) };
        launched.expect("a kernel that was compiled for this GPU starts");
    }
}

/// The stream on which libtorch works on the GPU with this number, if the driver's library is there.
pub(super) fn stream(gpu: usize) -> Option<Arc<CudaStream>> {
    // SAFETY: as in `Gpu::new`.
    #[allow(unsafe_code)]
    let present = unsafe { cudarc::driver::sys::is_culib_present() };
    if !present {
        return None;
    }
    CudaContext::new(gpu).ok().map(|context| context.default_stream())
}

/// Checks that libnvrtc, which needs no GPU, compiles kernels for GPUs that can do this.
#[cfg(test)]
#[track_caller]
pub(super) fn compiles(source: &str, definitions: &[String], capabilities: &[(i32, i32)]) {
    // SAFETY: the library is opened and nothing is called in it.
    #[allow(unsafe_code)]
    let present = unsafe { cudarc::nvrtc::sys::is_culib_present() };
    assert!(
        present,
        "libnvrtc is not on the library path: Python's package nvidia-cuda-nvrtc has it"
    );
    for &capability in capabilities {
        if let Err(error) = compile(source, definitions, capability) {
            panic!("{capability:?}: {error}");
        }
    }
}

/// Kernels compiled for the CPU, where their threads are its own.
#[cfg(test)]
pub(super) mod emulation {
    use std::path::Path;
    use std::process::Command;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::{env, fs};

    /// What the program in this file of C++ writes, given files with `inputs`.
    #[track_caller]
    pub(in crate::torch) fn run(source: &str, definitions: &[String], inputs: &[&[u8]]) -> Vec<u8> {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("keisei-kernel-{}-{run}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let program = folder.join("program");
        let compiled = Command::new("c++")
            .args(["-std=c++20", "-O2", "-w", "-pthread", "-o"])
            .arg(&program)
            .args(definitions)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/torch").join(source))
            .output()
            .expect("a C++ compiler, which libtorch's wrapper needs as well");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let mut command = Command::new(&program);
        for (number, input) in inputs.iter().enumerate() {
            let path = folder.join(number.to_string());
            fs::write(&path, input).unwrap();
            command.arg(path);
        }
        let output = command.output().unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }
}
