# Writes a file as a C array of characters that ends with 0:
#   cmake -D INPUT=style.css -D OUTPUT=style.c -D NAME=page_style -P embed.cmake
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "/* Written by cmake/embed.cmake from ${INPUT}. */\nextern const char ${NAME}[];\nconst char ${NAME}[] = {\n${bytes}0};\n")
