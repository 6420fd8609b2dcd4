// Which tile of a mesh holds which addresses (collective NoC 3.2.2): the tiles that collectives can
// target form a submesh; their equal regions follow each other row by row. Where width and height
// are powers of two and the origin is a multiple of them, the bits above a region's offset are the
// coordinates, and an address mask becomes an X and a Y mask by taking those bits. In a submesh of
// other sides masks cannot name tiles: there are unicasts alone. A column of memory tiles, one a
// row, lies outside the submesh.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "platform/unit/literals.hpp"
#include "platform/unit/parameter.hpp"
#include "transactors/flit/flit.hpp"

namespace heddle {

struct mesh_map_parameters : parameter_set {
  parameter<std::uint64_t> origin_x{
      *this,           "origin_x", 0, within(0, 255), "first column of the submesh of tiles",
      "a netlist says"};
  parameter<std::uint64_t> origin_y{
      *this, "origin_y", 0, within(0, 255), "first row of the submesh of tiles", "a netlist says"};
  parameter<std::uint64_t> width{
      *this, "width", 4, within(1, 128), "columns of the submesh", "collective NoC Fig 1"};
  parameter<std::uint64_t> height{
      *this, "height", 4, within(1, 128), "rows of the submesh", "collective NoC Fig 1"};
  parameter<address> base{*this, "base", address{0x10000000}, "first address of the first tile",
                          "a netlist says"};
  parameter<byte_size> tile_size{*this,
                                 "tile_size",
                                 256_KiB,
                                 within(4_KiB, 1_GiB),
                                 "addresses of a tile",
                                 "128 KiB of L1 and the registers"};
  parameter<std::uint64_t> memory_x{
      *this,           "memory_x", 0, within(0, 255), "column of the memory tiles, one a row",
      "a netlist says"};
  parameter<address> memory_base{*this, "memory_base", address{0x40000000},
                                 "first address of the first memory tile", "a netlist says"};
  parameter<byte_size> memory_size{*this, "memory_size", 0_B,
                                   "addresses of a memory tile; 0: there are none",
                                   "collective NoC 2.2: 1 MiB where there are any"};
};

class mesh_map {
 public:
  // Throws user_error, which names `owner`, when sides of powers of two have an origin that is no
  // multiple of them, or memory tiles have addresses of tiles.
  mesh_map(const mesh_map_parameters& p, const std::string& owner);
  // Throws user_error when an address with `alias` added could be one without.
  void check_alias(std::uint64_t alias, const std::string& owner) const;

  std::optional<mesh_position> node_of(std::uint64_t address) const;
  bool is_in_submesh(std::uint64_t address) const { return address - base_ < tiles() << shift_; }
  bool holds(mesh_position node) const {
    return node.x - origin_x_ < width_ && node.y - origin_y_ < height_;
  }
  // Why no mask can name tiles of this submesh; "" where masks can.
  std::string obstacle_to_masks() const;
  // X and Y mask of an address mask; none when it has a bit that is no coordinate's, or there is an
  // obstacle to masks.
  std::optional<mesh_position> position_mask(std::uint64_t address_mask) const;
  std::uint64_t first_of(mesh_position node) const;  // address; node: a tile or memory tile
  // The same offset in the region of that tile.
  std::uint64_t resolve(std::uint64_t address, mesh_position tile) const;

  std::string text() const;  // all of it, for people
  std::uint64_t base() const { return base_; }
  std::uint64_t tile_size() const { return std::uint64_t{1} << shift_; }
  std::uint64_t tiles() const { return std::uint64_t{width_} * height_; }
  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }

 private:
  std::uint64_t memory_end() const { return memory_base_ + height_ * memory_size_; }

  std::uint32_t origin_x_, origin_y_, width_, height_;
  std::uint64_t base_;
  int shift_ = 0, x_bits_ = 0;  // log2 of a region, of the width
  std::uint32_t memory_x_;
  std::uint64_t memory_base_, memory_size_;
};

}  // namespace heddle
