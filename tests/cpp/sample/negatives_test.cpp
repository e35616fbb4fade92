#include "rankforest/sample/negatives.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "rankforest/core/scale_free_order.hpp"
#include "rankforest/sample/even_level.hpp"
#include "rankforest/sample/highest_keys.hpp"
#include "rankforest/sample/negative_settings.hpp"
#include "rankforest/sample/negatives_draw.hpp"
#include "rankforest/sample/view.hpp"
#include "support/small_data.hpp"

namespace rankforest {

namespace {

using Rows = std::vector<RowId>;

/// What a draw sees: data with scores and gradients of it.
struct Seen {
  explicit Seen(const testing::RawData& raw)
      : data(raw.Make()),
        all(WholeSample(data.n_documents())),
        places(PlacesIn(ScaleFreeOrder(data, Threads{1}))),
        scores(data.n_documents(), 0.0),
        gradients(data.n_documents()) {
    for (RowId row = 0; row < data.n_documents(); ++row) {
      if (data.grades()[row] > 0.0) positives.push_back(row);
    }
  }

  [[nodiscard]] SamplerView View(std::size_t round, int threads = 1) const {
    SamplerView view(data);
    view.threads = Threads{threads};
    view.round = round;
    view.scores = scores;
    view.gradients = gradients;
    view.tie_places = places;
    view.positives = positives;
    return view;
  }
  [[nodiscard]] Rows Draw(const NegativeSettings& settings, std::size_t round = 4,
                          int threads = 1) const {
    return SelectNegatives(settings).Draw(View(round, threads), all, Rng(3)).rows;
  }

  Dataset data;
  RowSample all;
  Rows places;
  Rows positives;
  std::vector<double> scores;
  std::vector<GradientPair> gradients;
};

NegativeSettings Settings(NegativeSelection selection, double fraction) {
  NegativeSettings settings;
  settings.selection = selection;
  settings.fraction = fraction;
  if (selection == NegativeSelection::kFixedFeature) settings.base_feature = 1;
  return settings;
}

/// Random queries, a fifth of the documents positive, with few distinct scores and gradients.
Seen RandomSeen(std::uint64_t seed, std::uint32_t most_documents = 60) {
  Rng rng(seed);
  testing::SmallDataOptions options;
  options.n_queries = 20;
  options.most_documents = most_documents;
  options.n_values = 9;
  options.nan_in_100 = 5;
  testing::RawData raw = testing::SmallData(options, rng);
  for (double& grade : raw.grades) grade = rng.Below(5) == 0 ? 1.0 + rng.Below(3) : 0.0;
  Seen seen(raw);
  for (double& score : seen.scores) score = rng.Below(7) * 0.25 - 0.5;
  for (GradientPair& pair : seen.gradients) pair.grad = rng.Below(9) * 0.5 - 2.0;
  return seen;
}

struct Query {
  Rows positives;
  Rows negatives;
};

std::vector<Query> QueriesOf(const Dataset& data) {
  std::vector<Query> queries(data.n_queries());
  for (std::size_t q = 0; q < data.n_queries(); ++q) {
    for (RowId d = data.offsets()[q]; d < data.offsets()[q + 1]; ++d) {
      (data.grades()[d] > 0.0 ? queries[q].positives : queries[q].negatives).push_back(d);
    }
  }
  return queries;
}

/// The rows sorted by descending key, equal ones by place.
template <class KeyOf>
Rows Sorted(Rows rows, const Seen& seen, const KeyOf& key_of) {
  std::sort(rows.begin(), rows.end(), [&](RowId a, RowId b) {
    const double key_a = key_of(a);
    const double key_b = key_of(b);
    return key_a != key_b ? key_a > key_b : seen.places[a] < seen.places[b];
  });
  return rows;
}

std::size_t Ceil(double fraction, std::size_t n) {
  return static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(n) - 1e-9));
}

