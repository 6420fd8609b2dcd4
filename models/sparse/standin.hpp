// A matrix that is computed, not stored, with the structure that the literature reports of a real
// one: as many rows and nonzeros, as redundant, as local and as shared among nodes.
//
// Where a node's nonzeros point to is a function of their position alone. Of every 64 positions
// some are remote; their number follows the slice (64 to a node) that they are in. Remote nonzeros
// visit the node's remote columns (standin_columns.hpp) several times: once in order, and again in
// distances that are spread logarithmically over all of them. A visit uses a column first when it
// comes to it, and then again at log-uniform distances of up to 256 columns. Local columns are
// spread evenly around the diagonal.
//
// Limitations: columns within a row are not sorted, and a row may hold one twice. All rows of a
// node have the same number of nonzeros, give or take one.
#pragma once

#include <string>
#include <vector>

#include "models/sparse/nonzero_source.hpp"
#include "models/sparse/standin_description.hpp"

namespace heddle {

class standin final : public nonzero_source {
 public:
  // Rows, nonzeros and remote columns times `scale`; each node has as many rows as it would have
  // among the nodes of the description.
  standin(const standin_description& description, std::uint32_t nodes, double scale);

  std::uint64_t nonzeros_of(std::uint32_t node) const override { return nodes_[node].nonzeros; }
  void read_columns(std::uint32_t node, std::uint64_t first, std::size_t count,
                    column_index* to) const override;
  void read_values(std::uint32_t node, std::uint64_t first, std::size_t count,
                   double* to) const override;
  std::uint64_t first_of_row(std::uint32_t node, std::uint64_t row) const override;
  std::string name() const override { return name_; }
  std::uint32_t batch() const override { return description_.source.batch; }

  const standin_description& description() const { return description_; }

 private:
  static constexpr std::uint64_t slices = 64;
  static constexpr std::uint64_t block = 64;

  struct node_layout {
    std::uint64_t nonzeros = 0, remote = 0;
    std::vector<std::uint64_t> remote_before;  // of each slice, and of the end
    std::vector<column_index> columns;         // the different remote ones
    std::uint64_t first_row = 0, rows = 0;
    std::uint64_t stream = 0;  // of random numbers

    std::uint64_t slice_begin(std::uint64_t slice) const { return slice * nonzeros / slices; }
  };
  void divide_slices(node_layout& node) const;
  // A block is what a slice has of 64 consecutive positions.
  void fill_block(const node_layout& node, std::uint64_t slice, std::uint64_t begin,
                  std::uint64_t end, column_index* to) const;
  void fill_local(const node_layout& node, std::uint64_t block_begin, std::uint64_t begin,
                  std::uint64_t count, column_index* to) const;
  void fill_remote(const node_layout& node, std::uint64_t first, std::uint64_t count,
                   column_index* to) const;
  std::uint64_t fill_stretch(const node_layout& node, std::uint64_t first, std::uint64_t count,
                             column_index* to) const;

  standin_description description_;
  std::string name_;
  std::vector<node_layout> nodes_;
  std::vector<std::uint8_t> distances_;  // log-uniform, less one
  std::vector<double> visit_shares_;     // where each visit ends within a round; the last is 1
};

}  // namespace heddle
