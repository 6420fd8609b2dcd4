# With clang, what most sources include of SystemC and the other libraries is compiled once: a build
# with sanitizers takes two thirds of the time. g++ loads all of it for every source, which costs
# nearly as much as it saves; there, sources show that they state what they include.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(is_faster ON)
else()
  set(is_faster OFF)
endif()
option(HEDDLE_PRECOMPILED_HEADERS "compile the headers of libraries once" ${is_faster})

# heddle_precompile_headers(TARGET HEADER...): for TARGET, headers of the standard library, of SystemC
# and of fmt are compiled once, and the given ones with them.
function(heddle_precompile_headers target)
  if(NOT HEDDLE_PRECOMPILED_HEADERS)
    return()
  endif()
  set(headers
    algorithm array chrono cmath cstdint cstdio cstdlib cstring deque filesystem fstream functional
    iostream limits map memory numeric optional random set sstream string string_view unordered_map
    utility variant vector systemc tlm fmt/format.h ${ARGN})
  list(TRANSFORM headers REPLACE ".+" "$<$<COMPILE_LANGUAGE:CXX>:<\\0$<ANGLE-R>>")
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()

# heddle_reuse_headers(OWNER TARGET...): the targets use the headers that were compiled for OWNER.
# All are compiled with the same options and with the definitions that OWNER has.
function(heddle_reuse_headers owner)
  if(NOT HEDDLE_PRECOMPILED_HEADERS)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endforeach()
endfunction()

# heddle_share_headers(OWNER LINKED LIBRARY...): every target below the current folder that links one
# of the libraries uses the headers that were compiled for OWNER. One with a source in C goes without:
# CMake would look for headers that were compiled as C.
function(heddle_share_headers owner)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" LINKED)
  get_property(folders DIRECTORY PROPERTY SUBDIRECTORIES)
  while(folders)
    list(POP_FRONT folders folder)
    get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
    list(APPEND folders ${below})
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(sources ${target} SOURCES)
      if(sources MATCHES "\\.c(;|$)")
        continue()
      endif()
      get_target_property(linked ${target} LINK_LIBRARIES)
      foreach(library IN LISTS ARG_LINKED)
        if(library IN_LIST linked)
          heddle_reuse_headers(${owner} ${target})
          break()
        endif()
      endforeach()
    endforeach()
  endwhile()
endfunction()
