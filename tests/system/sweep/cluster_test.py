"""cluster_test.py HEDDLE POINTS: a sweep gives the same bytes here, as ranks of mpirun and as a job
array of Slurm; one that is killed goes on where it was, and repeats no finished point."""
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from slurm import Slurm

MAIN = Path(__file__).resolve().parents[3] / "tools" / "sweeping" / "main.py"
POINTS = int(sys.argv[2])
KILLED_AFTER = POINTS // 8
# The simulator. While a file `held` lies beside it, only so many runs go on.
PROGRAM = """\
#!/bin/sh
for place in $(seq {first}); do
  mkdir "$0.$place" 2> /dev/null && exec {heddle} "$@"
done
while [ -e "$0.held" ]; do sleep 0.05; done
exec {heddle} "$@"
"""
SWEEP = """\
heddle_sweep: 1
name: cluster
set: {{workload.algorithm: ring, params.planes: 1, params.gpus: 2}}
runs:
  sizes: {{netlist: ring_allreduce.yaml, over: {{workload.bytes: [{sizes}]}}}}
figures:
  time:
    title: Time by size
    x: {{label: message size, from: 64 B, to: 4 KiB, scale: linear}}
    y: {{label: time, unit: us}}
    curves: [{{name: ring, run: sizes, take: "collectives[0].time_s", scale: 1e6}}]
"""
MPI = ["--on", "mpi", "--jobs", "3", "--with", "--allow-run-as-root --oversubscribe"]


def start(program, out, options, environment):
    return subprocess.Popen([sys.executable, "-B", MAIN, "sweep.yaml", "--heddle", program, "--out",
                             out, *options], cwd=program.parent, env=environment, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE)


def finish(sweep, what):
    _, errors = sweep.communicate(timeout=300)
    assert sweep.returncode == 0 and not errors, f"{what}: exit {sweep.returncode}\n{errors}"


def records(folder, out):
    return {each.name: each for each in (folder / out / "points").glob("*.json")
            if each.name != "plan.json"}


def results(folder, out):
    found = records(folder, out)
    assert len(found) == POINTS, f"{out}: {len(found)} points"
    return ({name: each.read_bytes() for name, each in found.items()},
            (folder / out / "time.csv").read_bytes(), (folder / out / "time.svg").read_bytes())


def kill_and_resume(program, options, environment):
    """SIGKILL: the sweep cannot put anything in order before it ends."""
    folder, what = program.parent, f"{options[1]}-killed"
    held = program.with_name("heddle.held")
    held.touch()
    for place in folder.glob("heddle.[0-9]*"):
        place.rmdir()
    sweep = start(program, what, options, environment)
    while len(records(folder, what)) < KILLED_AFTER:
        assert sweep.poll() is None, sweep.communicate()[1]
        time.sleep(0.01)
    sweep.send_signal(signal.SIGKILL)
    sweep.communicate()
    before = {name: each.stat() for name, each in records(folder, what).items()}
    assert len(before) == KILLED_AFTER, f"{what}: {len(before)} points"
    held.unlink()
    finish(start(program, what, options, environment), what)
    for name, then in before.items():
        now = (folder / what / "points" / name).stat()
        assert (now.st_ino, now.st_mtime_ns) == (then.st_ino, then.st_mtime_ns), f"{name} again"
    return results(folder, what)


def main(heddle):
    with tempfile.TemporaryDirectory(prefix="heddle-cluster-") as name:
        folder = Path(name).resolve()
        sizes = ", ".join(f"{64 * (1 + i)} B" for i in range(POINTS))
        (folder / "sweep.yaml").write_text(SWEEP.format(sizes=sizes))
        program = folder / "heddle"
        program.write_text(PROGRAM.format(first=KILLED_AFTER, heddle=shlex.quote(heddle)))
        program.chmod(0o755)
        plain = dict(os.environ)
        expected = None
        with Slurm(folder / "slurm-daemons") as slurm:
            for options, environment in ((["--on", "local"], plain), (MPI, plain),
                                         (["--on", "slurm"], slurm.environment)):
                since = time.monotonic()
                what = options[1]
                finish(start(program, what, options, environment), what)
                expected = expected or results(folder, what)
                assert results(folder, what) == expected, what
                assert kill_and_resume(program, options, environment) == expected, f"{what}, killed"
                print(f"{what}: {POINTS} points, the same bytes; killed after {KILLED_AFTER}, "
                      f"resumed, none repeated; {time.monotonic() - since:.1f} s")


main(os.path.abspath(sys.argv[1]))
