#include "models/workloads/moe/routing_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include "platform/tensor/npy_header.hpp"
#include "platform/text/input_file.hpp"

namespace heddle {
namespace {

using element = std::int16_t;

class routing_reader {
 public:
  routing_reader(std::string path, const moe_shape& shape) : path_(std::move(path)), shape_(shape) {
    std::ifstream file = open_input_file(path_);
    content_.assign(std::istreambuf_iterator<char>(file), {});
    const npy_header header = parse_npy_header(reinterpret_cast<const std::byte*>(content_.data()),
                                               content_.size(), path_);
    check_header(header);
    check_length(header);
    next_ = header.data_at;
  }

  expert_routing routing() {
    expert_routing result(shape_.gpus, shape_.tokens);
    std::vector<std::uint16_t> experts;
    for (std::uint64_t token = 0; token < tokens(); ++token) {
      read_token(token, experts);
      result.add(experts);
    }
    return result;
  }

 private:
  std::uint64_t tokens() const { return std::uint64_t{shape_.gpus} * shape_.tokens; }

  void check_header(const npy_header& header) const {
    if (header.descr != "<i2")
      throw npy_error(path_, header.descr_at,
                      "a routing has elements of '<i2', not " + npy_quoted(header.descr));
    if (header.fortran_order)
      throw npy_error(path_, header.fortran_order_at, "a routing is in C order");
    const std::vector<std::size_t> wanted = {shape_.gpus, shape_.tokens, shape_.topk};
    if (header.shape != wanted)
      throw npy_error(path_, header.shape_at,
                      fmt::format("expected the shape [gpus, tokens, topk] = {}, found {}", wanted,
                                  header.shape));
  }

  void check_length(const npy_header& header) const {
    const std::size_t wanted = tokens() * shape_.topk * sizeof(element);
    const std::size_t found = content_.size() - header.data_at;
    if (found != wanted)
      throw npy_error(path_, header.data_at,
                      fmt::format("expected {} B of data, found {}", wanted, found));
  }

  void read_token(std::uint64_t token, std::vector<std::uint16_t>& experts) {
    experts.clear();
    for (std::uint32_t i = 0; i < shape_.topk; ++i, next_ += sizeof(element)) {
      element expert = 0;
      std::memcpy(&expert, content_.data() + next_, sizeof expert);
      if (expert == -1) continue;
      check_expert(token, expert, experts);
      experts.push_back(static_cast<std::uint16_t>(expert));
    }
  }

  void check_expert(std::uint64_t token, element expert,
                    const std::vector<std::uint16_t>& before) const {
    if (expert < -1 || expert >= static_cast<std::int64_t>(shape_.experts))
      throw npy_error(path_, next_,
                      fmt::format("token {} is for expert {}, of {} (-1: for none)", token, expert,
                                  shape_.experts));
    if (std::find(before.begin(), before.end(), expert) != before.end())
      throw npy_error(path_, next_, fmt::format("token {} is for expert {} twice", token, expert));
  }

  const std::string path_;
  const moe_shape& shape_;
  std::string content_;
  std::size_t next_ = 0;  // offset in the file
};

}  // namespace

expert_routing read_routing(const std::filesystem::path& path, const moe_shape& shape) {
  return routing_reader(path.string(), shape).routing();
}

}  // namespace heddle
