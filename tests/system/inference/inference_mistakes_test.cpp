// What inference refuses, at its place, with exit code 2.
#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

struct mistake {
  std::string key, value, message;
};

}  // namespace

TEST_CASE("mistakes in inference exit with 2 and name the place") {
  const std::string tiny = "name: t, hidden: 128, intermediate: 256, layers: 2, vocabulary: 64";
  const mistake m = GENERATE_COPY(
      mistake{"workload.model", "llama2-7c", "did you mean 'llama2-7b'"},
      mistake{"workload.model", "{" + tiny + ", heads: 4}",
              "4 heads of t cannot be divided evenly"},
      mistake{"workload.model", "{" + tiny + ", heads: 8, kv_heads: 2}",
              "2 heads of keys and values"},
      mistake{"workload.model", "{" + tiny + ", heads: 8, hidden: 8}", "hidden"},
      mistake{"workload.dtype", "fp4", "did you mean 'fp8'"},
      mistake{"workload.batch", "0", "batch"}, mistake{"workload.algorithm", "scn", "did you mean"},
      mistake{"params.capacity", "1 GB", "does not fit"},
      mistake{"workload.kernels", "nowhere.csv", "nowhere.csv"},
      mistake{"workload.layer", "all", "did you mean"});
  const heddle_run done(project_file("yaml/inference.yaml"), {{m.key, m.value}});
  INFO(done.report());
  CHECK(done.result().exited_with(2));
  CHECK_THAT(done.report(), Catch::Contains(m.message));
}

TEST_CASE("GPUs without a kernel engine run no inference") {
  const heddle_run done(project_file("yaml/scin_dgx8.yaml"),
                        {{"workload",
                          "{kind: inference, model: llama2-7b, ranks: 'gpu*', setup: "
                          "'host*', algorithm: scin}"}});
  INFO(done.report());
  CHECK(done.result().exited_with(2));
  CHECK_THAT(done.report(), Catch::Contains("`kernel_engine`, gpu[0].cp has none"));
}

TEST_CASE("a wrong cell of measured times is told with file, line and column") {
  const scratch_folder folder;
  const std::string file = folder.file("times.csv");
  std::ofstream(file) << "operator,m,n,k,dtype,us\nqkv,512,1536,4096,fp16,-1\n";
  const heddle_run done(project_file("yaml/inference.yaml"), {{"workload.kernels", file}});
  INFO(done.report());
  CHECK(done.result().exited_with(2));
  CHECK_THAT(done.report(), Catch::Contains("times.csv:2:24"));
}
