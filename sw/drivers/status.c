#include "drivers/status.h"

const char* status_name(enum status status) {
  /* Rows of characters, not pointers: a table of pointers needs relocation, so it is not constant.
   */
  static const char names[][20] = {
      "ok",         "timeout",          "dma error",       "vector error",   "bad boot block",
      "bad job",    "unsupported",      "isa error",       "multimem error", "no part",
      "gemm error", "aggregator error", "token hub error", "gather error",   "kernel error"};
  const unsigned index = (unsigned)status;
  return index < sizeof names / sizeof names[0] ? names[index] : "unknown status";
}
