// The kinds of workload that compute with the properties that a gather brings: sparse kernels.
#include "models/workloads/gather/gather_workload.hpp"
#include "models/workloads/sparse/kernel_job.hpp"

namespace heddle {
namespace {

class kernel_workload final : public gather_workload {
 public:
  kernel_workload(gather_config gather, kernel_config kernel)
      : gather_workload(std::move(gather)), kernel_(std::move(kernel)) {}

  std::string note() const override {
    return gather_workload::note() +
           "computed: when the last node has computed on its last batch\n"
           "  1 node: speed-up over one node with all properties; ideal: without communication\n";
  }

 private:
  std::unique_ptr<workload_job> make_job(const gather_case& what, std::uint32_t number) override {
    return std::make_unique<kernel_job>(context(), config(), kernel_, system(), what, number);
  }

  const kernel_config kernel_;
};

workload_kind kind_of(sparse_kernel kernel, const char* meaning) {
  return {name_of(kernel),
          meaning,
          "gathers",
          {},
          [kernel](yaml_mapping& mapping, const workload_settings& settings) {
            gather_config gather = read_gather(mapping, settings);
            kernel_config config = read_kernel(kernel, mapping, gather);
            return std::make_unique<kernel_workload>(std::move(gather), std::move(config));
          }};
}

HEDDLE_REGISTER_WORKLOAD(spmv, kind_of(sparse_kernel::spmv,
                                       "multiplies a sparse matrix and a vector, gathered"));
HEDDLE_REGISTER_WORKLOAD(spmm, kind_of(sparse_kernel::spmm,
                                       "multiplies a sparse matrix and a dense one, gathered"));
HEDDLE_REGISTER_WORKLOAD(sddmm, kind_of(sparse_kernel::sddmm,
                                        "samples the product of two dense matrices, one gathered"));

}  // namespace
}  // namespace heddle
