/* What the compiler may call for a structure that is copied or cleared. */
#include <stddef.h>

void* memcpy(void* restrict to, const void* restrict from, size_t bytes);
void* memmove(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
int memcmp(const void* a, const void* b, size_t bytes);

void* memcpy(void* restrict to, const void* restrict from, size_t bytes) {
  unsigned char* out = to;
  const unsigned char* in = from;
  for (size_t i = 0; i < bytes; ++i) out[i] = in[i];
  return to;
}

void* memmove(void* to, const void* from, size_t bytes) {
  unsigned char* out = to;
  const unsigned char* in = from;
  if (out < in) {
    for (size_t i = 0; i < bytes; ++i) out[i] = in[i];
  } else {
    for (size_t i = bytes; i > 0; --i) out[i - 1] = in[i - 1];
  }
  return to;
}

void* memset(void* to, int value, size_t bytes) {
  unsigned char* out = to;
  for (size_t i = 0; i < bytes; ++i) out[i] = (unsigned char)value;
  return to;
}

int memcmp(const void* a, const void* b, size_t bytes) {
  const unsigned char* left = a;
  const unsigned char* right = b;
  for (size_t i = 0; i < bytes; ++i) {
    if (left[i] != right[i]) return left[i] - right[i];
  }
  return 0;
}
