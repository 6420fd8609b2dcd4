# Every target of the tree compiles with the same warnings; optimized builds keep assertions out.
add_library(heddle_warnings INTERFACE)
target_compile_options(heddle_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow
  $<$<COMPILE_LANGUAGE:CXX>:-Wconversion -Wno-sign-conversion -Wnon-virtual-dtor>
  $<$<BOOL:${HEDDLE_WERROR}>:-Werror>)
