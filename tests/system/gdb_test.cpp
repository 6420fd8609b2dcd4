// gdb drives firmware on RISC-V cores: what it sees, where it stops, and that nothing of it changes
// the simulated time.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

// It was there when this was configured.
void require_gdb() {
  command asked;
  asked.words = {"gdb-multiarch", "--version"};
  REQUIRE(run(asked).exited_with(0));
}

std::string firmware_file(const std::string& app) {
  return HEDDLE_FIRMWARE_DIR "/" + app + ".elf";
}

// One run under gdb.
struct debugged_run {
  // `elf`: whose symbols gdb reads. `line`: the run, given where its results go.
  template <class F>
  debugged_run(const std::string& elf, const F& line, const std::string& script) {
    folder.write("script", script);
    command all;
    all.words = {"sh", project_file("tests/support/with_gdb.sh"), folder.path(), elf};
    const command debugged = line(folder.file("out"));
    all.words.insert(all.words.end(), debugged.words.begin(), debugged.words.end());
    said = run(all).output;
    errors = folder.content("errors");
    exit_code = folder.content("exit");
  }

  bool says(const std::string& text) const { return said.find(text) != std::string::npos; }
  std::string report() const {
    return said + "\nrun, exit " + exit_code + folder.content("output") + errors;
  }

  scratch_folder folder;
  std::string said, errors, exit_code;
};

// The ring all-reduce of eight cores.
struct ring_run : debugged_run {
  explicit ring_run(const std::string& script)
      : debugged_run(firmware_file("collectives"), line, script) {}

  static command line(const std::string& directory) {
    return run_command(project_file("yaml/ring_allreduce.yaml"), directory,
                       {{"params.core", "rv64_core"}, {"workload.bytes", "[1 KiB, 64 KiB]"}});
  }
  bool is_verified() const {
    const auto stats = nlohmann::json::parse(folder.content("out/stats.json"));
    for (const auto& each : stats["collectives"])
      if (!each["verified"]) return false;
    return stats["collectives"].size() == 2;
  }
  // Byte by byte what a run without a debugger leaves.
  bool is_as_without() const {
    const scratch_folder plain;
    CHECK(run(line(plain.file("out"))).exited_with(0));
    return plain.content("out/stats.json") == folder.content("out/stats.json") &&
           plain.content("out/links.csv") == folder.content("out/links.csv");
  }
};

debugged_run mistaken_run(const std::string& firmware, const std::string& script,
                          const settings& more = {}, const std::vector<std::string>& words = {}) {
  const auto line = [&](const std::string& directory) {
    settings values = {{"params.firmware", firmware}, {"params.core", "rv64_core"}};
    values.insert(values.end(), more.begin(), more.end());
    command made =
        run_command(project_file("tests/system/firmware/two_accelerators.yaml"), directory, values);
    made.words[0] = HEDDLE_WITH_MISTAKES;
    made.words.insert(made.words.end(), words.begin(), words.end());
    return made;
  };
  return debugged_run(firmware_file(firmware), line, script);
}

// The line of dma.c where the driver rings, as gdb takes it.
std::string doorbell_line() {
  std::ifstream file(project_file("sw/drivers/dma.c"));
  std::string line;
  for (int number = 1; std::getline(file, line); ++number)
    if (line.find("DMA_CHANNEL_DOORBELL(") != std::string::npos)
      return "dma.c:" + std::to_string(number);
  return "";
}

std::size_t count(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), regex), {}));
}

}  // namespace

