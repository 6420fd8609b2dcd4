#include "models/sparse/open_matrix.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "models/sparse/csr_file.hpp"
#include "models/sparse/matrix_market.hpp"
#include "models/sparse/standin.hpp"
#include "platform/text/number.hpp"
#include "platform/text/quote.hpp"

namespace heddle {

std::shared_ptr<const nonzero_source> open_matrix(const std::string& path, std::uint32_t nodes,
                                                  double scale, const source_place& named) {
  const std::filesystem::path file(path);
  const std::string kind = file.extension().string();
  if (kind == ".yaml") {
    if (!(scale > 0 && scale <= 1))
      throw user_error(named,
                       fmt::format("the scale of stand-in {} is above 0 and at most 1, not {:g}",
                                   heddle::quoted(path), scale));
    return std::make_shared<standin>(read_standin_description(path), nodes, scale);
  }
  if (kind != ".mtx" && kind != ".csr")
    throw user_error(named, fmt::format("matrix {} is neither Matrix Market (.mtx), nor compressed "
                                        "rows (.csr), nor a stand-in (.yaml)",
                                        heddle::quoted(path)));
  if (scale != 1)
    throw user_error(named,
                     "only a stand-in has a scale, " + heddle::quoted(path) + " is a real matrix");
  if (kind == ".csr") return open_csr(path, nodes);
  return std::make_shared<csr_nonzeros>(read_matrix_market(path), nodes, file.filename().string());
}

double parse_scale(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return parse_double(text);
  const double under = parse_double(trimmed(text.substr(slash + 1)));
  if (under == 0) throw quantity_error("a scale of " + std::string(text) + " divides by zero");
  return parse_double(trimmed(text.substr(0, slash))) / under;
}

}  // namespace heddle
