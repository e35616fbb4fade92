// LETOR text: any bytes are a data set or an error, the same for every size of the chunks that
// threads parse; what was read is written and read back to the same bits.

#include "rankforest/io/letor.hpp"

#include <cmath>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/target.hpp"
#include "targets/support.hpp"

namespace {

using rankforest::LetorData;
using rankforest::LetorOptions;
using rankforest::LetorSource;
using rankforest::ReadLetor;
using rankforest::Span;
using rankforest::ZeroBased;

/// What reading gives: data, or an error.
struct Outcome {
  LetorData data;
  std::string error;
};

Outcome Read(std::string_view text, const LetorOptions& options) {
  const std::vector<LetorSource> sources = {{"text", text, {}, nullptr}};
  Outcome outcome;
  try {
    outcome.data = ReadLetor(Span<const LetorSource>(sources), options);
  } catch (const std::invalid_argument& error) {
    outcome.error = error.what();
  } catch (const std::runtime_error& error) {
    outcome.error = error.what();
  } catch (const std::bad_alloc& error) {
    outcome.error = error.what();
  }
  return outcome;
}

template <class T>
bool SameBytes(const T& a, const T& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

bool Same(const Outcome& a, const Outcome& b) {
  return a.error == b.error && a.data.n_documents == b.data.n_documents &&
         a.data.n_features == b.data.n_features && SameBytes(a.data.features, b.data.features) &&
         SameBytes(a.data.grades, b.data.grades) &&
         SameBytes(a.data.query_codes, b.data.query_codes) &&
         a.data.query_ids == b.data.query_ids && a.data.comments == b.data.comments;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  rankforest::fuzz::Reader reader(data, size);
  LetorOptions options;
  const std::uint32_t choice = reader.Below(256);
  options.zero_based = static_cast<ZeroBased>(choice % 3);
  options.absent = choice / 3 % 2 == 0 ? 0.0F : std::nanf("");
  options.n_features = choice / 6 % 3 == 0 ? 0 : choice / 18;
  options.require_qid = choice % 2 == 0;
  options.threads = rankforest::Threads{1};
  const std::string_view text = reader.Rest();
  if (options.n_features == 0) options.n_features = 64;  // a row of a large index is large
  const Outcome whole = Read(text, options);
  options.chunk_bytes = 1 + choice % 40;
  rankforest::fuzz::Require(Same(whole, Read(text, options)), "chunks do not change what is read");
  return 0;
}