TEST_CASE(
    "gdb breaks at the doorbell, reads descriptors and registers, steps, and runs to the end") {
  require_gdb();
  const ring_run seen("break " + doorbell_line() + R"(
continue
backtrace
print *(struct dma_descriptor*)dma->channel[0].ring
print/x ((struct dma_descriptor*)dma->channel[0].ring)[0].destination >> 36
x/1gx dma->channel[0].ring
print/x *(unsigned*)0x10000
x/1wx 0x10108
stepi
next
step
print $mhartid
info registers mstatus
monitor time
monitor registers gpu[0].dma channel[0]*
monitor stats gpu[0].cp
delete
continue
)");
  INFO(seen.report());
  CHECK(seen.says("hit Breakpoint 1"));
  CHECK(seen.says("at sw/drivers/" + doorbell_line()));
  CHECK(seen.says("main () at sw/apps/collectives.c:"));
  CHECK(seen.says(" = 0x48444d41"));          // the id of the engine, from its register
  CHECK(seen.says(":\t0x0000008000000001"));  // DMA_COPY of 128 bytes: 1 KiB in eight parts
  CHECK(seen.says("0x10108:\t0x00000100"));   // descriptors in the ring
  CHECK(seen.says(" = {control = 1, length = 128, "));
  CHECK(count(seen.said, R"(\$\d+ = 0x[1-8]\n)") == 1);  // the window of another rank
  CHECK(seen.says("channel[0].status = 0x0  state=IDLE error=NONE"));
  CHECK(seen.says("gpu[0].cp.instructions = "));
  CHECK(seen.says("gpu[7].cp: at "));
  CHECK(seen.says("exited normally"));
  CHECK(seen.exit_code == "0\n");
  CHECK(seen.is_verified());
  CHECK(seen.is_as_without());
}

TEST_CASE("eight cores are threads with names, and each stops as often as it writes") {
  require_gdb();
  const ring_run seen("info threads\nbreak " + doorbell_line() + R"(
continue
python
# The very store: gdb steps over it, and simulated time goes on for that, so that the other cores
# run on meanwhile and must not get past it.
pc = int(gdb.parse_and_eval("(long)&hal_write32"))
code = gdb.selected_frame().architecture().disassemble(pc, pc + 64)
store = next(each for each in code if each["asm"].startswith("sw"))
gdb.execute("delete")
gdb.execute("break *%d" % store["addr"])
hits = {}
def count(event):
    if isinstance(event, gdb.BreakpointEvent):
        name = gdb.selected_thread().name
        hits[name] = hits.get(name, 0) + 1
gdb.events.stop.connect(count)
while True:
    gdb.execute("continue", to_string=True)
    if gdb.selected_thread() is None:
        break
    for i in range(sum(hits.values()) % 4):
        gdb.execute("stepi", to_string=True)
for name in sorted(hits):
    print("%s wrote %d times" % (name, hits[name]))
end
)");
  INFO(seen.report());
  CHECK(count(seen.said, R"(Thread \d "gpu\[\d\]\.cp" \(at 0 s\))") == 8);
  std::smatch found;
  REQUIRE(std::regex_search(seen.said, found, std::regex(R"(gpu\[0\]\.cp wrote (\d+) times)")));
  const std::string each = found[1];
  CHECK(std::stoi(each) > 10);
  CHECK(count(seen.said, R"(gpu\[\d\]\.cp wrote )" + each + " times") == 8);
  CHECK(seen.exit_code == "0\n");
  CHECK(seen.is_as_without());
}

TEST_CASE("a step over a pending interrupt stops at its handler") {
  require_gdb();
  const std::string program = HEDDLE_BARE_DIR "/interrupts.elf";
  const auto line = [&](const std::string& directory) {
    return run_command(project_file("yaml/rv64_bare.yaml"), directory, {{"core.elf", program}});
  };
  // The program loops at one instruction from where it raises its software interrupt.
  const debugged_run seen(program, line, R"(
show osabi
watch *(unsigned*)0x2000000
continue
delete
stepi
stepi
stepi
info symbol $pc
continue
)");
  INFO(seen.report());
  CHECK(seen.says("(currently \"none\")"));
  CHECK(seen.says("on_software in section .text"));
  CHECK(seen.says("exited normally"));
  CHECK(seen.exit_code == "0\n");
}

