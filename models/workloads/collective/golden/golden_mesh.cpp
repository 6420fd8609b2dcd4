#include "models/workloads/collective/golden/golden_mesh.hpp"

#include <algorithm>

namespace heddle {
namespace {

struct mesh_reduction {
  dtype type;
  reduce_op op;
  const rank_inputs& inputs;
  std::size_t elements, columns;
  std::size_t root_x, root_y;

  std::size_t rows() const { return inputs.size() / columns; }
  tensor_bytes input(std::size_t x, std::size_t y) const {
    const std::byte* own = inputs[y * columns + x];
    return {own, own + elements * size_of(type)};
  }
  // The input of the tile that stands there, as the root sees it.
  tensor_bytes input_from_root(std::size_t x, std::size_t y) const {
    return input(mesh_coordinate(x, root_x, columns), mesh_coordinate(y, root_y, rows()));
  }
  void meet(tensor_bytes& sum, const tensor_bytes& other) const {
    reduce(type, op, sum.data(), other.data(), elements);
  }
};

// What leaves the router at (x, y) towards the root: its inputs, folded in the order of its ports.
tensor_bytes reduced_at(const mesh_reduction& work, std::size_t x, std::size_t y) {
  std::vector<tensor_bytes> operands;
  const bool is_roots_column = x == work.root_x;
  if (is_roots_column && y >= work.root_y && y + 1 < work.rows())
    operands.push_back(reduced_at(work, x, y + 1));
  if (x >= work.root_x && x + 1 < work.columns) operands.push_back(reduced_at(work, x + 1, y));
  if (is_roots_column && y <= work.root_y && y > 0) operands.push_back(reduced_at(work, x, y - 1));
  if (x <= work.root_x && x > 0) operands.push_back(reduced_at(work, x - 1, y));
  operands.push_back(work.input(x, y));
  tensor_bytes sum = std::move(operands.front());
  for (std::size_t i = 1; i < operands.size(); ++i) work.meet(sum, operands[i]);
  return sum;
}

}  // namespace

std::size_t mesh_coordinate(std::size_t standing, std::size_t root, std::size_t length) {
  return (length & (length - 1)) == 0 ? standing ^ root : (standing + root) % length;
}

tensor_bytes golden_mesh_reduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                std::size_t elements, std::size_t columns, std::size_t root) {
  const mesh_reduction work{type, op, inputs, elements, columns, root % columns, root / columns};
  return reduced_at(work, work.root_x, work.root_y);
}

tensor_bytes golden_mesh_reduce_scatter(dtype type, reduce_op op, const rank_inputs& inputs,
                                        std::size_t elements, std::size_t columns) {
  tensor_bytes all;
  for (std::size_t owner = 0; owner < inputs.size(); ++owner) {
    const element_range chunk = chunk_range(elements, inputs.size(), owner);
    std::vector<tensor_bytes> sums;  // of the columns
    for (std::size_t x = 0; x < columns; ++x) {
      rank_inputs column;
      for (std::size_t rank = x; rank < inputs.size(); rank += columns)
        column.push_back(inputs[rank] + chunk.begin * size_of(type));
      sums.push_back(golden_mesh_reduce(type, op, column, chunk.count, 1, owner / columns));
    }
    rank_inputs row;
    for (const tensor_bytes& each : sums) row.push_back(each.data());
    const tensor_bytes sum =
        golden_mesh_reduce(type, op, row, chunk.count, columns, owner % columns);
    all.insert(all.end(), sum.begin(), sum.end());
  }
  return all;
}

tensor_bytes golden_mesh_tree_reduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                     std::size_t elements, std::size_t columns, std::size_t root) {
  const mesh_reduction work{type, op, inputs, elements, columns, root % columns, root / columns};
  std::vector<tensor_bytes> rows;
  for (std::size_t y = 0; y < work.rows(); ++y) {
    std::vector<tensor_bytes> row;
    for (std::size_t x = 0; x < columns; ++x) row.push_back(work.input_from_root(x, y));
    for (std::size_t d = 1; d < columns; d *= 2)
      for (std::size_t x = 0; x + d < columns; x += 2 * d) work.meet(row[x], row[x + d]);
    rows.push_back(std::move(row.front()));
  }
  for (std::size_t d = 1; d < rows.size(); d *= 2)
    for (std::size_t y = 0; y + d < rows.size(); y += 2 * d) work.meet(rows[y], rows[y + d]);
  return std::move(rows.front());
}

tensor_bytes golden_mesh_line_reduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                     std::size_t elements, std::size_t columns, std::size_t root) {
  const mesh_reduction work{type, op, inputs, elements, columns, root % columns, root / columns};
  tensor_bytes sum;
  for (std::size_t y = work.rows(); y-- > 0;) {
    tensor_bytes row = work.input_from_root(columns - 1, y);
    for (std::size_t x = columns - 1; x-- > 0;) work.meet(row, work.input_from_root(x, y));
    if (!sum.empty()) work.meet(row, sum);
    sum = std::move(row);
  }
  return sum;
}

}  // namespace heddle
