//! The machine a run happens on, for `run.json`, the report and the check of memory.

use serde::{Deserialize, Serialize};
use sysinfo::{
    CpuRefreshKind, MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System,
};

/// What the machine is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Name of the processor.
    pub processor: String,
    /// Threads it runs at once.
    pub cores: usize,
    /// Memory [bytes].
    pub memory: u64,
    /// Operating system.
    pub system: String,
    /// Instruction set.
    pub architecture: String,
}

impl Machine {
    /// The machine the program runs on.
    pub fn this() -> Self {
        let system = system();
        let first = system.as_ref().and_then(|s| s.cpus().first());
        Self {
            processor: first.map_or(String::new(), |cpu| cpu.brand().trim().to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory: system.as_ref().map_or(0, System::total_memory),
            system: System::long_os_version().unwrap_or_else(|_| std::env::consts::OS.to_owned()),
            architecture: std::env::consts::ARCH.to_owned(),
        }
    }
}

/// Memory [bytes] that a run may take: what is available now, within the limits of a container.
/// Where the system does not tell, all that can be addressed.
pub fn available_memory() -> u64 {
    let Some(system) = system() else {
        return u64::MAX;
    };
    let of_group = system
        .cgroup_limits()
        .map_or(u64::MAX, |limits| limits.total_memory);
    match system.available_memory().min(of_group) {
        0 => u64::MAX,
        memory => memory,
    }
}

/// Memory of this process that is in use now [bytes], as the system counts it; `None` where it does
/// not tell.
pub fn resident_memory() -> Option<u64> {
    let this = sysinfo::get_current_pid().ok()?;
    let mut system = System::new_with_specifics(RefreshKind::nothing()).ok()?;
    let kind = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[this]), false, kind);
    system.process(this).map(sysinfo::Process::memory)
}

/// Processors and memory as the system tells them; `None` where it does not.
fn system() -> Option<System> {
    let kind = RefreshKind::nothing()
        .with_cpu(CpuRefreshKind::nothing())
        .with_memory(MemoryRefreshKind::nothing().with_ram());
    System::new_with_specifics(kind).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_has_cores_and_memory() {
        assert!(Machine::this().cores >= 1);
        assert!(available_memory() > 1 << 20);
    }

    #[test]
    fn memory_that_is_taken_is_resident() {
        let Some(before) = resident_memory() else {
            return;
        };
        let taken = std::hint::black_box(vec![1u8; 64 << 20]);
        let after = resident_memory().unwrap();
        assert!(after > before + (32 << 20), "{before} {after} {}", taken[9]);
    }
}
