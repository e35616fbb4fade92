#include "rankforest/metric/suggestion.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"

namespace rankforest::detail {
namespace {

/// The definition, without a table.
std::size_t NaiveDistance(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  const std::string a1 = a.substr(0, a.size() - 1);
  const std::string b1 = b.substr(0, b.size() - 1);
  std::size_t least = NaiveDistance(a1, b1) + (a.back() == b.back() ? 0 : 1);
  least = std::min({least, NaiveDistance(a1, b) + 1, NaiveDistance(a, b1) + 1});
  if (!a1.empty() && !b1.empty() && a.back() == b1.back() && b.back() == a1.back()) {
    const std::size_t before =
        NaiveDistance(a1.substr(0, a1.size() - 1), b1.substr(0, b1.size() - 1));
    least = std::min(least, before + 1);
  }
  return least;
}

std::string RandomWord(Rng& rng) {
  std::string word(rng.Below(6), 'a');
  for (char& c : word) c = static_cast<char>('a' + rng.Below(3));
  return word;
}

}  // namespace

TEST_CASE("the distance of two words counts letters that change and neighbours that swap") {
  CHECK(EditDistance("", "") == 0);
  CHECK(EditDistance("ndcg", "ndcg") == 0);
  CHECK(EditDistance("ndgc", "ndcg") == 1);
  CHECK(EditDistance("ncg", "ndcg") == 1);
  CHECK(EditDistance("", "map") == 3);
  CHECK(EditDistance("ca", "abc") == 3);  // 2 if letters could be touched twice
}

TEST_CASE("the distance is that of the definition on random words, and symmetric") {
  Rng rng(20260101);
  for (int trial = 0; trial < 300; ++trial) {
    const std::string a = RandomWord(rng);
    const std::string b = RandomWord(rng);
    INFO(a, " ", b);
    CHECK(EditDistance(a, b) == NaiveDistance(a, b));
    CHECK(EditDistance(a, b) == EditDistance(b, a));
  }
}

TEST_CASE("a mistyped metric is answered with the one that is near, its cutoff with it") {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"ndgc@10", "ndcg@10"},
      {"ncdg", "ndcg"},
      {"mpa", "map"},
      {"precison@5", "p@5"},
      {"recal@3", "recall@3"},
      {"pairacuracy", "pairaccuracy"},
      {"ndcg10", "ndcg@10"},
      {"p_5", "p@5"},
      {"ndcg_cut_10", "ndcg@10"},
      {"map:3", "map@3"},
      {"rmse3", "rmse"},
      {"auc12", ""},
      {"xyz@10", ""},
      {"r", ""},
      {"", ""},
      {"@", ""},
      {"10", ""},
      {std::string(100, 'n') + "@1", ""},
  };
  for (const auto& [typed, meant] : table) {
    INFO(typed);
    CHECK(NearestHead(typed) == meant);
  }
}

TEST_CASE("every name of a metric with two neighbours swapped is answered with that metric") {
  for (const MetricRow& row : kMetrics) {
    for (std::size_t i = 0; i + 1 < row.name.size(); ++i) {
      std::string typed(row.name);
      std::swap(typed[i], typed[i + 1]);
      INFO(typed);
      if (row.name.size() > 3) CHECK(NearestMetric(typed) == row.name);
    }
  }
}

TEST_CASE("the nearest word is the first of equally near ones, and none is near if all are far") {
  NearestWord nearest("gian");
  nearest.Offer("empty");
  CHECK(nearest.word().empty());
  CHECK(DidYouMean(nearest.word()).empty());
  nearest.Offer("gian2");
  nearest.Offer("gain");
  CHECK(nearest.word() == "gian2");
  nearest.Offer("gian");
  CHECK(DidYouMean(nearest.word()) == "; did you mean gian?");
}

}  // namespace rankforest::detail
