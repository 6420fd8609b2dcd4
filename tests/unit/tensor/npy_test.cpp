#include "platform/tensor/npy.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "platform/text/diagnostic.hpp"

namespace {

using heddle::dtype;
using heddle::npy_array;

const std::string magic = "\x93NUMPY";

// A file of format 1.0 as NumPy writes it, header padded with spaces to 64 bytes.
std::string file_of(const std::string& dictionary, const std::string& data) {
  std::string text = dictionary;
  text.append(63 - (10 + text.size()) % 64, ' ').append("\n");
  return magic + std::string("\x01\x00", 2) + static_cast<char>(text.size()) + '\0' + text + data;
}

std::string dictionary(const std::string& descr, const std::string& shape,
                       const std::string& fortran_order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran_order + ", 'shape': " + shape +
         ", }";
}

npy_array parse(const std::string& file, dtype wanted) {
  return heddle::parse_npy(reinterpret_cast<const std::byte*>(file.data()), file.size(),
                           "ranks/rank0.npy", wanted);
}

std::string error_of(const std::string& file, dtype wanted = dtype::fp32) {
  try {
    parse(file, wanted);
  } catch (const heddle::user_error& error) {
    return error.what();
  }
  return "no error";
}

std::string error_of_shape(const std::string& shape) {
  return error_of(file_of(dictionary("<f4", shape), ""));
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class temporary_folder {
 public:
  temporary_folder() {
    std::string pattern = std::filesystem::temp_directory_path() / "heddle_npy_XXXXXX";
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~temporary_folder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

using Catch::Contains;
using Catch::StartsWith;

}  // namespace

TEST_CASE("files are byte for byte what NumPy writes", "[tensor]") {
  const temporary_folder folder;
  const auto path = folder.path() / "a.npy";
  const std::string data("\x00\x3c\x00\xc0\xff\x7b", 6);
  npy_array array{dtype::fp16, {3}, {}};
  for (const char c : data) array.data.push_back(static_cast<std::byte>(c));
  heddle::write_npy(path, array);
  // numpy.save of numpy.array([1, -2, 65504], numpy.float16)
  const std::string expected = magic + std::string("\x01\x00\x76\x00", 4) +
                               "{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }" +
                               std::string(60, ' ') + "\n" + data;
  CHECK(content_of(path) == expected);
  const npy_array again = heddle::read_npy(path, dtype::fp16);
  CHECK(again.shape == array.shape);
  CHECK(again.data == array.data);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("every type and rank goes out and comes back", "[tensor]") {
  const temporary_folder folder;
  const auto path = folder.path() / "a.npy";
  for (const dtype type : {dtype::fp16, dtype::bf16, dtype::fp32, dtype::int32, dtype::fp8}) {
    for (const auto& shape : std::vector<std::vector<std::size_t>>{{}, {0}, {5}, {2, 3, 4}}) {
      std::size_t bytes = heddle::size_of(type);
      for (const std::size_t dimension : shape) bytes *= dimension;
      const npy_array array{type, shape, std::vector<std::byte>(bytes, std::byte{0x5a})};
      heddle::write_npy(path, array);
      const npy_array again = heddle::read_npy(path, type);
      CHECK(again.type == type);
      CHECK(again.shape == shape);
      CHECK(again.data == array.data);
    }
  }
}

TEST_CASE("formats 2.0 and 3.0, odd spacing, bf16 as raw words", "[tensor]") {
  const std::string text = "{ \"shape\" : ( 2 , 1 ) , \"descr\":'<i4',\"fortran_order\":False }";
  for (const char major : {'\x02', '\x03'}) {
    const std::string file = magic + major + '\0' + static_cast<char>(text.size()) +
                             std::string(3, '\0') + text + "12345678";
    CHECK(parse(file, dtype::int32).shape == std::vector<std::size_t>{2, 1});
  }
  for (const auto* descr : {"<u2", "|V2", "<V2"}) {
    CHECK(parse(file_of(dictionary(descr, "(2,)"), "abcd"), dtype::bf16).data.size() == 4);
  }
  CHECK(parse(file_of(dictionary("<f2", "(2,)", "True"), "abcd"), dtype::fp16).shape.size() == 1);
}

TEST_CASE("another type than wanted is an error that names both", "[tensor]") {
  CHECK(error_of(file_of(dictionary("<f4", "(1,)"), "abcd"), dtype::fp16) ==
        "ranks/rank0.npy: byte 20: the file holds '<f4' (fp32), but fp16 is wanted");
  CHECK_THAT(error_of(file_of(dictionary(">f4", "(1,)"), "abcd")),
             Contains("'>f4', but fp32 is wanted; big-endian"));
  CHECK_THAT(error_of(file_of(dictionary("<i8", "(1,)"), "abcdefgh")), Contains("fp32 '<f4'"));
}

TEST_CASE("mistakes in the preamble name their byte", "[tensor]") {
  CHECK_THAT(error_of(""), StartsWith("ranks/rank0.npy: byte 0: not an .npy file"));
  CHECK_THAT(error_of("\x93NUMPZ\x01"), Contains("byte 0: not an .npy file"));
  CHECK_THAT(error_of(magic + "\x01"), Contains("byte 7: the file ends before its version"));
  CHECK_THAT(error_of(magic + std::string("\x04\x00", 2)), Contains("byte 6: version 4.0"));
  CHECK_THAT(error_of(magic + std::string("\x01\x00\x01", 3)),
             Contains("byte 9: the file ends before its header"));
  CHECK_THAT(error_of(magic + std::string("\x02\x00\xff\xff\xff\xff{}", 8)),
             Contains("byte 8: header says 4294967295 bytes"));
}

TEST_CASE("mistakes in the dictionary name their byte", "[tensor]") {
  CHECK_THAT(error_of(file_of("{}", "")), Contains("byte 12: the header has no 'descr'"));
  CHECK_THAT(error_of(file_of("{'color': 1}", "")), Contains("byte 11: unknown key 'color'"));
  CHECK_THAT(error_of(file_of("{'descr': '<f4', 'descr': '<f4'}", "")), Contains("twice"));
  CHECK_THAT(error_of(file_of("{'descr': [('x', '<f4')]}", "")), Contains("structured"));
  CHECK_THAT(error_of(file_of("{'descr': '<f4", "")), Contains("does not end"));
  CHECK_THAT(error_of(file_of(dictionary("<f4", "(1,)") + "x", "")), Contains("text after"));
  CHECK_THAT(error_of(file_of(dictionary("<f4", "(1,)", "Maybe"), "")), Contains("True or False"));
  CHECK_THAT(error_of(file_of(dictionary("<f4", "(1, 1)", "True"), "abcd")),
             Contains("byte 44: Fortran order is not supported"));
}

TEST_CASE("shapes are checked", "[tensor]") {
  CHECK_THAT(error_of_shape("(-1,)"), Contains("byte 61: a dimension is negative"));
  CHECK_THAT(error_of_shape("(1)"), Contains("expected ','"));
  CHECK_THAT(error_of_shape("(08,)"), Contains("leading zeros"));
  CHECK_THAT(error_of_shape("(99999999999999999999,)"), Contains("too large"));
  CHECK_THAT(error_of_shape("(4294967296, 4294967296)"), Contains("more elements"));
  CHECK_THAT(error_of_shape("(1, , 2)"), Contains("expected a dimension"));
}

TEST_CASE("data must fit exactly", "[tensor]") {
  const std::string text = dictionary("<f4", "(2,)");
  CHECK_THAT(error_of(file_of(text, "1234567")), Contains("byte 135: the file ends after 7 of 8"));
  CHECK_THAT(error_of(file_of(text, "123456789")), Contains("byte 136: 1 bytes follow"));
  CHECK(error_of(file_of(text, "12345678")) == "no error");
}

TEST_CASE("files that cannot be read or written say why", "[tensor]") {
  const temporary_folder folder;
  const auto missing = folder.path() / "none" / "a.npy";
  CHECK_THROWS_WITH(heddle::read_npy(missing, dtype::fp16),
                    Contains("a.npy: cannot be read: No such file"));
  CHECK_THROWS_WITH(heddle::read_npy(folder.path(), dtype::fp16), Contains("cannot be read"));
  CHECK_THROWS_WITH(heddle::write_npy(missing, {dtype::fp16, {1}, std::vector<std::byte>(2)}),
                    Contains("a.npy: cannot be written: No such file"));
}
