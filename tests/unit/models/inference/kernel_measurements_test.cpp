// Files of measured times: which kernels they replace, and where a mistake is.
#include <catch2/catch.hpp>
#include <fstream>

#include "models/workloads/inference/kernel_measurements.hpp"
#include "tests/support/scratch_folder.hpp"

using namespace heddle;

namespace {

const std::string heading = "operator,m,n,k,dtype,us\n";

kernel_measurements read(const scratch_folder& folder, const std::string& text) {
  std::ofstream(folder.file("times.csv")) << text;
  return kernel_measurements(folder.file("times.csv"));
}

}  // namespace

TEST_CASE("a measured time goes to the kernel with its sizes and type alone") {
  const scratch_folder folder;
  const kernel_measurements times = read(
      folder, "# H200\n\n" + heading + "qkv,512,1536,4096,fp16,12.5\r\ndown, 1, 2, 3, fp8, 7\n");
  CHECK(times.size() == 2);
  decoder_kernels kernels;
  for (const std::uint64_t m : {512, 513}) {
    decoder_kernel each;
    each.name = "qkv";
    each.m = m;
    each.n = 1536;
    each.k = 4096;
    kernels[INFERENCE_ATTENTION].push_back(each);
  }
  times.apply(kernels);
  CHECK(kernels[INFERENCE_ATTENTION][0].descriptor.time == 12'500 * fs_per_ns);
  CHECK(kernels[INFERENCE_ATTENTION][1].descriptor.time == 0);
}

TEST_CASE("mistakes in a file of times have their line and column") {
  struct row {
    const char *text, *place, *message;
  };
  const row r = GENERATE(
      row{"qvk,1,2,3,fp16,4\n", ":2:1", "did you mean 'qkv'"},
      row{"qkv,1,2,3,fp16,-4\n", ":2:16", "a kernel takes"},
      row{"qkv,1,2,3,fp16,0\n", ":2:16", "a kernel takes"},
      row{"qkv,1,2,3,fp16,nan\n", ":2:16", ""}, row{"qkv,1,0,3,fp16,4\n", ":2:7", "at least 1"},
      row{"qkv,1,-2,3,fp16,4\n", ":2:7", ""}, row{"qkv,1,2,3,fp15,4\n", ":2:11", "fp16"},
      row{"qkv,1,2,3,fp16\n", ":2:15", "expected us"},
      row{"qkv,1,2,3,fp16,4,5\n", ":2:18", "more than"},
      row{"qkv,1,2,3,fp16,4\nqkv,1,2,3,fp16,5\n", ":3:1", "line before"});
  const scratch_folder folder;
  CHECK_THROWS_WITH(
      read(folder, heading + r.text),
      Catch::Contains("times.csv" + std::string(r.place)) && Catch::Contains(r.message));
  CHECK_THROWS_WITH(read(folder, "qkv,1,2,3,fp16,4\n"),
                    Catch::Contains(":1:1") && Catch::Contains("heading"));
  CHECK_THROWS_WITH(read(folder, ""), Catch::Contains("heading"));
}
