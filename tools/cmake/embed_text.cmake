# cmake -DNAMESPACE=heddle -DFUNCTION=report_style -DINPUT=a.css -DOUTPUT=a.cpp -P embed_text.cmake:
# a C++ file with `std::string NAMESPACE::FUNCTION()`, which gives the text of INPUT.
file(READ ${INPUT} text)
# One literal may not be longer than 64 KiB everywhere.
set(pieces "")
string(LENGTH "${text}" length)
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 8000 piece)
  string(APPEND pieces "  text += R\"embedded(${piece})embedded\";\n")
  math(EXPR at "${at} + 8000")
endwhile()
file(WRITE ${OUTPUT}
  "#include <string>\n\nnamespace ${NAMESPACE} {\nstd::string ${FUNCTION}();\n"
  "std::string ${FUNCTION}() {\n  std::string text;\n${pieces}  return text;\n}\n}\n")
