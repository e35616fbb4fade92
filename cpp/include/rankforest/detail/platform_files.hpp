#pragma once

// The one place for tests of the platform's files: mapping one into memory, waiting for the disk.

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <system_error>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace rankforest::detail {

/// A file's bytes in memory; nullptr if there are none.
struct FileMapping {
  const char* data = nullptr;
  std::size_t size = 0;
};

inline std::error_code LastError() { return {errno, std::generic_category()}; }

#if defined(__unix__) || defined(__APPLE__)

/// Maps a whole regular file for reading. errc::not_supported for what cannot be mapped.
inline std::error_code MapFile(const std::filesystem::path& path, FileMapping& mapping) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return LastError();
  struct stat status = {};
  std::error_code error;
  if (fstat(file, &status) != 0) {
    error = LastError();
  } else if (!S_ISREG(status.st_mode)) {
    error = std::make_error_code(std::errc::not_supported);
  } else if (status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED) {
      error = LastError();
    } else {
      mapping = {static_cast<const char*>(data), size};
    }
  }
  close(file);
  return error;
}

inline void UnmapFile(const FileMapping& mapping) {
  if (mapping.data != nullptr) munmap(const_cast<char*>(mapping.data), mapping.size);
}

/// Waits until what was written to `file` is on the disk.
inline std::error_code SyncFile(std::FILE* file) {
  if (std::fflush(file) != 0 || fsync(fileno(file)) != 0) return LastError();
  return {};
}

/// Waits until the names in a directory are on the disk.
inline void SyncDirectory(const std::filesystem::path& path) {
  const int directory = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (directory < 0) return;  // not every file system lets one wait for a directory
  fsync(directory);
  close(directory);
}

#else

inline std::error_code MapFile(const std::filesystem::path& /*path*/, FileMapping& /*mapping*/) {
  return std::make_error_code(std::errc::not_supported);
}
inline void UnmapFile(const FileMapping& /*mapping*/) {}
inline std::error_code SyncFile(std::FILE* file) {
  return std::fflush(file) != 0 ? LastError() : std::error_code();
}
inline void SyncDirectory(const std::filesystem::path& /*path*/) {}

#endif

}  // namespace rankforest::detail
