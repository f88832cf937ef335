# Options of the build, and the flags that every target of the project gets.

option(TUMBLE_BUILD_CLI "Build the tumble command" ${PROJECT_IS_TOP_LEVEL})
option(TUMBLE_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(TUMBLE_BUILD_PYTHON "Build the Python extension (needs Python's headers, 3.11 or later)" OFF)
option(TUMBLE_BUILD_TESTS "Build the tests (needs cmocka and GMP)" OFF)
option(TUMBLE_BUILD_BENCH "Build the benchmarks" OFF)
option(TUMBLE_BENCH_PEERS "With the benchmarks, build the comparison with other libraries (needs C++ and them)" OFF)
option(TUMBLE_BUILD_FUZZ "Build the fuzzers (needs clang)" OFF)
option(TUMBLE_ASSIMP "Read more mesh formats through assimp when it is found" ON)
option(TUMBLE_OPENCL "Build the OpenCL devices, which are looked for at run time (needs OpenCL's C header)" ON)
option(TUMBLE_WERROR "Treat warnings as errors" OFF)
option(TUMBLE_SCALAR_ONLY "Leave out the SIMD kernels" OFF)
option(TUMBLE_WIDE_ONLY "Leave out boxtrees, k-DOP trees and R-trees: less code, for pages" OFF)
option(TUMBLE_NATIVE "Compile everything for this machine's processor" OFF)
option(TUMBLE_COVERAGE "Count which lines run" OFF)
option(TUMBLE_ASSERTS "Check what the library's functions promise each other, and abort when one does not hold" OFF)
option(TUMBLE_ASSERTS_SLOW "With TUMBLE_ASSERTS, also check what takes long" OFF)
set(TUMBLE_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=: address,undefined or thread")

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

# Looked for once: a build folder that was configured without it would be built anew.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_C_COMPILER_LAUNCHER)
    if(NOT DEFINED CACHE{TUMBLE_CCACHE})
        find_program(TUMBLE_CCACHE ccache)
    endif()
    mark_as_advanced(TUMBLE_CCACHE)
    if(TUMBLE_CCACHE)
        set(CMAKE_C_COMPILER_LAUNCHER "${TUMBLE_CCACHE}")
    endif()
endif()

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# The exact predicates rest on IEEE double arithmetic in which each operation is rounded on its own.
include(CheckCSourceCompiles)
check_c_source_compiles("
#include <float.h>
#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0 || defined(__FAST_MATH__) || DBL_MANT_DIG != 53
#error excess precision
#endif
int main(void) { return 0; }" TUMBLE_STRICT_DOUBLES)
if(NOT TUMBLE_STRICT_DOUBLES)
    message(FATAL_ERROR "The compiler must evaluate double as double (on 32-bit x86: add -msse2 -mfpmath=sse; "
        "never -ffast-math), or exact answers are lost.")
endif()

if(TUMBLE_OPENCL)
    include(CheckIncludeFile)
    set(CMAKE_REQUIRED_DEFINITIONS -DCL_TARGET_OPENCL_VERSION=120)
    check_include_file(CL/cl.h TUMBLE_HAS_OPENCL_HEADER)
    unset(CMAKE_REQUIRED_DEFINITIONS)
    if(NOT TUMBLE_HAS_OPENCL_HEADER)
        # Looked for again when it is there.
        unset(TUMBLE_HAS_OPENCL_HEADER CACHE)
        message(FATAL_ERROR "The header CL/cl.h is missing: install the package opencl-c-headers (Debian), or build "
            "without OpenCL devices: -DTUMBLE_OPENCL=OFF.")
    endif()
endif()

# Flags of every target; private to them, so nothing leaks to a consumer.
add_library(tumble_flags INTERFACE)
target_compile_features(tumble_flags INTERFACE c_std_17)
target_compile_definitions(tumble_flags INTERFACE _POSIX_C_SOURCE=200809L _XOPEN_SOURCE=700
    $<$<BOOL:${TUMBLE_WIDE_ONLY}>:TUMBLE_WIDE_ONLY>
    $<$<BOOL:${TUMBLE_ASSERTS}>:TMB_ASSERTS>
    $<$<AND:$<BOOL:${TUMBLE_ASSERTS}>,$<BOOL:${TUMBLE_ASSERTS_SLOW}>>:TMB_ASSERTS_SLOW>)
target_compile_options(tumble_flags INTERFACE
    -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    # gcc 12 drops the rounding to float when it joins p[0] = (float)a; p[1] = (float)b; (p points to double) into one
    # vector operation.
    $<$<C_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>
    $<$<BOOL:${TUMBLE_WERROR}>:-Werror>
    $<$<BOOL:${TUMBLE_NATIVE}>:-march=native>)

if(TUMBLE_SANITIZE)
    set(tumble_sanitize_flags -fsanitize=${TUMBLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(tumble_flags INTERFACE ${tumble_sanitize_flags})
    target_link_options(tumble_flags INTERFACE ${tumble_sanitize_flags})
endif()
if(TUMBLE_COVERAGE)
    target_compile_options(tumble_flags INTERFACE --coverage -fprofile-update=atomic)
    target_link_options(tumble_flags INTERFACE --coverage)
endif()
if(TUMBLE_BUILD_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "The fuzzers need clang (use the preset fuzz); found ${CMAKE_C_COMPILER_ID}.")
    endif()
    # A fuzzer learns words of formats from comparisons; those of geometry teach it nothing and are many. Files that
    # read bytes add -fsanitize-coverage=trace-cmp.
    target_compile_options(tumble_flags INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp)
endif()

# What each of the project's own targets starts with: strict C17 without the compiler's extensions.
function(tumble_target_defaults target)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tumble_flags>)
    set_target_properties(${target} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
endfunction()
