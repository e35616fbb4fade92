# What only our own programs are compiled with: tests, examples, benchmarks and the extension link
# rankforest_build, consumers never do. rankforest_flags are its flags, without the library.
option(RANKFOREST_WERROR "Treat warnings as errors" OFF)
set(RANKFOREST_SANITIZE
    ""
    CACHE STRING "Sanitizers, as in -fsanitize=")

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE
      Release
      CACHE STRING "Release unless told otherwise" FORCE)
endif()

add_library(rankforest_flags INTERFACE)
add_library(rankforest_build INTERFACE)
target_link_libraries(rankforest_build INTERFACE rankforest::rankforest rankforest_flags)

# No contraction of a * b + c: fused or not, it would change bits from one processor to the next.
target_compile_options(rankforest_flags INTERFACE -ffp-contract=off)
target_compile_options(
  rankforest_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                             $<$<BOOL:${RANKFOREST_WERROR}>:-Werror>)

# What we hand out as machine code, the extension and the C library, resists what a fault of memory
# could be used for. Sanitizers bring checks of their own.
add_library(rankforest_hardened INTERFACE)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT RANKFOREST_SANITIZE)
  target_compile_options(
    rankforest_hardened
    INTERFACE -fstack-protector-strong
              $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
              $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
  target_link_options(rankforest_hardened INTERFACE "LINKER:-z,relro,-z,now,-z,noexecstack")
endif()

if(RANKFOREST_SANITIZE)
  # TSan does not see what libgomp does to make threads wait, and reports races that are none.
  if(RANKFOREST_OPENMP AND RANKFOREST_SANITIZE MATCHES "thread")
    message(FATAL_ERROR "RANKFOREST_SANITIZE=thread needs RANKFOREST_OPENMP=OFF")
  endif()
  set(sanitize -fsanitize=${RANKFOREST_SANITIZE})
  target_compile_options(rankforest_flags INTERFACE ${sanitize} -fno-sanitize-recover=all
                                                    -fno-omit-frame-pointer)
  # Reading through a null pointer ends the program anyhow, and there are no sizes to know without
  # optimising: these checks would only make a third of the code to compile.
  if(RANKFOREST_SANITIZE MATCHES "undefined")
    target_compile_options(rankforest_flags INTERFACE -fno-sanitize=null,object-size,vptr)
  endif()
  target_link_options(rankforest_flags INTERFACE ${sanitize})
endif()
