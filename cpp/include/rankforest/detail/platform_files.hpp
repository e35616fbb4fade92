#pragma once

// The one place for tests of the platform's files: reading pieces of one, waiting for the disk.

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <system_error>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace rankforest::detail {

/// What tells whether a file was changed.
struct FileStamp {
  bool is_regular =
      false;  ///< and not empty: the kernel makes the content of some that say they are
  std::uint64_t size = 0;
  std::int64_t seconds = 0;  ///< of the last change
  std::int64_t nanoseconds = 0;

  friend bool operator==(const FileStamp& a, const FileStamp& b) {
    return a.is_regular == b.is_regular && a.size == b.size && a.seconds == b.seconds &&
           a.nanoseconds == b.nanoseconds;
  }
};

inline std::error_code LastError() { return {errno, std::generic_category()}; }

#if defined(__unix__) || defined(__APPLE__)

using ReadHandle = int;
inline constexpr ReadHandle kNoFile = -1;

/// Calls a function of the system, and calls it again where a signal interrupted it.
template <class Call>
auto Uninterrupted(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// Opens a file, which may be a pipe; waits for a named pipe's other end.
inline std::error_code OpenToRead(const std::filesystem::path& path, ReadHandle& file) {
  file = Uninterrupted([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  return file < 0 ? LastError() : std::error_code();
}

inline void CloseRead(ReadHandle file) {
  if (file != kNoFile) close(file);
}

/// errc::is_a_directory for a folder.
inline std::error_code StampOf(ReadHandle file, FileStamp& stamp) {
  struct stat status = {};
  if (fstat(file, &status) != 0) return LastError();
  if (S_ISDIR(status.st_mode)) return std::make_error_code(std::errc::is_a_directory);
  stamp.is_regular = S_ISREG(status.st_mode) && status.st_size > 0;
  stamp.size = static_cast<std::uint64_t>(status.st_size);
#if defined(__APPLE__)
  const struct timespec& changed = status.st_mtimespec;
#else
  const struct timespec& changed = status.st_mtim;
#endif
  stamp.seconds = changed.tv_sec;
  stamp.nanoseconds = changed.tv_nsec;
  return {};
}

/// Reads up to `n` bytes from the byte `offset` on; `got` none at the end of the file.
inline std::error_code ReadAt(ReadHandle file, std::size_t offset, char* to, std::size_t n,
                              std::size_t& got) {
  const ssize_t result =
      Uninterrupted([&] { return pread(file, to, n, static_cast<off_t>(offset)); });
  if (result < 0) return LastError();
  got = static_cast<std::size_t>(result);
  return {};
}

/// Reads up to `n` of the next bytes; `got` none at the end.
inline std::error_code ReadNext(ReadHandle file, char* to, std::size_t n, std::size_t& got) {
  const ssize_t result = Uninterrupted([&] { return read(file, to, n); });
  if (result < 0) return LastError();
  got = static_cast<std::size_t>(result);
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

using ReadHandle = std::FILE*;
inline constexpr ReadHandle kNoFile = nullptr;

inline std::error_code OpenToRead(const std::filesystem::path& path, ReadHandle& file) {
  file = std::fopen(path.string().c_str(), "rb");
  return file == nullptr ? LastError() : std::error_code();
}
inline void CloseRead(ReadHandle file) {
  if (file != kNoFile) std::fclose(file);
}
inline std::error_code StampOf(ReadHandle /*file*/, FileStamp& /*stamp*/) { return {}; }
inline std::error_code ReadAt(ReadHandle /*file*/, std::size_t /*offset*/, char* /*to*/,
                              std::size_t /*n*/, std::size_t& /*got*/) {
  return std::make_error_code(std::errc::not_supported);
}
inline std::error_code ReadNext(ReadHandle file, char* to, std::size_t n, std::size_t& got) {
  got = std::fread(to, 1, n, file);
  return std::ferror(file) != 0 ? LastError() : std::error_code();
}
inline void SyncDirectory(const std::filesystem::path& /*path*/) {}

#endif

}  // namespace rankforest::detail
