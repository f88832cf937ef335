# Text files as C arrays, made anew when they change.
#
#   tumble_embed(variable prefix header file...)
#
# sets `variable` to a C file, made at build time, that includes `header` and defines prefix_texts, prefix_text_sizes and
# prefix_text_count: each file's bytes in turn, with a #line that names it, for compilers' messages. The files are named
# relative to the current source directory.
#
# As a script (cmake -DOUTPUT= -DPREFIX= -DHEADER= -DFILES= -P), writes the C file.

if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(tumble_embed_script "${CMAKE_CURRENT_LIST_FILE}")

    function(tumble_embed variable prefix header)
        set(files ${ARGN})
        list(TRANSFORM files PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
        set(output "${CMAKE_CURRENT_BINARY_DIR}/${prefix}_texts.c")
        add_custom_command(OUTPUT "${output}"
            COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DPREFIX=${prefix}" "-DHEADER=${header}"
                "-DFILES=${files}" -P "${tumble_embed_script}"
            DEPENDS ${files} "${tumble_embed_script}"
            COMMENT "Embedding the texts of ${prefix}"
            VERBATIM)
        set(${variable} "${output}" PARENT_SCOPE)
    endfunction()
    return()
endif()

set(arrays "")
set(names "")
set(sizes "")
set(count 0)
foreach(file IN LISTS FILES)
    get_filename_component(name "${file}" NAME)
    file(READ "${file}" bytes HEX)
    string(HEX "#line 1 \"${name}\"\n" line)
    string(LENGTH "${line}${bytes}" digits)
    math(EXPR size "${digits} / 2")
    # Lines of 24 bytes.
    string(REGEX REPLACE "(................................................)" "\\1\n" bytes "${line}${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "/* ${name} */\nstatic const char text_${count}[] = {\n${bytes}\n};\n\n")
    string(APPEND names "    text_${count},\n")
    string(APPEND sizes "    ${size},\n")
    math(EXPR count "${count} + 1")
endforeach()
file(WRITE "${OUTPUT}.new" "/* Made by cmake/TumbleEmbed.cmake. */
#include \"${HEADER}\"

${arrays}const char *const ${PREFIX}_texts[] = {
${names}};
const size_t ${PREFIX}_text_sizes[] = {
${sizes}};
const unsigned ${PREFIX}_text_count = ${count};
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
