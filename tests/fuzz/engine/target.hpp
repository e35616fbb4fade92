#pragma once

#include <cstddef>
#include <cstdint>

/// What every target defines, under the name that libFuzzer calls: it does something with an input
/// and returns 0. It fails by ending the program: by a sanitizer, an assertion or Require.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
