# The toolchain of WebAssembly: clang 19 and wasm-ld 19 of Debian, with the headers and libraries of its Emscripten but
# without emcc, whose clang 14 compiles the SIMD of this library to wrong answers.
#     cmake -S . -B build/wasm -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/wasm.cmake
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_AR llvm-ar-14)
set(CMAKE_RANLIB llvm-ranlib-14)
set(CMAKE_C_COMPILER_TARGET wasm32-unknown-emscripten)
set(CMAKE_SYSROOT /usr/share/emscripten/cache/sysroot)
# -fno-semantic-interposition, which the library is compiled with, means nothing here.
set(CMAKE_C_FLAGS_INIT "-msimd128 -mbulk-memory -mno-multivalue -mno-reference-types -ffunction-sections")
string(APPEND CMAKE_C_FLAGS_INIT " -Wno-unused-command-line-argument")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