TEST_CASE("a watchpoint on a device register stops after the line that writes it") {
  require_gdb();
  const ring_run seen(R"(
watch *(unsigned*)0x1010c
continue
info line *($pc - 2)
backtrace 2
delete
rwatch *(unsigned*)0x10110
continue
backtrace 2
delete
kill
)");
  INFO(seen.report());
  CHECK(seen.says("Hardware watchpoint 1: *(unsigned*)0x1010c\n"));
  CHECK(seen.says("Old value = 0\nNew value = 2"));
  // The line of the HAL that stores, and the line of the driver that rings.
  CHECK(count(seen.said, R"(#0  0x[0-9a-f]+ in hal_write32 \(address=65804, value=\d+\))") == 1);
  CHECK(count(seen.said, R"(Line \d+ of "(\./)?sw/hal/rv/hal\.c" starts at address 0x)") == 1);
  CHECK(count(seen.said,
              R"(#1 .* dma_ring_doorbell \(.*\) at (\./)?sw/drivers/)" + doorbell_line()) == 1);
  CHECK(seen.says("Hardware read watchpoint 2: *(unsigned*)0x10110\n"));
  CHECK(seen.says("hal_poll_reached32 (address=address@entry=65808"));  // 0x10110
  CHECK(seen.exit_code == "1\n");
  CHECK(seen.errors.find("failed: the debugger ended the run at ") != std::string::npos);
}

TEST_CASE("Ctrl-C stops firmware that hangs") {
  require_gdb();
  // gdb itself gets the signal, a while after it has let the cores run.
  const debugged_run seen = mistaken_run("poll_forever", R"(
python
import os, signal, threading
def interrupt(event):
    gdb.events.cont.disconnect(interrupt)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
gdb.events.cont.connect(interrupt)
end
continue
backtrace
monitor waiting
set *(unsigned*)0x101c8 = 4
stepi
kill
)",
                                         {{"gpu[*].cp.poll_limit", "0 s"}});
  INFO(seen.report());
  CHECK(seen.says("received signal SIGINT"));
  CHECK(seen.says("main () at tests/system/firmware/"));
  CHECK(seen.says("gpu[0].cp waits for 0x101d0 (gpu[0].dma channel[3].completed) to reach 0x1"));
  CHECK(seen.report().find("gpu[0].cp: a debugger has written 4 B to gpu[0].dma channel[3].") !=
        std::string::npos);
  CHECK(seen.exit_code == "1\n");
}

TEST_CASE("gdb may connect to a run under way, leave it, and come back") {
  require_gdb();
  const debugged_run seen =
      mistaken_run("poll_forever",
                   "backtrace 1\ndetach\npython gdb.execute('target remote ' + address)\n"
                   "monitor time\ninfo threads\nkill\n",
                   {{"gpu[*].cp.poll_limit", "0 s"}}, {"--gdb-wait", "off"});
  INFO(seen.report());
  CHECK(seen.says("#0 "));
  CHECK(seen.says("[Inferior 1 (Remote target) detached]"));
  CHECK(seen.says("gpu[1].cp: at "));
  CHECK(seen.says("Thread 2 \"gpu[1].cp\" (at "));
  CHECK(seen.exit_code == "1\n");
  CHECK(seen.errors.find("failed: the debugger ended the run at ") != std::string::npos);
}

TEST_CASE("with scheduler-locking one core goes on while the others stand") {
  require_gdb();
  const ring_run seen("break " + doorbell_line() + R"(
continue
set scheduler-locking on
break communicator_await
break hal_poll_reached32
python
def instructions(thread):
    gdb.execute("thread %d" % thread, to_string=True)
    return int(gdb.parse_and_eval("$minstret"))
def go_on():
    gdb.execute("thread 1", to_string=True)
    gdb.execute("continue", to_string=True)
    return instructions(1), instructions(2)
first = go_on()
second = go_on()
print("ahead" if second[0] > first[0] else "stands", "ahead" if second[1] > first[1] else "stands")
end
set scheduler-locking off
delete
continue
)");
  INFO(seen.report());
  CHECK(seen.says("ahead stands"));
  CHECK(seen.exit_code == "0\n");
  CHECK(seen.is_verified());
}

TEST_CASE("a run that fails stops once more at the mistake") {
  require_gdb();
  const debugged_run seen = mistaken_run("write_read_only", "continue\nbacktrace\ncontinue\n");
  INFO(seen.report());
  CHECK(seen.says("the register is read-only"));
  CHECK(seen.says("Thread 1 \"gpu[0].cp\" received signal SIGABRT"));
  CHECK(seen.says("main () at tests/system/firmware/"));
  CHECK(seen.says("exited with code 01"));
  CHECK(seen.exit_code == "1\n");
}

