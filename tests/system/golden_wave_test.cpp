// The golden wave: two ranks on one plane, without the names of functions, which depend on what the
// compiler makes one. Whoever changes a time on purpose makes the file anew:
//
//   build/heddle run yaml/ring_allreduce.yaml --set params.gpus=2 --set params.planes=1
//     --set 'workload.bytes=4 KiB' --wave waveforms/golden/two_ranks.vcd
//     --wave-signals '*' --wave-signals '!*.function'
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"
#include "tests/support/vcd_reader.hpp"

using namespace heddle;

TEST_CASE("two ranks make the golden wave") {
  const scratch_folder folder;
  const settings two_ranks = {
      {"params.gpus", "2"}, {"params.planes", "1"}, {"workload.bytes", "4 KiB"}};
  const heddle_run run(
      project_file("yaml/ring_allreduce.yaml"), two_ranks,
      {"--wave", folder.file("w.vcd"), "--wave-signals", "*", "--wave-signals", "!*.function"});
  INFO(run.report());
  REQUIRE(run.is_verified());
  const vcd_wave golden = read_vcd(project_file("waveforms/golden/two_ranks.vcd"));
  CHECK(first_difference(golden, read_vcd(folder.file("w.vcd"))).empty());
}
