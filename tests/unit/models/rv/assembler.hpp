// Instructions as words, by format: what the tables of the RISC-V manual say.
#pragma once

#include <cstdint>

namespace heddle::rv::assembler {

enum reg : unsigned {
  zero = 0,
  ra = 1,
  sp = 2,
  t0 = 5,
  t1 = 6,
  t2 = 7,
  s0 = 8,
  s1 = 9,
  a0 = 10,
  a1 = 11,
  a2 = 12
};

using word = std::uint32_t;

constexpr word part(std::int64_t value, int high, int low) {
  return static_cast<word>(static_cast<std::uint64_t>(value) >> low) &
         ((word{1} << (high - low + 1)) - 1);
}

constexpr word r_type(word funct7, word funct3, word op, word rd, word rs1, word rs2) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | op;
}
constexpr word i_type(word funct3, word op, word rd, word rs1, std::int64_t imm) {
  return part(imm, 11, 0) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | op;
}
constexpr word s_type(word funct3, word rs1, word rs2, std::int64_t imm) {
  return part(imm, 11, 5) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | part(imm, 4, 0) << 7 |
         0x23;
}
constexpr word b_type(word funct3, word rs1, word rs2, std::int64_t offset) {
  return part(offset, 12, 12) << 31 | part(offset, 10, 5) << 25 | rs2 << 20 | rs1 << 15 |
         funct3 << 12 | part(offset, 4, 1) << 8 | part(offset, 11, 11) << 7 | 0x63;
}
constexpr word u_type(word op, word rd, std::int64_t imm) {
  return part(imm, 31, 12) << 12 | rd << 7 | op;
}
constexpr word jal(word rd, std::int64_t offset) {
  return part(offset, 20, 20) << 31 | part(offset, 10, 1) << 21 | part(offset, 11, 11) << 20 |
         part(offset, 19, 12) << 12 | rd << 7 | 0x6f;
}
constexpr word jalr(word rd, word rs1, std::int64_t imm) {
  return i_type(0, 0x67, rd, rs1, imm);
}
constexpr word addi(word rd, word rs1, std::int64_t imm) {
  return i_type(0, 0x13, rd, rs1, imm);
}
constexpr word add(word rd, word rs1, word rs2) {
  return r_type(0, 0, 0x33, rd, rs1, rs2);
}
constexpr word lui(word rd, std::int64_t imm) {
  return u_type(0x37, rd, imm);
}
constexpr word load(word funct3, word rd, word rs1, std::int64_t imm) {
  return i_type(funct3, 0x03, rd, rs1, imm);
}
constexpr word lw(word rd, word rs1, std::int64_t imm) {
  return load(2, rd, rs1, imm);
}
constexpr word sw(word rs2, word rs1, std::int64_t imm) {
  return s_type(2, rs1, rs2, imm);
}
// funct3: 1 csrrw, 2 csrrs, 3 csrrc, 5 to 7 with an immediate in rs1
constexpr word csr(word funct3, word rd, word number, word rs1) {
  return number << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x73;
}
constexpr word csrw(word number, word rs1) {
  return csr(1, zero, number, rs1);
}
constexpr word csrr(word rd, word number) {
  return csr(2, rd, number, zero);
}
constexpr word amo(word funct5, word width, word rd, word rs1, word rs2) {
  return r_type(funct5 << 2, width, 0x2f, rd, rs1, rs2);
}

constexpr word ecall = 0x00000073, ebreak = 0x00100073, mret = 0x30200073, wfi = 0x10500073,
               fence = 0x0ff0000f, fence_i = 0x0000100f, idle = 0x0000006f;

}  // namespace heddle::rv::assembler
