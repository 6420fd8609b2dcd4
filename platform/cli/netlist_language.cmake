# yaml/REFERENCE.md is part of the program: `heddle docs` writes it into its page. Included where
# heddle_platform is defined, because only that folder may generate its sources.
set(input ${PROJECT_SOURCE_DIR}/yaml/REFERENCE.md)
set(output ${CMAKE_CURRENT_BINARY_DIR}/netlist_language.cpp)
add_custom_command(OUTPUT ${output}
  COMMAND ${CMAKE_COMMAND} -DNAMESPACE=heddle -DFUNCTION=netlist_language -DINPUT=${input}
    -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/tools/cmake/embed_text.cmake
  DEPENDS ${input} ${PROJECT_SOURCE_DIR}/tools/cmake/embed_text.cmake VERBATIM)
target_sources(heddle_platform PRIVATE ${output})
