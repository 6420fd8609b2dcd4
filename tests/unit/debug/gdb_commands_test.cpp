// What packets of gdb do to cores.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "platform/debug/gdb_commands.hpp"
#include "tests/unit/debug/fake_target.hpp"

using namespace heddle;
using action = gdb_answer::action;

namespace {

struct bench {
  fake_target a{"gpu[0].cp"}, b{"gpu[1].cp"};
  std::vector<debug_target*> both = {&a, &b};
  gdb_commands commands{both, [](const std::string& words) { return "<" + words + ">"; }};

  std::string reply(const std::string& packet) {
    const gdb_answer answer = commands.take(packet);
    CHECK(answer.next == action::none);
    return answer.reply;
  }
};

}  // namespace

TEST_CASE("registers travel in the order of memory") {
  bench t;
  CHECK(t.reply("g") == "efcdab89674523010000008000000000");
  CHECK(t.reply("p0") == "efcdab8967452301");
  CHECK(t.reply("p42") == "44332211");
  CHECK(t.reply("p2") == "E01");
  CHECK(t.reply("P1=0400000000000000") == "OK");
  CHECK(t.a.registers[1] == 4);
  CHECK(t.reply("P1=04") == "E01");
  CHECK(t.reply("P42=00000000") == "E0e");
  CHECK(t.reply("G02000000000000000300000000000000") == "OK");
  CHECK(t.a.registers == std::vector<std::uint64_t>{2, 3});
  CHECK(t.reply("G02") == "E01");
  CHECK(t.reply("G09000000000000000a") == "E01");  // nothing is written
  CHECK(t.a.registers == std::vector<std::uint64_t>{2, 3});
}

TEST_CASE("registers and memory are those of the chosen core") {
  bench t;
  t.b.registers[0] = 1;
  CHECK(t.reply("Hg2") == "OK");
  CHECK(t.reply("p0") == "0100000000000000");
  CHECK(t.reply("M1000,2:abcd") == "OK");
  CHECK(t.b.memory[1] == 0xcd);
  CHECK(t.a.memory[1] == 0);
  CHECK(t.a.changes == 1);  // memory may be shared
  CHECK(t.b.changes == 1);
  CHECK(t.reply("Hg3") == "E01");
  CHECK(t.reply("Hc-1") == "OK");
  CHECK(t.reply("qC") == "QC2");
}

TEST_CASE("memory that nobody has cannot be accessed") {
  bench t;
  CHECK(t.reply("m1000,4") == "00000000");
  CHECK(t.reply("m100e,4") == "E0e");
  CHECK(t.reply("M100e,4:00000000") == "E0e");
  CHECK(t.reply("M1000,4:00") == "E01");
  CHECK(t.reply("X1000,0:") == "OK");
  CHECK(t.reply(std::string("X1000,2:\x7f\x00", 10)) == "OK");
  CHECK(t.reply("m1000,2") == "7f00");
  for (const char* broken :
       {"m", "m1000", "m1000,", "m1000,4x", "mx,4", "m11112222333344445,4", "M1000,1"})
    CHECK(t.reply(broken) == "E01");
}

TEST_CASE("threads are the cores, by name") {
  bench t;
  CHECK(t.reply("qfThreadInfo") == "m1,2");
  CHECK(t.reply("qsThreadInfo") == "l");
  CHECK(t.reply("T2") == "OK");
  CHECK(t.reply("T3") == "E01");
  const std::string threads = t.reply("qXfer:threads:read::0,1000");
  CHECK(threads.front() == 'l');
  CHECK(threads.find("<thread id=\"2\" core=\"1\" name=\"gpu[1].cp\">a&lt;b</thread>") !=
        std::string::npos);
}

TEST_CASE("documents come in parts") {
  bench t;
  const std::string whole = t.reply("qXfer:features:read:target.xml:0,1000").substr(1);
  CHECK(whole.find("<architecture>test:64</architecture>\n<osabi>none</osabi>\n<feature ") !=
        std::string::npos);
  CHECK(whole.find("<reg name=\"control\" bitsize=\"32\" regnum=\"66\" type=\"int\"/>") !=
        std::string::npos);
  std::string parts;
  for (std::string part = "m"; part.front() == 'm';) {
    part = t.reply(fmt::format("qXfer:features:read:target.xml:{:x},10", parts.size()));
    parts += part.substr(1);
  }
  CHECK(parts == whole);
  CHECK(t.reply("qXfer:features:read:target.xml:ffff,10") == "l");
  CHECK(t.reply("qXfer:features:read:other.xml:0,10") == "E00");
  CHECK(t.reply("qXfer:memory-map:read::0,10").empty());
}

