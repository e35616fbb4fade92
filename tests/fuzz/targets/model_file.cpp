// Model files and LightGBM's text: any bytes are a valid model or an error. A model that is read
// has the bytes that writing it gives, and the fast scorer gives the reference's bits. Bytes are
// tried as they are, then with right checksums.

#include <new>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "engine/target.hpp"
#include "rankforest/scoring.hpp"
#include "support/section_surgery.hpp"
#include "targets/scoring.hpp"
#include "targets/support.hpp"

namespace {

using rankforest::Bytes;
using rankforest::Model;

void CheckWritten(const Model& model) {
  const Bytes written = rankforest::EncodeModel(model.ensemble, model.info, rankforest::Threads{1});
  const Model again = rankforest::DecodeModel(written, rankforest::Threads{1});
  rankforest::fuzz::Require(
      rankforest::EncodeModel(again.ensemble, again.info, rankforest::Threads{1}) == written,
      "a model is read as it was written");
}

void TryToRead(std::string_view file) {
  Model model;
  try {
    model = rankforest::ReadModel(file, rankforest::Threads{1});
  } catch (const std::invalid_argument&) {
    return;
  } catch (const std::bad_alloc&) {
    return;
  }
  CheckWritten(model);
  rankforest::fuzz::CheckScores(model.ensemble);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  TryToRead(file);
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(data);
  Bytes sealed(begin, begin + size);
  rankforest::testing::Reseal(sealed);
  TryToRead({reinterpret_cast<const char*>(sealed.data()), sealed.size()});
  return 0;
}
