#include "models/sparse/csr_file.hpp"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>

#include "models/sparse/csr_format.hpp"
#include "models/sparse/matrix_market.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/mapped_file.hpp"

namespace heddle {
namespace {

class csr_parser final {
 public:
  csr_parser(const std::byte* bytes, std::size_t size, const std::string& name)
      : bytes_(bytes), size_(size), name_(name) {}

  csr_view result() {
    read_header();
    check_size();
    view_.rows = header_.rows;
    view_.columns = header_.columns;
    view_.row_begin = reinterpret_cast<const std::uint64_t*>(bytes_ + sizeof header_);
    const std::size_t columns_at = sizeof header_ + (header_.rows + 1) * sizeof(std::uint64_t);
    view_.column = reinterpret_cast<const column_index*>(bytes_ + columns_at);
    if (header_.value_bytes != 0)
      view_.value =
          reinterpret_cast<const double*>(bytes_ + columns_at + csr_column_bytes(header_.nonzeros));
    check_rows();
    for (std::uint64_t row = 0; row < view_.rows; ++row) check_columns(row);
    if (view_.value != nullptr) check_values();
    return view_;
  }

 private:
  [[noreturn]] void refuse(std::uint64_t at, const std::string& message) const {
    throw user_error(fmt::format("{}: byte {}: {}", name_, at, message));
  }
  std::uint64_t offset_of(const void* item) const {
    return static_cast<std::uint64_t>(static_cast<const std::byte*>(item) - bytes_);
  }

  void read_header() {
    if (size_ >= 2 && std::memcmp(bytes_, "\x1f\x8b", 2) == 0)
      refuse(0, "the file is compressed by gzip: unpack it with gunzip");
    if (size_ < sizeof header_)
      refuse(size_, fmt::format("the file ends within its header of {} bytes", sizeof header_));
    std::memcpy(&header_, bytes_, sizeof header_);
    if (std::memcmp(header_.magic, csr_magic, sizeof header_.magic) != 0)
      refuse(0, fmt::format("a matrix of compressed rows begins with {}", csr_magic));
    check_range(8, "rows", header_.rows, 1);
    check_range(16, "columns", header_.columns, 1);
    if (header_.value_bytes != 0 && header_.value_bytes != sizeof(double))
      refuse(32, fmt::format("values have 0 or 8 bytes, not {}", header_.value_bytes));
  }

  void check_range(std::uint64_t at, const char* what, std::uint64_t count, std::uint64_t least) {
    if (count < least || count > most_matrix_rows)
      refuse(at,
             fmt::format("expected {} to {} {}, found {}", least, most_matrix_rows, what, count));
  }

  // Nonzeros are bounded by the size of the file first, so that nothing overflows.
  void check_size() const {
    const std::uint64_t rows_end = sizeof header_ + (header_.rows + 1) * sizeof(std::uint64_t);
    const std::uint64_t most = size_ / sizeof(column_index);
    const std::uint64_t expected = header_.nonzeros > most
                                       ? size_ + 1
                                       : rows_end + csr_column_bytes(header_.nonzeros) +
                                             header_.nonzeros * header_.value_bytes;
    if (expected > size_)
      refuse(size_, fmt::format("the file ends, but {} rows with {} nonzeros are announced",
                                header_.rows, header_.nonzeros));
    if (expected < size_)
      refuse(expected, fmt::format("{} bytes follow the matrix", size_ - expected));
  }

  void check_rows() const {
    if (view_.row_begin[0] != 0)
      refuse(offset_of(view_.row_begin),
             fmt::format("row 0 begins at nonzero 0, not {}", view_.row_begin[0]));
    for (std::uint64_t row = 0; row < view_.rows; ++row)
      if (view_.row_begin[row + 1] < view_.row_begin[row])
        refuse(offset_of(view_.row_begin + row + 1),
               fmt::format("row {} ends at nonzero {}, before it begins", row,
                           view_.row_begin[row + 1]));
    if (view_.nonzeros() != header_.nonzeros)
      refuse(offset_of(view_.row_begin + view_.rows),
             fmt::format("rows have {} nonzeros, {} are announced", view_.nonzeros(),
                         header_.nonzeros));
  }

  void check_columns(std::uint64_t row) const {
    for (std::uint64_t i = view_.row_begin[row]; i < view_.row_begin[row + 1]; ++i) {
      const column_index column = view_.column[i];
      if (column >= view_.columns)
        refuse(offset_of(view_.column + i),
               fmt::format("row {} has column {} of {}", row, column, view_.columns));
      if (i > view_.row_begin[row] && column <= view_.column[i - 1])
        refuse(offset_of(view_.column + i),
               fmt::format("row {} has column {} behind column {}: columns ascend, each once", row,
                           column, view_.column[i - 1]));
    }
  }

  void check_values() const {
    for (std::uint64_t i = 0; i < view_.nonzeros(); ++i)
      if (!fits_single(view_.value[i]))
        refuse(offset_of(view_.value + i),
               fmt::format("value {} is not finite in single precision", i));
  }

  const std::byte* bytes_;
  std::size_t size_;
  const std::string& name_;
  csr_header header_{};
  csr_view view_;
};

}  // namespace

csr_view parse_csr(const std::byte* bytes, std::size_t size, const std::string& name) {
  return csr_parser(bytes, size, name).result();
}

std::shared_ptr<const nonzero_source> open_csr(const std::string& path, std::uint32_t nodes) {
  const auto file = std::make_shared<const mapped_file>(path);
  return std::make_shared<csr_nonzeros>(parse_csr(file->data(), file->size(), path), file, nodes,
                                        std::filesystem::path(path).filename().string());
}

}  // namespace heddle