/// Sorts all negatives of each query and takes the first ones.
template <class KeyOf>
Rows NaiveHighest(const Seen& seen, double fraction, const KeyOf& key_of) {
  Rows rows;
  for (const Query& query : QueriesOf(seen.data)) {
    rows.insert(rows.end(), query.positives.begin(), query.positives.end());
    Rows negatives = Sorted(query.negatives, seen, key_of);
    negatives.resize(Ceil(fraction, negatives.size()));
    rows.insert(rows.end(), negatives.begin(), negatives.end());
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

constexpr double kFractions[] = {0.01, 0.1, 0.25, 0.5, 0.99, 1.0};

}  // namespace

TEST_CASE("a share is rounded up, but not because of rounding") {
  CHECK(ShareOf(0.01, 1) == 1);
  CHECK(ShareOf(0.01, 100) == 1);
  CHECK(ShareOf(0.01, 101) == 2);
  CHECK(ShareOf(0.07, 100) == 7);  // 0.07 x 100 is 7.000000000000001
  CHECK(ShareOf(0.0025, 2000) == 5);
  CHECK(ShareOf(1e-12, 10) == 1);
  CHECK(ShareOf(1.0, 7) == 7);
  CHECK(ShareOf(0.5, 0) == 0);
  CHECK(ShareOf(0.0, 9) == 0);
}

TEST_CASE("selections of a list of eight documents, by hand") {
  testing::RawData raw;
  raw.n_features = 2;
  raw.features = {1, 80, 2, 70, 3, 60, 4, 50, 5, 40, 6, 30, 7, 20, 8, 10};
  raw.grades = {0, 2, 0, 0, 1, 0, 0, 0};
  raw.queries.assign(8, 5);
  Seen seen(raw);
  const auto by_row = [&](const std::vector<double>& values, const auto& set) {
    for (std::size_t d = 0; d < 8; ++d) set(d, values[seen.data.order()[d]]);
  };
  by_row({0.1, 0.9, 0.8, 0.2, 0.3, 0.7, -1, 0.25}, [&](auto d, double x) { seen.scores[d] = x; });
  by_row({-3, 9, 1, 2, -9, -1, 0, -4}, [&](auto d, double x) { seen.gradients[d].grad = x; });
  const auto drawn = [&](NegativeSelection selection) {
    Rows rows;
    for (const RowId d : seen.Draw(Settings(selection, 0.34))) rows.push_back(seen.data.order()[d]);
    std::sort(rows.begin(), rows.end());
    return rows;
  };
  // 0.34 of six negatives are 2.04: three. Positives are rows 1 and 4.
  CHECK(drawn(NegativeSelection::kTop) == Rows{1, 2, 4, 5, 7});
  CHECK(drawn(NegativeSelection::kGradient) == Rows{0, 1, 3, 4, 7});
  CHECK(drawn(NegativeSelection::kFixedFeature) == Rows{0, 1, 2, 3, 4});
  // Rows 2 and 5 rank above the last positive, row 7 is the first one below.
  CHECK(drawn(NegativeSelection::kAdaptive) == Rows{1, 2, 4, 5, 7});
  CHECK(drawn(NegativeSelection::kRandom).size() == 5);
  CHECK(drawn(NegativeSelection::kMixed).size() == 5);
}

TEST_CASE("the highest negatives are those of a full sort, for scores, gradients and a feature") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Seen seen = RandomSeen(900 + seed, seed % 2 == 0 ? 12 : 400);
    for (const double fraction : kFractions) {
      INFO("seed ", seed, ", fraction ", fraction);
      CHECK(seen.Draw(Settings(NegativeSelection::kTop, fraction)) ==
            NaiveHighest(seen, fraction, [&](RowId d) { return seen.scores[d]; }));
      CHECK(
          seen.Draw(Settings(NegativeSelection::kGradient, fraction)) ==
          NaiveHighest(seen, fraction, [&](RowId d) { return std::abs(seen.gradients[d].grad); }));
      const auto feature = [&](RowId d) {
        const float value = seen.data.Features(d)[1];
        return std::isnan(value) ? -1e30 : static_cast<double>(value);
      };
      CHECK(seen.Draw(Settings(NegativeSelection::kFixedFeature, fraction), 0) ==
            NaiveHighest(seen, fraction, feature));
    }
  }
}

