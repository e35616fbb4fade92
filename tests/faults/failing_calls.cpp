// A library to preload (LD_PRELOAD): calls of the system that change files fail, write in part, or
// end the process, when a test asks for it. What it counts are the calls of the program and of its
// libraries between fault_arm() and fault_disarm().
//
// It also simulates a loss of power: what was written to a file and not waited for (fsync) is cut
// off before the process ends.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>

namespace {

enum Mode : int {
  kCount = 0,  // nothing happens
  kFail = 1,   // the call returns -1 and sets errno
  kShort = 2,  // every write takes one byte, or half of them
  kKill = 3,   // the process ends before the call
  kPower = 4,  // the same, and what was not synced is lost
};

constexpr int kFiles = 4096;

/// What is known of an open file.
struct File {
  bool is_written = false;  // since it was opened or synced
  off_t synced = 0;         // bytes that a loss of power leaves
  bool is_folder = false;
};

struct State {
  bool armed = false;
  int mode = kCount;
  long at = 0;  // the call that is hit, counted from 1
  int error = 0;
  long seen = 0;
  long hits = 0;
  File files[kFiles];
  int names_changed = 0;  // since a folder was synced
};

State state;

template <class Function>
Function* Real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

File* FileOf(int fd) { return fd >= 0 && fd < kFiles ? &state.files[fd] : nullptr; }

void LosePower() {
  for (int fd = 0; fd < kFiles; ++fd) {
    if (state.files[fd].is_written && ftruncate(fd, state.files[fd].synced) != 0) _exit(99);
  }
}

/// Counts a call. Whether it is to fail.
bool Hit() {
  if (!state.armed) return false;
  ++state.seen;
  if (state.seen != state.at) return false;
  ++state.hits;
  if (state.mode == kKill || state.mode == kPower) {
    if (state.mode == kPower) LosePower();
    kill(getpid(), SIGKILL);
    pause();
  }
  if (state.mode != kFail) return false;
  errno = state.error;
  return true;
}

int Opened(int fd, int flags) {
  File* const file = FileOf(fd);
  if (file == nullptr || !state.armed) return fd;
  struct stat status = {};
  *file = {};
  if (fstat(fd, &status) == 0) {
    file->is_folder = S_ISDIR(status.st_mode);
    file->synced = (flags & O_TRUNC) != 0 ? 0 : status.st_size;
  }
  return fd;
}

mode_t ModeOf(int flags, va_list arguments) {
  const bool has_mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return has_mode ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

}  // namespace

extern "C" {

/// Begins to count. The call of number `at`, from 1 on, is hit in the way of `mode`.
void fault_arm(int mode, long at, int error) {
  for (File& file : state.files) file = {};
  state.mode = mode;
  state.at = at;
  state.error = error;
  state.seen = 0;
  state.hits = 0;
  state.names_changed = 0;
  state.armed = true;
}

/// Ends it. How many calls there were.
long fault_disarm() {
  state.armed = false;
  return state.seen;
}

long fault_hits() { return state.hits; }

/// What a loss of power would take after work that said it was done: files whose bytes, and changes
/// of names that, nobody waited for.
int fault_unsynced() {
  int n = state.names_changed;
  for (const File& file : state.files) n += file.is_written ? 1 : 0;
  return n;
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  if (Hit()) return -1;
  return Opened(Real<int(const char*, int, ...)>("open")(path, flags, mode), flags);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  if (Hit()) return -1;
  return Opened(Real<int(const char*, int, ...)>("open64")(path, flags, mode), flags);
}

ssize_t write(int fd, const void* bytes, size_t n) {
  if (Hit()) return -1;
  if (state.armed && state.mode == kShort && n > 1) n = state.seen % 2 == 0 ? 1 : n / 2;
  const ssize_t done = Real<ssize_t(int, const void*, size_t)>("write")(fd, bytes, n);
  if (File* const file = FileOf(fd); state.armed && file != nullptr && done > 0) {
    file->is_written = true;
  }
  return done;
}

int fsync(int fd) {
  if (Hit()) return -1;
  const int result = Real<int(int)>("fsync")(fd);
  if (File* const file = FileOf(fd); state.armed && file != nullptr && result == 0) {
    struct stat status = {};
    if (fstat(fd, &status) == 0) file->synced = status.st_size;
    file->is_written = false;
    if (file->is_folder) state.names_changed = 0;
  }
  return result;
}

int close(int fd) {
  if (Hit()) {
    Real<int(int)>("close")(fd);  // as on Linux: the file is closed all the same
    return -1;
  }
  // What was not synced can be lost after it was closed, too: another number keeps the file.
  if (File* const file = FileOf(fd); state.armed && file != nullptr) {
    if (file->is_written) {
      const int kept = fcntl(fd, F_DUPFD_CLOEXEC, kFiles / 2);
      if (File* const copy = FileOf(kept); copy != nullptr) *copy = *file;
    }
    *file = {};
  }
  return Real<int(int)>("close")(fd);
}

int rename(const char* from, const char* to) {
  if (Hit()) return -1;
  const int result = Real<int(const char*, const char*)>("rename")(from, to);
  if (state.armed && result == 0) ++state.names_changed;
  return result;
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  if (Hit()) return -1;
  const int result = Real<int(int, const char*, int, const char*, int)>("linkat")(
      from_folder, from, to_folder, to, flags);
  if (state.armed && result == 0) ++state.names_changed;
  return result;
}

int unlink(const char* path) {
  if (Hit()) return -1;
  return Real<int(const char*)>("unlink")(path);
}

ssize_t read(int fd, void* bytes, size_t n) {
  if (Hit()) return -1;
  return Real<ssize_t(int, void*, size_t)>("read")(fd, bytes, n);
}

int fchmod(int fd, mode_t mode) {
  if (Hit()) return -1;
  return Real<int(int, mode_t)>("fchmod")(fd, mode);
}

int fchown(int fd, uid_t owner, gid_t group) {
  if (Hit()) return -1;
  return Real<int(int, uid_t, gid_t)>("fchown")(fd, owner, group);
}

}  // extern "C"
