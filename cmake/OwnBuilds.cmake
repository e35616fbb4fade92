# What only our own programs are compiled with: tests, examples, benchmarks and the extension link
# rankforest_build, consumers never do.
option(RANKFOREST_WERROR "Treat warnings as errors" OFF)
option(RANKFOREST_OPENMP "Threads from OpenMP; OFF uses std::thread" ON)
set(RANKFOREST_SANITIZE
    ""
    CACHE STRING "Sanitizers, as in -fsanitize=; 'thread' needs RANKFOREST_OPENMP=OFF")

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE
      Release
      CACHE STRING "Release unless told otherwise" FORCE)
endif()

add_library(rankforest_build INTERFACE)
target_link_libraries(rankforest_build INTERFACE rankforest::rankforest)

# No contraction of a * b + c: fused or not, it would change bits from one processor to the next.
target_compile_options(rankforest_build INTERFACE -ffp-contract=off)
target_compile_options(
  rankforest_build INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                             $<$<BOOL:${RANKFOREST_WERROR}>:-Werror>)

if(RANKFOREST_OPENMP)
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  target_link_libraries(rankforest_build INTERFACE OpenMP::OpenMP_CXX)
endif()

if(RANKFOREST_SANITIZE)
  # TSan takes OpenMP's barriers, which it cannot see, for races.
  if(RANKFOREST_OPENMP AND RANKFOREST_SANITIZE MATCHES "thread")
    message(FATAL_ERROR "RANKFOREST_SANITIZE=thread needs RANKFOREST_OPENMP=OFF")
  endif()
  set(sanitize -fsanitize=${RANKFOREST_SANITIZE})
  target_compile_options(rankforest_build INTERFACE ${sanitize} -fno-sanitize-recover=all
                                                    -fno-omit-frame-pointer)
  target_link_options(rankforest_build INTERFACE ${sanitize})
endif()
