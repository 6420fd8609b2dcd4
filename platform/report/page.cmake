# The style and the drawing of a report are part of the program: a report needs no other file.
# Included where heddle_platform is defined, because only that folder may generate its sources.
set(parts style script)
set(files report.css report.js)
foreach(part file IN ZIP_LISTS parts files)
  set(input ${CMAKE_CURRENT_LIST_DIR}/page/${file})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/report_${part}.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DNAMESPACE=heddle -DFUNCTION=report_${part} -DINPUT=${input}
      -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/tools/cmake/embed_text.cmake
    DEPENDS ${input} ${PROJECT_SOURCE_DIR}/tools/cmake/embed_text.cmake VERBATIM)
  target_sources(heddle_platform PRIVATE ${output})
endforeach()
