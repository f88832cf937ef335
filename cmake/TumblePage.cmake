# A page and a library for it as C arrays, made anew when they change.
#
#   tumble_embed_page(variable)
#
# sets `variable` to a C file, made at build time, with web/report/index.html (whose marks <!-- styles --> and
# <!-- scripts --> are replaced by the files named here) and Debian's three.js. Without the package libjs-three pages
# have no view in three dimensions.
#
# As a script (cmake -DOUTPUT= -DROOT= -DSTYLES= -DSCRIPTS= -DTHREE= -DLICENCE= -P), writes the C file.

if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(tumble_page_script "${CMAKE_CURRENT_LIST_FILE}")

    function(tumble_embed_page variable)
        cmake_parse_arguments(PARSE_ARGV 1 page "" "" "STYLES;SCRIPTS")
        find_file(TUMBLE_THREE_JS three.min.js PATHS /usr/share/javascript/three /usr/share/javascript NO_DEFAULT_PATH
            DOC "three.js r111, of the package libjs-three")
        set(three "${TUMBLE_THREE_JS}")
        if(NOT three)
            set(three "")
            message(STATUS "three.js was not found: clash reports have no 3D view (Debian: libjs-three)")
        endif()
        find_file(TUMBLE_THREE_LICENCE copyright PATHS /usr/share/doc/libjs-three NO_DEFAULT_PATH
            DOC "The licence of three.js")
        set(licence "${TUMBLE_THREE_LICENCE}")
        if(NOT three OR NOT licence)
            set(licence "")
        endif()
        set(web "${PROJECT_SOURCE_DIR}/web")
        set(files ${page_STYLES} ${page_SCRIPTS})
        list(TRANSFORM files PREPEND "${web}/")
        set(output "${CMAKE_CURRENT_BINARY_DIR}/report_page.c")
        add_custom_command(OUTPUT "${output}"
            COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DROOT=${web}" "-DSTYLES=${page_STYLES}"
                "-DSCRIPTS=${page_SCRIPTS}" "-DTHREE=${three}"
                "-DLICENCE=${licence}" -P "${tumble_page_script}"
            DEPENDS ${files} "${web}/report/index.html" ${three} ${licence} "${tumble_page_script}"
            COMMENT "Embedding the report's page"
            VERBATIM)
        set(${variable} "${output}" PARENT_SCOPE)
    endfunction()
    return()
endif()

# read_all(variable files...): one after the other, as hexadecimal digits.
function(read_all variable)
    set(all "")
    foreach(file IN LISTS ARGN)
        file(READ "${ROOT}/${file}" bytes HEX)
        string(APPEND all "${bytes}")
    endforeach()
    set(${variable} "${all}" PARENT_SCOPE)
endfunction()

function(hex_of variable text)
    string(HEX "${text}" digits)
    set(${variable} "${digits}" PARENT_SCOPE)
endfunction()

# An array of at least one byte.
function(array_of variable name digits)
    string(LENGTH "${digits}" length)
    math(EXPR size "${length} / 2")
    string(REGEX REPLACE "(................................................)" "\\1\n" digits "${digits}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," digits "${digits}")
    set(${variable} "const unsigned char ${name}[] = {\n${digits}0x00};\nconst size_t ${name}_size = ${size};\n\n" PARENT_SCOPE)
endfunction()

file(READ "${ROOT}/report/index.html" page HEX)
read_all(styles ${STYLES})
read_all(scripts ${SCRIPTS})
hex_of(mark "<!-- styles -->")
hex_of(open "<style>\n")
hex_of(close "</style>")
string(REPLACE "${mark}" "${open}${styles}${close}" page "${page}")
hex_of(mark "<!-- scripts -->")
hex_of(open "<script>\n")
hex_of(close "</script>")
string(REPLACE "${mark}" "${open}${scripts}${close}" page "${page}")
array_of(html report_page_html "${page}")
set(three "")
if(THREE)
    file(READ "${THREE}" three HEX)
endif()
array_of(three report_page_three "${three}")
set(licence "")
if(LICENCE)
    file(READ "${LICENCE}" licence HEX)
endif()
array_of(licence report_page_licence "${licence}")
file(WRITE "${OUTPUT}.new" "/* Made by cmake/TumblePage.cmake. */\n#include \"report_page.h\"\n\n${html}${three}${licence}")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