TEST_CASE(
    "every selection keeps all positives, and of each query's negatives the share rounded up") {
  const Seen seen = RandomSeen(931);
  for (const NegativeSelection selection :
       {NegativeSelection::kTop, NegativeSelection::kRandom, NegativeSelection::kGradient,
        NegativeSelection::kMixed, NegativeSelection::kFixedRandom,
        NegativeSelection::kFixedFeature}) {
    for (const double fraction : kFractions) {
      const Rows rows = seen.Draw(Settings(selection, fraction));
      CHECK(std::is_sorted(rows.begin(), rows.end()));
      for (const Query& query : QueriesOf(seen.data)) {
        const auto n_drawn = [&](const Rows& of) {
          return static_cast<std::size_t>(std::count_if(of.begin(), of.end(), [&](RowId d) {
            return std::binary_search(rows.begin(), rows.end(), d);
          }));
        };
        CHECK(n_drawn(query.positives) == query.positives.size());
        CHECK(n_drawn(query.negatives) == Ceil(fraction, query.negatives.size()));
      }
      CHECK(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
      CHECK(seen.Draw(Settings(selection, fraction), 4, 3) == rows);  // whatever the threads
    }
  }
}

TEST_CASE("a mixture has the highest scores of its share, and draws the others from the rest") {
  const Seen seen = RandomSeen(932);
  NegativeSettings settings = Settings(NegativeSelection::kMixed, 0.3);
  settings.top_share = 1.0;
  CHECK(seen.Draw(settings) == seen.Draw(Settings(NegativeSelection::kTop, 0.3)));
  settings.top_share = 0.0;
  CHECK(seen.Draw(settings) == seen.Draw(Settings(NegativeSelection::kRandom, 0.3)));
  settings.top_share = 0.4;
  const Rows rows = seen.Draw(settings);
  for (const Query& query : QueriesOf(seen.data)) {
    Rows top = Sorted(query.negatives, seen, [&](RowId d) { return seen.scores[d]; });
    top.resize(Ceil(0.4, Ceil(0.3, top.size())));
    for (const RowId d : top) CHECK(std::binary_search(rows.begin(), rows.end(), d));
  }
}

TEST_CASE("random negatives are drawn anew for each stream, each as often") {
  testing::RawData raw;
  raw.features = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  raw.grades = {0, 0, 0, 3, 0, 0, 0, 0, 0, 0};
  raw.queries.assign(10, 0);
  const Seen seen(raw);
  const SelectNegatives sampler(Settings(NegativeSelection::kRandom, 1.0 / 3.0));
  std::vector<double> drawn(10);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const RowSample sample = sampler.Draw(seen.View(4), seen.all, Rng(seed));
    REQUIRE(sample.rows.size() == 4);
    for (const RowId row : sample.rows) drawn[row] += 1.0;
  }
  for (RowId d = 0; d < 10; ++d) {  // the standard deviation is 26
    const bool is_positive = seen.data.grades()[d] > 0.0;
    CHECK(std::abs(drawn[d] - (is_positive ? 3000.0 : 1000.0)) < 110);
  }
}

TEST_CASE("an even level is the largest that the budget meets, by trying all") {
  Rng rng(933);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::size_t> demands(1 + rng.Below(8));
    for (std::size_t& demand : demands) demand = rng.Below(9);
    const std::size_t budget = rng.Below(40);
    std::size_t expected = 1;
    for (std::size_t level = 1; level <= *std::max_element(demands.begin(), demands.end());
         ++level) {
      std::size_t sum = 0;
      for (const std::size_t demand : demands) sum += std::min(demand, level);
      if (sum <= budget) expected = level;
    }
    CHECK(detail::EvenLevel(demands, budget) == expected);
  }
  CHECK(detail::EvenLevel({}, 3) == 1);
}

TEST_CASE("an adaptive selection gives hard queries more, and never more than the total") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Seen seen = RandomSeen(940 + seed);
    const auto score = [&](RowId d) { return seen.scores[d]; };
    const std::vector<Query> queries = QueriesOf(seen.data);
    for (const double fraction : {0.1, 0.3, 1.0}) {
      std::vector<Rows> wanted;
      std::size_t budget = 0;
      for (const Query& query : queries) {
        budget += Ceil(fraction, query.negatives.size());
        Rows both = query.positives;
        both.insert(both.end(), query.negatives.begin(), query.negatives.end());
        both = Sorted(both, seen, score);
        const auto is_positive = [&](RowId d) { return seen.data.grades()[d] > 0.0; };
        std::size_t end = both.size();  // one past the last positive
        while (end > 0 && !is_positive(both[end - 1])) --end;
        both.resize(std::min(both.size(), end + 1));
        both.erase(std::remove_if(both.begin(), both.end(), is_positive), both.end());
        wanted.push_back(both);
      }
      std::size_t limit = 1;
      for (std::size_t level = 1; level <= 500; ++level) {
        std::size_t sum = 0;
        for (const Rows& each : wanted) sum += std::min(each.size(), level);
        if (sum <= budget) limit = level;
      }
      Rows expected;
      for (std::size_t q = 0; q < queries.size(); ++q) {
        const std::size_t n = std::min(limit, wanted[q].size());
        expected.insert(expected.end(), queries[q].positives.begin(), queries[q].positives.end());
        expected.insert(expected.end(), wanted[q].begin(),
                        wanted[q].begin() + static_cast<std::ptrdiff_t>(n));
      }
      std::sort(expected.begin(), expected.end());
      CHECK(seen.Draw(Settings(NegativeSelection::kAdaptive, fraction)) == expected);
    }
  }
}

