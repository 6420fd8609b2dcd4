# Every target of the tree compiles with the same warnings; optimized builds keep assertions out.
# g++ 12 does not see that a small vector has at most its capacity in the room inside it, and warns
# of moves that would read beyond that room.
add_library(heddle_warnings INTERFACE)
target_compile_options(heddle_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow
  $<$<COMPILE_LANGUAGE:CXX>:-Wconversion -Wno-sign-conversion -Wnon-virtual-dtor>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overread>
  $<$<BOOL:${HEDDLE_WERROR}>:-Werror>)
