// Names of control and status registers, of all privilege levels: a program may name one that the
// hart has not.
#include <fmt/format.h>

#include "models/cpu/rv/disassembler.hpp"

namespace heddle::rv {
namespace {

struct named_csr {
  unsigned number;
  const char* name;
};

constexpr named_csr names[] = {
    {0x001, "fflags"},        {0x002, "frm"},       {0x003, "fcsr"},       {0x100, "sstatus"},
    {0x104, "sie"},           {0x105, "stvec"},     {0x106, "scounteren"}, {0x10a, "senvcfg"},
    {0x140, "sscratch"},      {0x141, "sepc"},      {0x142, "scause"},     {0x143, "stval"},
    {0x144, "sip"},           {0x180, "satp"},      {0x300, "mstatus"},    {0x301, "misa"},
    {0x302, "medeleg"},       {0x303, "mideleg"},   {0x304, "mie"},        {0x305, "mtvec"},
    {0x306, "mcounteren"},    {0x30a, "menvcfg"},   {0x310, "mstatush"},   {0x31a, "menvcfgh"},
    {0x320, "mcountinhibit"}, {0x340, "mscratch"},  {0x341, "mepc"},       {0x342, "mcause"},
    {0x343, "mtval"},         {0x344, "mip"},       {0x34a, "mtinst"},     {0x34b, "mtval2"},
    {0x747, "mseccfg"},       {0x757, "mseccfgh"},  {0x7a0, "tselect"},    {0x7a1, "tdata1"},
    {0x7a2, "tdata2"},        {0x7a3, "tdata3"},    {0x7a4, "tinfo"},      {0x7a5, "tcontrol"},
    {0x7a8, "mcontext"},      {0x7aa, "scontext"},  {0x7b0, "dcsr"},       {0x7b1, "dpc"},
    {0x7b2, "dscratch0"},     {0x7b3, "dscratch1"}, {0xb00, "mcycle"},     {0xb02, "minstret"},
    {0xb80, "mcycleh"},       {0xb82, "minstreth"}, {0xc00, "cycle"},      {0xc01, "time"},
    {0xc02, "instret"},       {0xc80, "cycleh"},    {0xc81, "timeh"},      {0xc82, "instreth"},
    {0xf11, "mvendorid"},     {0xf12, "marchid"},   {0xf13, "mimpid"},     {0xf14, "mhartid"},
    {0xf15, "mconfigptr"},
};

struct numbered_csr {
  unsigned first, last;
  const char* name;
  unsigned from;  // the first one's number
};

constexpr numbered_csr groups[] = {
    {0x323, 0x33f, "mhpmevent", 3},   {0x3a0, 0x3af, "pmpcfg", 0},     {0x3b0, 0x3ef, "pmpaddr", 0},
    {0xb03, 0xb1f, "mhpmcounter", 3}, {0xc03, 0xc1f, "hpmcounter", 3},
};
constexpr numbered_csr upper_groups[] = {
    {0xb83, 0xb9f, "mhpmcounter", 3},
    {0xc83, 0xc9f, "hpmcounter", 3},
};

}  // namespace

std::string csr_name(unsigned number) {
  for (const named_csr& each : names)
    if (each.number == number) return each.name;
  for (const numbered_csr& each : groups)
    if (each.first <= number && number <= each.last)
      return fmt::format("{}{}", each.name, number - each.first + each.from);
  for (const numbered_csr& each : upper_groups)
    if (each.first <= number && number <= each.last)
      return fmt::format("{}{}h", each.name, number - each.first + each.from);
  return fmt::format("{:#x}", number);
}

}  // namespace heddle::rv
