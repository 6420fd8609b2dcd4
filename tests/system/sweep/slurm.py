"""A Slurm of this machine alone: slurmctld and slurmd with a configuration, ports and folders of
their own, as the user who runs the test."""
import getpass
import os
import socket
import subprocess
import time

CPUS = 16  # more than there are: an array starts as a whole, not a second after another
CONFIGURATION = """\
ClusterName=heddle
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={daemon_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=100000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=test Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    def __init__(self, folder):
        self._folder = folder
        for name in ("state", "spool"):
            (folder / name).mkdir(parents=True)
        (folder / "slurm.conf").write_text(CONFIGURATION.format(
            folder=folder, host=socket.gethostname().split(".")[0], user=getpass.getuser(),
            controller_port=free_port(), daemon_port=free_port(),
            cpus=CPUS))
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
        self._daemons = []

    def __enter__(self):
        for command in (["slurmctld", "-D", "-i"], ["slurmd", "-D"]):
            self._daemons.append(subprocess.Popen(command, env=self.environment,
                                                  stdin=subprocess.DEVNULL,
                                                  stdout=subprocess.DEVNULL,
                                                  stderr=subprocess.DEVNULL))
        try:
            self._await_node()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for daemon in reversed(self._daemons):
            daemon.terminate()
            daemon.wait()

    def _await_node(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            said = subprocess.run(["sinfo", "--noheader", "--format=%t"], env=self.environment,
                                  capture_output=True, text=True, check=False)
            if said.stdout.strip() == "idle":
                return
            time.sleep(0.1)
        logs = "".join(each.read_text() for each in sorted(self._folder.glob("*.log")))
        raise RuntimeError(f"no node of Slurm became idle:\n{logs}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