TEST_CASE("who goes on alone keeps the others from running until the next stop") {
  bench t;
  CHECK(t.commands.take("vCont;c:1").next == action::resume);
  CHECK(t.b.is_held);
  CHECK_FALSE(t.a.is_held);
  t.commands.report({&t.a});
  CHECK_FALSE(t.b.is_held);
  t.commands.take("vCont;s:1");  // a step over a breakpoint changes no simulated time
  CHECK_FALSE(t.b.is_held);
  t.commands.take("vCont;c:2");
  CHECK(t.a.is_held);
  t.commands.remove_all_points();
  CHECK_FALSE(t.a.is_held);
}

TEST_CASE("vCont: the first action that fits a thread counts") {
  bench t;
  CHECK(t.commands.take("vCont;s:2;c").next == action::resume);
  CHECK_FALSE(t.a.steps);
  CHECK(t.b.steps);
  t.commands.report({&t.b, debug_stop::reason::step});
  CHECK_FALSE(t.b.steps);
  CHECK(t.commands.take("vCont;c").next == action::resume);
  CHECK(t.reply("vCont;x") == "E01");
  CHECK(t.reply("vCont;s:9") == "E01");
  CHECK(t.reply("vCont;") == "E01");
  CHECK(t.reply("vCont;;c") == "E01");
  CHECK(t.reply("vCont?") == "vCont;c;C;s;S");
}

TEST_CASE("a core goes on where it is told to") {
  bench t;
  CHECK(t.commands.take("c80001234").next == action::resume);
  CHECK(t.a.registers[1] == 0x80001234);
  CHECK(t.commands.take("C05;80000010").next == action::resume);
  CHECK(t.a.registers[1] == 0x80000010);
  CHECK(t.commands.take("s40").next == action::resume);
  CHECK(t.a.registers[1] == 0x40);
  CHECK(t.commands.take("c").next == action::resume);
  CHECK(t.a.registers[1] == 0x40);
  CHECK(t.reply("cxyz") == "E01");
}

TEST_CASE("breakpoints reach the cores when they run, and survive a lone step") {
  bench t;
  using addresses = std::vector<std::uint64_t>;
  CHECK(t.reply("Z0,1000,2") == "OK");
  CHECK(t.reply("Z1,1004,4") == "OK");
  CHECK(t.reply("Z2,1008,4") == "OK");
  CHECK(t.b.breakpoints.empty());
  t.commands.take("vCont;c");
  CHECK(t.b.breakpoints == addresses{0x1000, 0x1004});
  REQUIRE(t.b.watches.size() == 1);
  CHECK(t.b.watches[0].stores);
  CHECK_FALSE(t.b.watches[0].loads);
  CHECK(t.reply("z0,1000,2") == "OK");
  t.commands.take("vCont;s:1");
  CHECK(t.b.breakpoints == addresses{0x1000, 0x1004});
  t.commands.take("vCont;s:1;c");
  CHECK(t.b.breakpoints == addresses{0x1004});
  CHECK(t.reply("Z5,0,4").empty());
  CHECK(t.reply("Z2,1008,0") == "E01");
}

TEST_CASE("a stop says where and why") {
  bench t;
  CHECK(t.commands.report({&t.b, debug_stop::reason::breakpoint}) == "T05swbreak:;thread:2;");
  CHECK(t.reply("?") == "T05swbreak:;thread:2;");
  debug_stop watched{&t.a, debug_stop::reason::watch};
  watched.watch = {0x10, 8, true, true};
  watched.address = 0x14;
  CHECK(t.commands.report(watched) == "T05awatch:14;thread:1;");
  watched.watch.loads = false;
  CHECK(t.commands.report(watched) == "T05watch:14;thread:1;");
  CHECK(t.commands.report({&t.a, debug_stop::reason::signal, 2}) == "T02thread:1;");
}

TEST_CASE("monitor commands travel as digits") {
  bench t;
  CHECK(t.reply("qRcmd,74696d65") == "3c74696d653e");
  CHECK(t.reply("qRcmd,7") == "E01");
}

TEST_CASE("detach, kill and packets that nobody knows") {
  bench t;
  CHECK(t.commands.take("D").next == action::detach);
  CHECK(t.commands.take("k").next == action::kill);
  CHECK(t.commands.take("vKill;1").next == action::kill);
  CHECK(t.commands.take("QStartNoAckMode").next == action::stop_acknowledging);
  for (const char* nothing : {"", "vMustReplyEmpty", "qTStatus", "Qx", "!", "R00", "vFile:open:"})
    CHECK(t.reply(nothing).empty());
}
