"""tools/profile_kernels reads the kernels of a run, and says that there is no GPU to run them on:
profile_without_gpu.py PROJECT HEDDLE. Skipped (77) on a machine that has one."""
import os
import subprocess
import sys
import tempfile

PROJECT, HEDDLE = sys.argv[1:3]
SKIPPED = 77


def profile(*words):
    tool = os.path.join(PROJECT, "tools", "profile_kernels")
    return subprocess.run([sys.executable, tool, *words], check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


with tempfile.TemporaryDirectory() as folder:
    run = subprocess.run([HEDDLE, "run", os.path.join(PROJECT, "yaml", "inference_tiny.yaml"), "--quiet",
                          "--out", folder, "--set", "workload.algorithm=scin"], check=False,
                         stdout=subprocess.DEVNULL)
    assert run.returncode == 0, "the run failed"
    table = os.path.join(folder, "times.csv")
    told = profile(os.path.join(folder, "stats.json"), "--csv", table)
    if told.returncode == 0:
        sys.exit(SKIPPED)
    assert told.returncode == 1 and told.stderr.startswith("no GPU: "), told.stderr
    assert not os.path.exists(table), "a table without measurements"
    with open(os.path.join(folder, "none.json"), "w", encoding="utf-8") as file:
        file.write("{}")
    told = profile(os.path.join(folder, "none.json"), "--csv", table)
    assert told.returncode == 1 and "no results of inference" in told.stderr, told.stderr