TEST_CASE("after detaching, the run goes on to its end") {
  require_gdb();
  const ring_run seen("break " + doorbell_line() + "\ncontinue\nset $a0 = $a0\ndetach\n");
  INFO(seen.report());
  CHECK(seen.says("hit Breakpoint 1"));
  CHECK(seen.exit_code == "0\n");
  CHECK(seen.is_verified());
  CHECK(seen.is_as_without());
}

TEST_CASE("code and registers can be changed") {
  require_gdb();
  const ring_run seen(R"(
break dma_open
continue
delete
set $a0 = 5
set *(unsigned*)$pc = 0x00000073
x/1i $pc
continue
backtrace 1
continue
)");
  INFO(seen.report());
  CHECK(seen.says("\tecall"));
  CHECK(seen.says("firmware 'collectives' ended with code 5"));
  CHECK(seen.says("#0  dma_open "));
  CHECK(seen.says("exited with code 01"));
  CHECK(seen.exit_code == "1\n");
}

TEST_CASE("whatever a debugger pokes into the length of a ring, the run ends in order") {
  require_gdb();
  const std::string length = GENERATE("0", "3", "0xffffffff");
  const ring_run seen("break " + doorbell_line() +
                      "\ncontinue\nset *(unsigned*)0x10108 = " + length + "\ndelete\ncontinue\n");
  INFO(seen.report());
  const bool is_harmless = length == "0xffffffff";  // no job wraps it
  CHECK(seen.exit_code == (is_harmless ? "0\n" : "1\n"));
}

TEST_CASE("whoever asks for gdb in vain is told") {
  const auto outcome = [](const std::string& core, const std::vector<std::string>& words) {
    const scratch_folder out;
    command line = run_command(project_file("yaml/ring_allreduce.yaml"), out.file("out"),
                               {{"params.core", core}, {"workload.bytes", "[1 KiB]"}});
    line.words.insert(line.words.end(), words.begin(), words.end());
    return run(line);
  };
  const command_result native = outcome("core", {"--gdb", "0"});
  CHECK(native.exited_with(2));
  CHECK(native.errors.find("no core of this netlist executes instructions") != std::string::npos);
  CHECK(outcome("rv64_core", {"--gdb", "70000"}).exited_with(2));
  CHECK(outcome("rv64_core", {"--gdb", "here:0"}).exited_with(2));
  CHECK(outcome("rv64_core", {"--gdb", "0", "--gdb-wait", "maybe"}).exited_with(2));
  CHECK(outcome("rv64_core", {"--gdb-wait", "off"}).exited_with(2));
  CHECK(outcome("rv64_core", {"--gdb", "0", "--gdb-wait", "off"}).exited_with(0));
}

TEST_CASE("a run that waits for gdb ends at Ctrl-C, and refuses a second debugger") {
  const scratch_folder folder;
  command line = run_command(project_file("yaml/ring_allreduce.yaml"), folder.file("out"),
                             {{"params.core", "rv64_core"}, {"workload.bytes", "[1 KiB]"}});
  std::string words;
  for (const std::string& each : line.words) words += " '" + each + "'";
  const std::string said = "'" + folder.file("said") + "'";
  const std::string start = words + " --gdb 0 > " + said + " & run=$!; until [ -s " + said +
                            " ]; do :; done; port=$(sed 's/.*://' " + said + ");";
  const auto outcome = [](const std::string& script) {
    command shell;
    shell.words = {"bash", "-c", script};
    return run(shell);
  };
  const std::string end = " kill -INT $run; wait $run";
  const command_result lonely = outcome(start + end);
  CHECK(lonely.exited_with(1));
  CHECK(lonely.errors.find("failed: interrupted after ") != std::string::npos);

  std::filesystem::remove(folder.file("said"));
  const command_result crowded = outcome(
      start + " exec 3<>/dev/tcp/127.0.0.1/$port 4<>/dev/tcp/127.0.0.1/$port; cat <&4;" + end);
  CHECK(crowded.exited_with(1));
  CHECK(crowded.output.find("E.another debugger is connected to this run") != std::string::npos);
}
