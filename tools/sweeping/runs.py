"""Runs of the simulator, each once however many curves take from it and however often the sweep is
interrupted."""
import fcntl
import json
import os
import shlex
import shutil
import time
from contextlib import contextmanager
from dataclasses import dataclass

from attempt import Attempt, take_over
from mistakes import RunFailed, UserError
from points import Points
from pools import POOLS, SlurmPool
from progress import Progress
from whole_file import whole_file

SECONDS_BETWEEN_LOOKS = 0.05
LOCK = ".lock"
MOST_FAILURES_TOLD = 10


@dataclass
class Where:
    """Where and how many runs take place at a time."""
    kind: str      # a key of POOLS
    at_once: int   # 0: as many as there is room for
    options: str   # for sbatch or mpirun


class Job:
    """One run of the simulator: of all sizes, or of one value of another variable."""

    def __init__(self, run, netlist, settings):
        self.run = run
        self.arguments = ["run", netlist]
        for path, text in settings:
            self.arguments += ["--set", f"{path}={text}"]
        self.key = ""
        self.stats = None


@contextmanager
def alone_in(folder):
    """Lets no other sweep work there meanwhile."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / LOCK, "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"another sweep works in '{folder}'") from None
        yield


def forget_all(folder):
    """But for the lock, which whoever asks for all of this holds."""
    for each in folder.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each, ignore_errors=True)
        elif each.name != LOCK:
            each.unlink(missing_ok=True)


class Runs:
    def __init__(self, heddle, sweep_folder, folder, where):
        self._heddle = heddle
        self._sweep_folder = sweep_folder  # netlists beside the sweep go first
        self._where = where
        self._points = Points(folder)
        self._jobs = {}

    def job_of_all(self, run, part):
        listed = "[" + ", ".join(text for text, _ in part.values) + "]"
        return self.job_of_one(run, part, listed)

    def job_of_one(self, run, part, text):
        beside = self._sweep_folder / run.netlist
        netlist = str(beside) if beside.is_file() else run.netlist
        job = Job(run, netlist, [*part.settings, (run.variable, text)])
        return self._jobs.setdefault(tuple(job.arguments), job)

    def perform(self):
        """Within alone_in() the folder of the points."""
        for job in self._jobs.values():
            job.key = self._points.key(self._heddle, job.arguments)
        self._await_job_left_behind()
        take_over(self._points)
        self._perform_missing()
        for job in self._jobs.values():
            job.stats = self._points.record(job.key)["stats"]

    def _await_job_left_behind(self):
        plan = self._points.folder / "plan.json"
        if self._where.kind == "slurm" and SlurmPool.is_left_behind(plan):
            self._watch(SlurmPool(plan, 0, 0, ""), [], None)

    def _perform_missing(self):
        missing = [job for job in self._jobs.values() if not self._points.finished(job.key)]
        for job in missing:
            self._points.forget(job.key)
        if not missing:
            return
        attempt = Attempt(self._points)
        try:
            plan = self._write_plan(missing, attempt)
            self._watch(POOLS[self._where.kind](plan, len(missing), self._where.at_once,
                                                self._where.options), missing, attempt)
        finally:
            take_over(self._points)

    def _write_plan(self, missing, attempt):
        path = self._points.folder.resolve() / "plan.json"
        plan = {"program": self._heddle, "working_folder": os.getcwd(),
                "attempt": str(attempt.folder.resolve()),
                "runs": [{"key": job.key, "arguments": job.arguments} for job in missing]}
        with whole_file(path) as temporary:
            temporary.write_text(json.dumps(plan), encoding="utf-8")
        return path

    def _watch(self, pool, missing, attempt):
        """Until every missing run has a record, one was refused, or nobody works any more."""
        progress = Progress(len(self._jobs), len(self._jobs) - len(missing))
        waiting, failed = list(missing), []
        try:
            is_working = True
            while is_working and (waiting or not missing):
                is_working = pool.is_working()  # asked first: then all its records are there
                there = [job for job in waiting if attempt.collect(job.key)]
                waiting = [job for job in waiting if job not in there]
                failed += [job for job in there if self._has_failed(job)]
                progress.show(len(self._jobs) - len(waiting), len(failed))
                if is_working and not there:
                    time.sleep(SECONDS_BETWEEN_LOOKS)
        finally:
            pool.stop()
            progress.clear()
        if waiting:
            raise RunFailed(f"{len(waiting)} of {len(self._jobs)} runs were not performed: "
                            + pool.why_it_ended() + self._to_repeat(waiting[0]))
        if failed:
            raise RunFailed(self._failures(failed))

    def _has_failed(self, job):
        record = self._points.record(job.key)
        if record["exit"] == 2:
            self._points.forget(job.key)
            raise UserError(f"{job.run.node.place}: run '{job.run.name}' is refused: "
                            f"{record['errors']}{self._to_repeat(job)}")
        return record["exit"] != 0

    def _failures(self, failed):
        told = []
        for job in sorted(failed, key=list(self._jobs.values()).index)[:MOST_FAILURES_TOLD]:
            record = self._points.record(job.key)
            told.append(f"run '{job.run.name}' failed ({outcome(record['exit'])}): "
                        f"{record['errors']}{self._to_repeat(job)}")
        if len(failed) > len(told):
            told.append(f"and {len(failed) - len(told)} more")
        return "\n".join([*told, f"{len(failed)} of {len(self._jobs)} runs failed; what is finished "
                          f"stays in {self._points.folder}"])

    def _to_repeat(self, job):
        return f"to repeat it: {shlex.join([self._heddle, *job.arguments])}"


def outcome(code):
    return f"signal {-code}" if code < 0 else f"exit code {code}"
