"""Runs of the simulator, each once however many curves take from it, several at a time."""
import json
import shlex
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from mistakes import RunFailed, UserError


class Job:
    """One run of the simulator: of all sizes, or of one value of another variable."""

    def __init__(self, run, netlist, settings):
        self.run = run
        self.arguments = ["run", netlist]
        for path, text in settings:
            self.arguments += ["--set", f"{path}={text}"]
        self.stats = None

    @property
    def key(self):
        return tuple(self.arguments)


class Runs:
    def __init__(self, heddle, folder):
        self._heddle = heddle
        self._folder = folder  # netlists beside the sweep go first
        self._jobs = {}
        self._children = set()
        self._lock = threading.Lock()
        self._is_stopped = False

    def job_of_all(self, run, part):
        listed = "[" + ", ".join(text for text, _ in part.values) + "]"
        return self.job_of_one(run, part, listed)

    def job_of_one(self, run, part, text):
        beside = self._folder / run.netlist
        netlist = str(beside) if beside.is_file() else run.netlist
        job = Job(run, netlist, [*part.settings, (run.variable, text)])
        return self._jobs.setdefault(job.key, job)

    def perform(self, at_once):
        with tempfile.TemporaryDirectory(prefix="heddle-sweep-") as scratch:
            pool = ThreadPoolExecutor(at_once)
            pending = [pool.submit(self._perform, job, f"{scratch}/{i}")
                       for i, job in enumerate(self._jobs.values())]
            try:
                show_progress(0, len(pending))
                for done, each in enumerate(as_completed(pending), 1):
                    each.result()
                    show_progress(done, len(pending))
            finally:
                self._stop(pending)
                pool.shutdown()
                clear_progress()

    def _perform(self, job, out):
        command = [self._heddle, *job.arguments]
        with self._lock:
            if self._is_stopped:
                return
            child = subprocess.Popen([*command, "--quiet", "--out", out], text=True,
                                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE)
            self._children.add(child)
        _, errors = child.communicate()
        with self._lock:
            self._children.discard(child)
            if self._is_stopped:
                return
        said = f"{errors}to repeat it: {shlex.join(command)}"
        if child.returncode == 2:
            raise UserError(f"{job.run.node.place}: run '{job.run.name}' is refused: {said}")
        if child.returncode != 0:
            raise RunFailed(f"run '{job.run.name}' failed ({outcome(child.returncode)}): {said}")
        job.stats = json.loads((Path(out) / "stats.json").read_text())

    def _stop(self, pending):
        """What still runs when one failed or the user had enough."""
        for each in pending:
            each.cancel()
        with self._lock:
            self._is_stopped = True
            for child in self._children:
                child.terminate()


def outcome(code):
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def show_progress(done, of):
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{done} of {of} runs")
        sys.stderr.flush()


def clear_progress():
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
