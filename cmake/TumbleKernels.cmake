# Kernels: source files that are compiled once for each instruction set and chosen between at run time.
#
#   tumble_add_kernels(target file...)
#
# compiles each file with the flags of each level, with TMB_KERNEL defined as its name (scalar, avx2, avx512) and with
# TMB_KERNEL_SCALAR, TMB_KERNEL_AVX2 or TMB_KERNEL_AVX512 defined, and adds the objects to the object library `target`,
# of which tumble_kernel_objects(target variable) lists them. Processors other than x86-64, and TUMBLE_SCALAR_ONLY, have
# the level scalar alone; the others define TUMBLE_X86_KERNELS everywhere.

set(TUMBLE_KERNEL_LEVELS scalar)
set(TUMBLE_KERNEL_FLAGS_scalar "")
set(TUMBLE_KERNEL_FLAGS_avx2 -mavx2 -mbmi -mbmi2 -mpopcnt)
set(TUMBLE_KERNEL_FLAGS_avx512
    -mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx512vbmi2 -mbmi -mbmi2 -mpopcnt)
# The stack that gcc's address sanitizer keeps for returned functions is aligned to 32 bytes only, which gcc itself does
# not know when it uses 64-byte registers.
if(TUMBLE_SANITIZE MATCHES address AND CMAKE_C_COMPILER_ID STREQUAL GNU)
    list(APPEND TUMBLE_KERNEL_FLAGS_avx512 --param=asan-use-after-return=0)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND NOT TUMBLE_SCALAR_ONLY)
    list(APPEND TUMBLE_KERNEL_LEVELS avx2 avx512)
    target_compile_definitions(tumble_flags INTERFACE TUMBLE_X86_KERNELS)
endif()
if(TUMBLE_SCALAR_ONLY)
    target_compile_definitions(tumble_flags INTERFACE TUMBLE_SCALAR_ONLY)
endif()

function(tumble_add_kernels target)
    foreach(level IN LISTS TUMBLE_KERNEL_LEVELS)
        set(kernels ${target}_${level})
        string(TOUPPER ${level} upper)
        if(NOT TARGET ${kernels})
            add_library(${kernels} OBJECT)
            tumble_target_defaults(${kernels})
            target_compile_definitions(${kernels} PRIVATE TMB_KERNEL=${level} TMB_KERNEL_${upper}
                $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
            target_include_directories(${kernels} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
            target_compile_options(${kernels} PRIVATE ${TUMBLE_KERNEL_FLAGS_${level}})
            set_target_properties(${kernels} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
            set_property(TARGET ${target} APPEND PROPERTY TUMBLE_KERNEL_LIBRARIES ${kernels})
        endif()
        target_sources(${kernels} PRIVATE ${ARGN})
    endforeach()
endfunction()

# The objects of an object library and of its kernels, as generator expressions.
function(tumble_kernel_objects target variable)
    get_target_property(libraries ${target} TUMBLE_KERNEL_LIBRARIES)
    set(objects $<TARGET_OBJECTS:${target}>)
    if(libraries)
        foreach(library IN LISTS libraries)
            list(APPEND objects $<TARGET_OBJECTS:${library}>)
        endforeach()
    endif()
    set(${variable} ${objects} PARENT_SCOPE)
endfunction()
