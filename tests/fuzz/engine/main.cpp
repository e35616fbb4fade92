// Runs a target on every file of a corpus, then on mutations of them; what passes new places of
// the program joins the inputs that are mutated. A small stand-in for libFuzzer where the compiler
// has none. The inputs depend on the corpus, the seed and the program alone.

#include <sanitizer/common_interface_defs.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/coverage.hpp"
#include "engine/mutation.hpp"
#include "engine/target.hpp"

namespace rankforest::fuzz {

namespace {

constexpr const char* kUsage =
    "usage: fuzz_TARGET CORPUS... [--seconds S] [--runs N] [--seed N] [--most-bytes N]\n"
    "\n"
    "  CORPUS        files, or folders of files, to begin with\n"
    "  --seconds     how long to mutate them; 0 runs them as they are (default 10)\n"
    "  --runs        the most runs, those of the corpus included (default: no limit)\n"
    "  --seed        of the mutations (default 0)\n"
    "  --most-bytes  of an input (default 4096)\n"
    "\n"
    "An input that fails is left in fuzz_TARGET.failure, to be run as a corpus.\n";

/// Longer runs than this fail.
constexpr unsigned kMostSecondsOfRun = 20;

struct Arguments {
  std::vector<std::string> corpus;
  double seconds = 10.0;
  std::uint64_t runs = ~std::uint64_t{0};
  std::uint64_t seed = 0;
  std::size_t most_bytes = 4096;
};

Arguments Parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("--", 0) != 0) {
      arguments.corpus.push_back(word);
      continue;
    }
    if (i + 1 == argc) throw std::invalid_argument(word + " needs a value");
    const std::string value = argv[++i];
    if (word == "--seconds") {
      arguments.seconds = std::stod(value);
    } else if (word == "--runs") {
      arguments.runs = std::stoull(value);
    } else if (word == "--seed") {
      arguments.seed = std::stoull(value);
    } else if (word == "--most-bytes") {
      arguments.most_bytes = std::stoull(value);
    } else {
      throw std::invalid_argument("there is no option " + word);
    }
  }
  if (arguments.corpus.empty()) throw std::invalid_argument("a corpus is missing");
  return arguments;
}

std::vector<std::filesystem::path> FilesOf(const std::vector<std::string>& corpus) {
  std::vector<std::filesystem::path> files;
  for (const std::string& name : corpus) {
    if (!std::filesystem::is_directory(name)) {
      files.emplace_back(name);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(name)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

Input ContentsOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The input that is being run: where the program ends, it is what a developer wants to have.
struct Current {
  std::string failure_path;
  const Input* input = nullptr;
};

Current& TheCurrent() {
  static Current current;
  return current;
}

void LeaveFailure() {
  const Current& current = TheCurrent();
  if (current.input == nullptr) return;
  std::FILE* const file = std::fopen(current.failure_path.c_str(), "wb");
  if (file == nullptr) return;
  std::fwrite(current.input->data(), 1, current.input->size(), file);
  std::fclose(file);
  std::fprintf(stderr, "the input that failed is in %s\n", current.failure_path.c_str());
}

void FailOn(int signal) {
  std::fprintf(stderr, signal == SIGALRM ? "a run took more than %u s\n" : "aborted\n",
               kMostSecondsOfRun);
  LeaveFailure();
  _exit(1);
}

class Fuzzer {
 public:
  explicit Fuzzer(Arguments arguments) : arguments_(std::move(arguments)) {}

  void Run() {
    for (const auto& path : FilesOf(arguments_.corpus)) RunOnce(ContentsOf(path), true);
    if (pool_.empty()) pool_.emplace_back();
    const std::size_t n_given = pool_.size();
    const auto begin = std::chrono::steady_clock::now();
    const Mutation mutation(pool_, arguments_.most_bytes);
    Rng rng(arguments_.seed);
    double seconds = 0.0;
    for (; n_runs_ < arguments_.runs;) {
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (seconds >= arguments_.seconds) break;
      RunOnce(mutation.Next(rng), false);
    }
    std::printf("%llu runs in %.1f s, %zu inputs in the corpus and %zu more, %zu places passed\n",
                static_cast<unsigned long long>(n_runs_), seconds, n_given, pool_.size() - n_given,
                Coverage::OfProgram().n_passed());
  }

 private:
  void RunOnce(Input input, bool keep) {
    // A copy of the very size, so that a sanitizer sees a read behind its end.
    TheCurrent().input = &input;
    input.shrink_to_fit();
    Coverage::OfProgram().Clear();
    alarm(kMostSecondsOfRun);
    LLVMFuzzerTestOneInput(input.data(), input.size());
    alarm(0);
    TheCurrent().input = nullptr;
    ++n_runs_;
    if (Coverage::OfProgram().Merge() || keep) pool_.push_back(std::move(input));
  }

  Arguments arguments_;
  std::vector<Input> pool_;
  std::uint64_t n_runs_ = 0;
};

}  // namespace

}  // namespace rankforest::fuzz

int main(int argc, char** argv) {
  using namespace rankforest::fuzz;
  TheCurrent().failure_path = std::filesystem::path(argv[0]).filename().string() + ".failure";
  std::signal(SIGABRT, FailOn);
  std::signal(SIGALRM, FailOn);
  __sanitizer_set_death_callback(LeaveFailure);
  try {
    Fuzzer(Parse(argc, argv)).Run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n%s", error.what(), kUsage);
    return 2;
  }
  return 0;
}
