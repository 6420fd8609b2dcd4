"""Where the runs of a plan take place: processes here, ranks of mpirun, or a job array of Slurm.
Workers share nothing but the folder of the points, which every machine must see."""
import shlex
import subprocess
import sys
import time
from pathlib import Path

from mistakes import UserError
from worker import end_with_parent

WORKER = [sys.executable, "-B", str(Path(__file__).resolve().parent / "worker.py")]
LONGEST_ARRAY = 1000  # Slurm's MaxArraySize is 1001 unless a site changed it
SECONDS_BETWEEN_QUESTIONS = 1


class LocalPool:
    """As many workers as runs at a time."""

    def __init__(self, plan, runs, at_once, options):
        if options:
            raise UserError("--with is for slurm and mpi: there is no program to take its options")
        self._workers = [started([*WORKER, str(plan)]) for _ in range(min(runs, at_once))]

    def is_working(self):
        return any(each.poll() is None for each in self._workers)

    def stop(self):
        for each in self._workers:
            each.terminate()
        for each in self._workers:
            each.wait()

    def why_it_ended(self):
        return said_by(self._workers)


class MpiPool(LocalPool):
    """A worker a rank: those of the allocation, or --jobs of them."""

    def __init__(self, plan, runs, at_once, options):
        count = ["-n", str(min(runs, at_once))] if at_once else []
        self._workers = [started(["mpirun", *count, *shlex.split(options), *WORKER, str(plan)])]


class SlurmPool:
    """A job array, whose id stays in the folder: a sweep that was killed finds its job again."""

    def __init__(self, plan, runs, at_once, options):
        self._file = plan.with_name("slurm_job")
        self._asked = 0
        self._is_known = True
        if runs == 0:
            self._job = self._file.read_text(encoding="utf-8").strip()
            return
        length = min(runs, LONGEST_ARRAY)
        limit = f"%{at_once}" if at_once else ""
        wrapped = shlex.join([*WORKER, str(plan)]) + f" $SLURM_ARRAY_TASK_ID {length}"
        log = plan.with_name("slurm-%A_%a.log")
        self._job = asked(["sbatch", "--parsable", f"--array=0-{length - 1}{limit}",
                           "--job-name=heddle-sweep", f"--output={log}", *shlex.split(options),
                           f"--wrap=exec {wrapped}"]).split(";")[0].strip()
        self._file.write_text(self._job, encoding="utf-8")

    @staticmethod
    def is_left_behind(plan):
        """By a sweep that was killed while its job went on."""
        file = plan.with_name("slurm_job")
        return file.is_file() and is_queued(file.read_text(encoding="utf-8").strip())

    def is_working(self):
        if self._is_known and time.monotonic() - self._asked >= SECONDS_BETWEEN_QUESTIONS:
            self._asked = time.monotonic()
            self._is_known = is_queued(self._job)
        return self._is_known

    def stop(self):
        if is_queued(self._job):
            subprocess.run(["scancel", self._job], check=False, stderr=subprocess.DEVNULL)
        while is_queued(self._job):  # nobody writes into the folder afterwards
            time.sleep(0.2)
        self._file.unlink(missing_ok=True)
        for log in self._file.parent.glob(f"slurm-{self._job}_*.log"):
            if log.stat().st_size == 0:
                log.unlink()

    def why_it_ended(self):
        return f"job {self._job} of Slurm is over; see slurm-{self._job}_*.log beside the points\n"


POOLS = {"local": LocalPool, "slurm": SlurmPool, "mpi": MpiPool}


def started(command):
    try:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True, preexec_fn=end_with_parent)
    except FileNotFoundError:
        raise UserError(f"cannot run '{command[0]}': it is not installed here") from None


def said_by(workers):
    return "".join(each.stderr.read() for each in workers)


def asked(command):
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False,
                                stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise UserError(f"cannot run '{command[0]}': it is not installed here") from None
    if answer.returncode != 0:
        raise UserError(f"{command[0]}: {answer.stderr.strip()}")
    return answer.stdout


def is_queued(job):
    answer = subprocess.run(["squeue", "--noheader", "--jobs", job], capture_output=True,
                            text=True, check=False, stdin=subprocess.DEVNULL)
    if answer.returncode != 0 and "Invalid job id" not in answer.stderr:
        return True  # the controller is busy or away: ask again
    return answer.returncode == 0 and bool(answer.stdout.strip())
