// The C library: a model out of any bytes, then every function with arguments out of them. Nothing
// but a status comes out, and scores within no limits are the plain ones.

#include <cstdint>
#include <vector>

#include "engine/target.hpp"
#include "rankforest_c.h"
#include "support/section_surgery.hpp"
#include "targets/support.hpp"

namespace {

using rankforest::fuzz::Reader;
using rankforest::fuzz::Require;

constexpr std::size_t kDocuments = 5;

void CheckLimits(const rankforest_scorer* scorer, const std::vector<float>& features,
                 std::size_t stride, Reader& reader) {
  char error[64];
  std::vector<double> plain(kDocuments);
  std::vector<double> limited(kDocuments);
  rankforest_limits limits = {};
  limits.size = sizeof(limits);
  const int status = rankforest_score(scorer, features.data(), kDocuments, stride, plain.data(),
                                      error, sizeof(error));
  const int within =
      rankforest_score_within(scorer, &limits, features.data(), kDocuments, stride, limited.data(),
                              nullptr, nullptr, error, sizeof(error));
  if (status == RANKFOREST_OK && within == RANKFOREST_OK) {
    Require(rankforest::fuzz::SameBits(plain, limited), "no limits change no score");
  }
  limits.exit_every = reader.Below(4);
  limits.exit_demote = reader.Below(2);
  limits.exit_fraction = reader.Take<double>();
  limits.has_budget = reader.Below(2);
  limits.budget = reader.Take<double>();
  limits.tree_cost = reader.Take<double>();
  std::vector<std::uint32_t> rounds(kDocuments);
  double cost = 0.0;
  rankforest_score_within(scorer, &limits, features.data(), kDocuments, stride, limited.data(),
                          rounds.data(), &cost, error, reader.Below(sizeof(error)));
}

void CheckTop(const rankforest_scorer* scorer, const std::vector<float>& features,
              std::size_t stride, std::size_t k) {
  std::vector<rankforest_ranked> best(kDocuments);
  std::size_t n_found = 0;
  char error[64];
  rankforest_top(scorer, features.data(), kDocuments, stride, k, best.data(), &n_found, error,
                 sizeof(error));
  Require(n_found <= k, "no more than k documents are found");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kArguments = 32;
  Reader reader(data, size < kArguments ? size : kArguments);
  const std::size_t begin = size < kArguments ? size : kArguments;
  rankforest::Bytes model(data + begin, data + size);
  rankforest::testing::Reseal(model);
  rankforest_scorer* scorer = nullptr;
  char error[64];
  const int status =
      rankforest_load_memory(model.data(), model.size(), &scorer, error, sizeof(error));
  Require((status == RANKFOREST_OK) == (scorer != nullptr), "a scorer is what success gives");
  const std::size_t stride = rankforest_n_features(scorer);
  rankforest_feature_name(scorer, reader.Below(8));
  if (scorer != nullptr && stride < 10'000) {
    std::vector<float> features(kDocuments * stride + 1);
    for (float& value : features) value = reader.Take<float>();
    CheckTop(scorer, features, stride, reader.Below(kDocuments + 1));
    CheckLimits(scorer, features, stride, reader);
  }
  rankforest_free(scorer);
  return 0;
}
