# tumble_native_headers(HEADER FOLDER): a copy of the folder in which HEADER is, without its `extern template`
# declarations, in FOLDER, so that whoever includes it compiles the templates. HEADER is "name/file.h".

function(tumble_native_headers header folder)
    cmake_path(GET header PARENT_PATH name)
    find_path(TUMBLE_HEADERS_OF_${name} ${header} REQUIRED)
    mark_as_advanced(TUMBLE_HEADERS_OF_${name})
    set(root "${TUMBLE_HEADERS_OF_${name}}")
    file(GLOB_RECURSE files RELATIVE "${root}" "${root}/${name}/*.h")
    foreach(file IN LISTS files)
        if("${folder}/${file}" IS_NEWER_THAN "${root}/${file}" AND EXISTS "${folder}/${file}")
            continue()
        endif()
        file(READ "${root}/${file}" text)
        string(REGEX REPLACE "extern template[^;]*;" "" text "${text}")
        file(WRITE "${folder}/${file}" "${text}")
    endforeach()
endfunction()
