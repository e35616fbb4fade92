// Spellings of metrics: any text is a metric or an error; a metric's own spelling means the same;
// its value is a number, whatever the grades and scores of a small query.

#include "rankforest/metric/metric.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/target.hpp"
#include "rankforest/core/dataset.hpp"
#include "rankforest/metric/evaluate.hpp"
#include "targets/support.hpp"

namespace {

using rankforest::Metric;

/// Measures a few documents of two queries, whose grades are small and whose scores may tie.
void Measure(const Metric& metric, rankforest::fuzz::Reader& reader) {
  constexpr std::size_t kRows = 8;
  std::vector<double> grades(kRows);
  std::vector<double> scores(kRows);
  std::vector<rankforest::QueryId> queries(kRows);
  for (std::size_t row = 0; row < kRows; ++row) {
    grades[row] = reader.Below(5);
    scores[row] = reader.Below(4) * 0.25;
    queries[row] = row < 3 ? 0 : 1;
  }
  const rankforest::Dataset data = rankforest::Dataset::Owning(
      std::vector<float>(kRows, 1.0F), 1, grades, queries, {}, rankforest::Threads{1});
  try {
    const rankforest::Evaluation found =
        rankforest::Evaluate(metric, data, scores, rankforest::Threads{1});
    for (const double value : found.values) {
      rankforest::fuzz::Require(!std::isinf(value), "a metric of small grades is finite");
    }
  } catch (const std::invalid_argument&) {  // for example ids of documents, which there are none of
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kJudgements = 16;
  rankforest::fuzz::Reader reader(data, size < kJudgements ? size : kJudgements);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view text = size < kJudgements ? bytes : bytes.substr(kJudgements);
  try {
    const Metric metric = Metric::Parse(text);
    rankforest::fuzz::Require(Metric::Parse(metric.ToString()) == metric,
                              "a metric's own spelling means the same");
    Measure(metric, reader);
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
