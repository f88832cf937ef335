# What `cmake --install` puts where: headers, both libraries, the CMake package, the pkg-config file, the command with
# its man page and completions, the documentation and the examples. The target `installed` builds just that.

if(NOT PROJECT_IS_TOP_LEVEL OR NOT TARGET tumble_shared)
    return()
endif()
include(CMakePackageConfigHelpers)

install(DIRECTORY include/tumble "${PROJECT_BINARY_DIR}/include/tumble" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.h")
install(TARGETS tumble_shared tumble_static EXPORT tumble)

set(package_directory "${CMAKE_INSTALL_LIBDIR}/cmake/tumble")
install(EXPORT tumble NAMESPACE tumble:: FILE tumble-targets.cmake DESTINATION "${package_directory}")
configure_package_config_file(cmake/tumble-config.cmake.in tumble-config.cmake
    INSTALL_DESTINATION "${package_directory}")
write_basic_package_version_file(tumble-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tumble-config.cmake" "${PROJECT_BINARY_DIR}/tumble-config-version.cmake"
    DESTINATION "${package_directory}")

# Relative to the file itself, so that the installed tree can be moved.
file(RELATIVE_PATH pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
set(pc_libraries "-lm -pthread")
foreach(library IN LISTS CMAKE_DL_LIBS)
    string(APPEND pc_libraries " -l${library}")
endforeach()
configure_file(cmake/tumble.pc.in tumble.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/tumble.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

add_custom_target(installed DEPENDS tumble_shared tumble_static)
if(TUMBLE_BUILD_CLI)
    add_dependencies(installed tumble-cli)
    install(TARGETS tumble-cli)
    install(FILES "${PROJECT_BINARY_DIR}/tumble.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
    install(FILES cli/completions/tumble.bash DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
        RENAME tumble)
    install(FILES cli/completions/tumble.zsh DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" RENAME _tumble)
    install(FILES cli/completions/tumble.fish DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()

# As in the source tree, so that links between the pages hold; only the headers are elsewhere.
file(RELATIVE_PATH headers "/${CMAKE_INSTALL_DOCDIR}" "/${CMAKE_INSTALL_INCLUDEDIR}")
file(READ README.md readme)
string(REPLACE "](include/" "](${headers}/" readme "${readme}")
file(CONFIGURE OUTPUT README.md CONTENT "${readme}" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS README.md)
install(FILES "${PROJECT_BINARY_DIR}/README.md" LICENSE CHANGELOG.md CONTRIBUTING.md
    DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" PATTERN tumble.1 EXCLUDE)
install(DIRECTORY examples proofs DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY bindings/python/examples DESTINATION "${CMAKE_INSTALL_DOCDIR}/bindings/python")
install(FILES bindings/web/README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}/bindings/web")