TEST_CASE("the first round has every document; later ones reselect at multiples of a number") {
  const Seen seen = RandomSeen(950);
  NegativeSettings settings = Settings(NegativeSelection::kTop, 0.1);
  CHECK(seen.Draw(settings, 0) == seen.all.rows);
  CHECK(seen.Draw(settings, 1).size() < seen.all.rows.size());
  const auto redrawn = [&](std::uint32_t every, NegativeSelection selection) {
    settings.reselect_every = every;
    settings.selection = selection;
    std::vector<std::size_t> rounds;  // counted from 1
    for (std::size_t round = 0; round < 9; ++round) {
      if (SelectNegatives(settings).redraws(round)) rounds.push_back(round + 1);
    }
    return rounds;
  };
  using Rounds = std::vector<std::size_t>;
  CHECK(redrawn(1, NegativeSelection::kTop) == Rounds{1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(redrawn(4, NegativeSelection::kRandom) == Rounds{1, 4, 8});
  CHECK(redrawn(4, NegativeSelection::kFixedRandom) == Rounds{1});
  settings.selection = NegativeSelection::kFixedRandom;
  CHECK(seen.Draw(settings, 0).size() < seen.all.rows.size());
}

TEST_CASE("negatives are selected among the documents of the queries that were drawn") {
  const Seen seen = RandomSeen(951);
  const SelectNegatives sampler(Settings(NegativeSelection::kTop, 0.1), SubsampleQueries{0.5});
  const Rows rows = sampler.Draw(seen.View(3), seen.all, Rng(8)).rows;
  const Rows of_all = seen.Draw(Settings(NegativeSelection::kTop, 0.1));
  CHECK(std::includes(of_all.begin(), of_all.end(), rows.begin(), rows.end()));
  std::size_t n_queries = 0;
  for (std::size_t q = 0; q < 20; ++q) {
    const auto first = std::lower_bound(rows.begin(), rows.end(), seen.data.offsets()[q]);
    n_queries += first != rows.end() && *first < seen.data.offsets()[q + 1] ? 1U : 0U;
  }
  CHECK(n_queries == 10);
}

TEST_CASE("whatever the sample before was, it changes no selection") {
  Seen seen = RandomSeen(952, 100);
  const std::vector<SelectNegatives::From> froms = {AllRows(), SubsampleQueries{0.5},
                                                    SubsampleRows{0.5}};
  for (const NegativeSelection selection :
       {NegativeSelection::kTop, NegativeSelection::kGradient, NegativeSelection::kMixed,
        NegativeSelection::kAdaptive}) {
    for (std::size_t f = 0; f < froms.size(); ++f) {
      const SelectNegatives sampler(Settings(selection, 0.1), froms[f]);
      SamplerView view = seen.View(4);
      const Rows expected = sampler.Draw(view, seen.all, Rng(8)).rows;
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        INFO("selection ", static_cast<int>(selection), ", from ", f, ", seed ", seed);
        Rng rng(seed);
        const double share = 0.1 * static_cast<double>(seed);
        Rows last;
        for (const RowId row : seen.all.rows) {
          if (rng.Uniform() < share) last.push_back(row);
        }
        view.last = last;
        CHECK(sampler.Draw(view, seen.all, Rng(8)).rows == expected);
      }
      view.last = expected;
      CHECK(sampler.Draw(view, seen.all, Rng(8)).rows == expected);
      view.last = seen.all.rows;
      CHECK(sampler.Draw(view, seen.all, Rng(8)).rows == expected);
    }
  }
}

TEST_CASE("the order of rows changes no selection") {
  Rng rng(952);
  testing::SmallDataOptions options;
  options.n_queries = 10;
  options.most_documents = 30;
  const testing::RawData raw = testing::SmallData(options, rng);
  const std::vector<std::size_t> order = testing::ShuffledRows(raw.n_rows(), rng);
  const Seen as_it_is(raw);
  const Seen shuffled(raw.Take(order));
  for (const NegativeSelection selection :
       {NegativeSelection::kTop, NegativeSelection::kRandom, NegativeSelection::kMixed,
        NegativeSelection::kFixedFeature}) {
    const NegativeSettings settings = Settings(selection, 0.2);  // all scores are equal
    CHECK(as_it_is.Draw(settings) == shuffled.Draw(settings));
  }
}

}  // namespace rankforest
