//! The processes that `mpirun` or `srun` started, if they did: who they are, and what becomes of all
//! when one of them has a problem.

use std::env;
use std::io::{self, Write};
use std::panic;
use std::process;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use anyhow::Result;
use keisei_cluster::{Alone, Communicator, Ending, Watch};
#[cfg(feature = "mpi")]
use keisei_mpi::World;

/// The ranks of this program, with a watch over them.
pub(crate) struct Cluster {
    pub(crate) ranks: Arc<dyn Communicator>,
    pub(crate) watch: SharedWatch,
    /// The program that starts ranks, with the words it needs.
    launcher: String,
}

/// A watch that several parts of the program tell what happens. Clones are the same watch.
#[derive(Clone, Default)]
pub(crate) struct SharedWatch(Arc<Mutex<Option<Watch>>>);

impl SharedWatch {
    /// Tells the watch something, if it still goes on.
    pub(crate) fn tell(&self, tell: impl FnOnce(&Watch)) {
        let watch = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(watch) = &*watch {
            tell(watch);
        }
    }
}

impl Cluster {
    /// Joins the other ranks, or finds that this process is alone.
    pub(crate) fn join() -> Result<Self> {
        // MPI sets the variables of its own launcher, whoever it was, so they are read before.
        let launcher = launcher();
        let ranks = ranks()?;
        let watch = Watch::begin(&*ranks, Exit { first: ranks.is_first() })?;
        let watch = SharedWatch(Arc::new(Mutex::new(Some(watch))));
        if ranks.size() > 1 {
            fail_on_panic(watch.clone());
        }
        Ok(Self { ranks, watch, launcher })
    }

    /// Whether this process speaks for all.
    pub(crate) fn is_first(&self) -> bool {
        self.ranks.is_first()
    }

    /// The command that does the same as `command` on as many ranks.
    pub(crate) fn launch(&self, command: &str) -> String {
        match self.ranks.size() {
            1 => command.to_owned(),
            size => format!("{} -n {size} {command}", self.launcher),
        }
    }

    /// Does `work`. If it fails at one of several ranks, all end with its message; if it succeeds,
    /// each waits for the others. Only rank 0 writes to `out`.
    pub(crate) fn run(
        &self,
        out: &mut dyn Write,
        work: impl FnOnce(&Self, &mut dyn Write) -> Result<()>,
    ) -> Result<()> {
        let mut nowhere = io::sink();
        let done = work(self, if self.is_first() { out } else { &mut nowhere });
        if self.ranks.size() > 1 {
            if let Err(error) = &done {
                self.watch.tell(|watch| watch.fail(&format!("{error:#}")));
            }
            self.ranks.barrier();
            let watch = self.watch.0.lock().unwrap_or_else(PoisonError::into_inner).take();
            watch.into_iter().for_each(Watch::finish);
        }
        done
    }
}

/// All ranks end when one of them panics.
fn fail_on_panic(watch: SharedWatch) {
    let usual = panic::take_hook();
    let once = OnceLock::new();
    panic::set_hook(Box::new(move |info| {
        if once.set(()).is_ok() {
            let (watch, message) = (watch.clone(), format!("it panicked: {info}"));
            // The thread that panics may hold the watch.
            thread::spawn(move || watch.tell(|watch| watch.fail(&message)));
        }
        usual(info);
    }));
}

/// Who has started this process: `srun` itself, or `mpirun`.
fn launcher() -> String {
    match (env::var_os("OMPI_COMM_WORLD_SIZE"), env::var("SLURM_MPI_TYPE")) {
        (None, Ok(kind)) => format!("srun --mpi={kind}"),
        _ => "mpirun".to_owned(),
    }
}

#[cfg(feature = "mpi")]
fn ranks() -> Result<Arc<dyn Communicator>> {
    if !World::is_launched() {
        return Ok(Arc::new(Alone));
    }
    let world = World::join()?;
    share_cores(world.local_size());
    Ok(Arc::new(world))
}

#[cfg(not(feature = "mpi"))]
fn ranks() -> Result<Arc<dyn Communicator>> {
    let sizes = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];
    // `srun` also starts processes that have nothing to do with each other.
    let together = ["OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK"];
    let launched = together.iter().any(|name| env::var_os(name).is_some());
    if launched && sizes.iter().find_map(|name| env::var(name).ok()).is_some_and(|size| size != "1")
    {
        anyhow::bail!(
            "several processes were started together, but this build knows nothing of MPI: build it \
             with --features mpi"
        );
    }
    Ok(Arc::new(Alone))
}

/// Leaves to each of several ranks on a machine its part of the cores, unless the launcher has bound
/// it to fewer or somebody has said how many threads to use.
#[cfg(feature = "mpi")]
fn share_cores(ranks: usize) {
    if ranks == 1 || env::var_os("RAYON_NUM_THREADS").is_some() {
        return;
    }
    let allowed = thread::available_parallelism().map_or(1, usize::from);
    let all = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let all = all.lines().filter(|line| line.starts_with("processor")).count();
    let threads = if all == 0 { allowed } else { allowed.min((all / ranks).max(1)) };
    // Whoever has made threads before keeps them.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
}

/// Ends the program of every rank.
struct Exit {
    first: bool,
}

impl Ending for Exit {
    fn say(&self, message: &str) {
        // A terminal that is gone hears nothing.
        let _ = writeln!(io::stderr(), "error: {message}");
    }

    fn end(&self) -> ! {
        #[cfg(feature = "mpi")]
        if self.first {
            World::abort();
        }
        // The launcher ends those that are left when one of them fails.
        let _ = self.first;
        process::exit(1)
    }
}
