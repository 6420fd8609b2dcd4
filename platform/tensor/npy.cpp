#include "platform/tensor/npy.hpp"

#include <unistd.h>

#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <cassert>
#include <cerrno>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "platform/tensor/npy_header.hpp"

namespace heddle {
namespace {

constexpr std::string_view accepted =
    "fp16 is '<f2', fp32 '<f4', int32 '<i4', fp64 '<f8', bf16 '<u2', '|V2' or '<V2', fp8 '|u1' or "
    "'|V1'";

std::string_view descr_of(dtype type) {
  switch (type) {
    case dtype::fp16:
      return "<f2";
    case dtype::bf16:
      return "<u2";
    case dtype::fp32:
      return "<f4";
    case dtype::int32:
      return "<i4";
    case dtype::fp64:
      return "<f8";
    case dtype::fp8:
      return "|u1";
  }
  assert(false);
  return "";
}

std::optional<dtype> type_of(std::string_view descr) {
  if (descr == "|V2" || descr == "<V2") return dtype::bf16;
  if (descr == "|V1") return dtype::fp8;
  for (const dtype type :
       {dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32, dtype::fp64, dtype::fp8}) {
    if (descr == descr_of(type)) return type;
  }
  return std::nullopt;
}

void check_type(const npy_header& header, const std::string& name, dtype wanted) {
  const std::optional<dtype> found = type_of(header.descr);
  if (found == wanted) return;
  std::string message = "the file holds " + npy_quoted(header.descr);
  if (found) message.append(" (").append(name_of(*found)).append(")");
  message.append(", but ").append(name_of(wanted)).append(" is wanted");
  if (!header.descr.empty() && header.descr[0] == '>') message += "; big-endian is not supported";
  if (!found) message.append("; ").append(accepted);
  throw npy_error(name, header.descr_at, message);
}

std::size_t data_bytes(const npy_header& header, const std::string& name, dtype type) {
  std::size_t bytes = size_of(type);
  for (const std::size_t dimension : header.shape) {
    if (dimension != 0 && bytes > std::numeric_limits<std::size_t>::max() / dimension) {
      throw npy_error(name, header.shape_at, "the shape has more elements than memory can hold");
    }
    bytes *= dimension;
  }
  return bytes;
}

// Checks everything; the array is complete but for its data, which begin at the returned offset.
std::size_t parse_all_but_data(const std::byte* bytes, std::size_t size, const std::string& name,
                               dtype wanted, npy_array& array) {
  npy_header header = parse_npy_header(bytes, size, name);
  check_type(header, name, wanted);
  if (header.fortran_order && header.shape.size() > 1) {
    throw npy_error(name, header.fortran_order_at,
                    "Fortran order is not supported; save numpy.ascontiguousarray(array)");
  }
  const std::size_t expected = data_bytes(header, name, wanted);
  const std::size_t found = size - header.data_at;
  if (found < expected) {
    throw npy_error(name, size,
                    "the file ends after " + std::to_string(found) + " of " +
                        std::to_string(expected) + " bytes of data");
  }
  if (found > expected) {
    throw npy_error(name, header.data_at + expected,
                    std::to_string(found - expected) + " bytes follow the data");
  }
  array.type = wanted;
  array.shape = std::move(header.shape);
  return header.data_at;
}

[[noreturn]] void fail_on_file(const std::filesystem::path& path, const std::string& what,
                               int error) {
  const std::string reason = error != 0 ? std::generic_category().message(error) : "input/output";
  throw user_error(source_place{path.string(), 0, 0}, what + ": " + reason);
}

std::size_t size_of_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = static_cast<std::size_t>(std::filesystem::file_size(path, error));
  if (error) fail_on_file(path, "cannot be read", error.value());
  return size;
}

}  // namespace

npy_array parse_npy(const std::byte* bytes, std::size_t size, const std::string& name,
                    dtype wanted) {
  npy_array array;
  const std::size_t data_at = parse_all_but_data(bytes, size, name, wanted, array);
  array.data.assign(bytes + data_at, bytes + size);
  return array;
}

std::vector<std::size_t> read_npy_shape(const std::filesystem::path& path, dtype wanted) {
  namespace ipc = boost::interprocess;
  npy_array array;
  if (size_of_file(path) == 0) return parse_npy(nullptr, 0, path.string(), wanted).shape;
  try {
    const ipc::file_mapping file(path.c_str(), ipc::read_only);
    const ipc::mapped_region bytes(file, ipc::read_only);
    parse_all_but_data(static_cast<const std::byte*>(bytes.get_address()), bytes.get_size(),
                       path.string(), wanted, array);
  } catch (const ipc::interprocess_exception& error) {
    fail_on_file(path, "cannot be read", error.get_native_error());
  }
  return array.shape;
}

npy_array read_npy(const std::filesystem::path& path, dtype wanted) {
  const std::size_t size = size_of_file(path);
  std::vector<std::byte> bytes(size);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file) fail_on_file(path, "cannot be read", errno);
  npy_array array;
  const std::size_t data_at =
      parse_all_but_data(bytes.data(), bytes.size(), path.string(), wanted, array);
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(data_at));
  array.data = std::move(bytes);
  return array;
}

std::string npy_preamble(dtype type, const std::vector<std::size_t>& shape) {
  assert(shape.size() <= npy_max_dimensions);
  constexpr std::size_t before_dictionary = 10;
  constexpr std::size_t alignment = 64;  // of the data, as NumPy does
  std::string dictionary = "{'descr': '";
  dictionary.append(descr_of(type)).append("', 'fortran_order': False, 'shape': (");
  for (std::size_t i = 0; i < shape.size(); ++i) {
    dictionary.append(i == 0 ? "" : ", ").append(std::to_string(shape[i]));
  }
  dictionary.append(shape.size() == 1 ? ",), }" : "), }");
  const std::size_t used = before_dictionary + dictionary.size() + 1;
  dictionary.append((alignment - used % alignment) % alignment, ' ').append("\n");

  std::string preamble("\x93NUMPY\x01\x00", 8);
  preamble += static_cast<char>(dictionary.size() & 0xff);
  preamble += static_cast<char>(dictionary.size() >> 8);
  return preamble + dictionary;
}

void write_npy(const std::filesystem::path& path, const npy_array& array) {
  const std::string preamble = npy_preamble(array.type, array.shape);
  std::filesystem::path partial = path;
  partial += ".partial." + std::to_string(::getpid());
  errno = 0;
  std::ofstream file(partial, std::ios::binary);
  file.write(preamble.data(), static_cast<std::streamsize>(preamble.size()));
  file.write(reinterpret_cast<const char*>(array.data.data()),
             static_cast<std::streamsize>(array.data.size()));
  file.close();
  int problem = file ? 0 : (errno != 0 ? errno : EIO);
  std::error_code error;
  if (problem == 0) {
    std::filesystem::rename(partial, path, error);
    problem = error.value();
  }
  if (problem != 0) {
    std::filesystem::remove(partial, error);
    fail_on_file(path, "cannot be written", problem);
  }
}

}  // namespace heddle
