#include "models/workloads/sparse/matrix_choice.hpp"

#include "models/sparse/open_matrix.hpp"
#include "models/workloads/gather/find_matrix.hpp"
#include "platform/text/number.hpp"

namespace heddle {

void matrix_choice::declare(CLI::App& command) {
  command.add_option("FILE", file, "Matrix Market, binary CSR, or a stand-in")->required();
  command.add_option("--nodes", nodes,
                     "that share the rows evenly; a stand-in has as many rows as they hold");
  command.add_option("--scale", scale, "of a stand-in: 1/16");
}

void matrix_choice::check() const {
  if (nodes == 0) throw user_error("--nodes 0: a matrix has at least one node");
  factor();
}

double matrix_choice::factor() const {
  try {
    return parse_scale(scale);
  } catch (const quantity_error& error) {
    throw user_error(std::string("--scale: ") + error.what());
  }
}

std::string matrix_choice::path() const {
  return find_matrix(file, "", {});
}

std::shared_ptr<const nonzero_source> matrix_choice::open() const {
  return open_matrix(path(), nodes, factor(), {});
}

}  // namespace heddle
