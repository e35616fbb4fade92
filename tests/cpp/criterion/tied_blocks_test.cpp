#include "rankforest/criterion/tied_blocks.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "rankforest/core/rng.hpp"
#include "rankforest/core/row_sample.hpp"
#include "support/graded_node.hpp"
#include "support/naive_ranking.hpp"
#include "support/small_data.hpp"

namespace rankforest {

namespace {

/// A query of which some documents are outside a node, and those inside it on two sides.
struct OneQuery {
  std::vector<float> values;  // feature, so that documents have an order
  std::vector<double> grades;
  std::vector<int> part;  // 0 outside, 1 left, 2 right
  std::vector<double> outside;
};

OneQuery RandomQuery(Rng& rng) {
  OneQuery query;
  const std::uint32_t n = 1 + rng.Below(9);
  for (std::uint32_t i = 0; i < n; ++i) {
    query.values.push_back(static_cast<float>(i));
    query.grades.push_back(rng.Below(4));
    query.part.push_back(static_cast<int>(rng.Below(3)));
    query.outside.push_back(rng.Below(4));
  }
  query.part[rng.Below(n)] = 1;
  return query;
}

/// The value of a query, by TiedBlocks and by definition.
class Valuation {
 public:
  static constexpr double kNodeScore = 1.0;  // that of some documents outside

  Valuation(const OneQuery& query, std::optional<std::uint32_t> cutoff)
      : query_(query),
        data_(testing::OneFeature(query.values, query.grades).Make()),
        documents_(data_, Relevance::kGrade),
        rows_(documents_, WholeSample(data_.n_documents())),
        lists_(documents_, cutoff),
        blocks_(lists_) {
    lists_.Begin(rows_.node());
    RankedBlocks ranked;
    TiedDocuments node{kNodeScore, 0, 0};
    for (RowId d = 0; d < data_.n_documents(); ++d) {
      const std::size_t i = data_.order()[d];
      const std::int64_t gain = lists_.GainOf(documents_.targets()[d]);
      if (query.part[i] == 0) {
        ranked.Insert({query.outside[i], gain, 1});
      } else {
        node.Add(gain, 1);
        (query.part[i] == 1 ? left_ : right_).Add(gain, 1);
      }
    }
    ranked.Insert(node);
    of_query_ = blocks_.Add(0, ranked.blocks(), node);
  }

  double Value(double left, double right, ScoreRange& left_place, ScoreRange& right_place) {
    left_.score = left;
    right_.score = right;
    TiedBlocks::Places places;
    const bool left_is_upper = left >= right;
    const std::int64_t value = blocks_.Value(of_query_, left_is_upper ? left_ : right_,
                                             left_is_upper ? right_ : left_, places);
    left_place = left_is_upper ? places.upper : places.lower;
    right_place = left_is_upper ? places.lower : places.upper;
    return lists_.ToReal(value);
  }

  [[nodiscard]] double Defined(double left, double right, std::size_t cutoff) const {
    std::vector<testing::Ranked> list;
    for (std::size_t i = 0; i < query_.grades.size(); ++i) {
      const double of_side = query_.part[i] == 1 ? left : right;
      list.push_back({query_.part[i] == 0 ? query_.outside[i] : of_side,
                      std::pow(2.0, query_.grades[i]) - 1.0});
    }
    return testing::NaiveListNdcg(list, cutoff);
  }

 private:
  OneQuery query_;
  Dataset data_;
  GradedDocuments documents_;
  testing::GradedRows rows_;
  ExpectedDcg lists_;
  TiedBlocks blocks_;
  TiedBlocks::Query of_query_;
  TiedDocuments left_;
  TiedDocuments right_;
};

}  // namespace

TEST_CASE("a range of scores holds those between its ends, and the intersection those of both") {
  ScoreRange range;
  CHECK(range.Holds(1e300));
  range.Intersect({1.0, 3.0});
  CHECK(range.Holds(2.0));
  CHECK_FALSE(range.Holds(1.0));
  CHECK_FALSE(range.Holds(3.0));
  range.Intersect({2.0, 9.0});
  CHECK_FALSE(range.Holds(2.0));
  CHECK(range.Holds(2.5));
}

TEST_CASE("blocks of equal scores are one, best first, and go when their documents do") {
  RankedBlocks ranked;
  ranked.Insert({1.0, 5, 2});
  ranked.Insert({3.0, 7, 1});
  ranked.Insert({1.0, 4, 1});
  ranked.Insert({2.0, 1, 1});
  const auto scores = [&] {
    std::vector<double> found;
    for (const TiedDocuments& block : ranked.blocks()) found.push_back(block.score);
    return found;
  };
  CHECK(scores() == std::vector<double>{3.0, 2.0, 1.0});
  CHECK(ranked.blocks()[2].gain == 9);
  CHECK(ranked.blocks()[2].n == 3);
  ranked.Remove({2.0, 1, 1});
  ranked.Remove({1.0, 4, 1});
  CHECK(scores() == std::vector<double>{3.0, 1.0});
  CHECK(ranked.blocks()[1].n == 2);
}

TEST_CASE("a node of two documents between two others, told apart and tied") {
  // Grades 3, 2, 1, 0 in this order are ideal; the two of the node tie at 1.5.
  const OneQuery query{{1, 2, 3, 4}, {3, 2, 1, 0}, {0, 1, 2, 0}, {3, 0, 0, 0}};
  Valuation valuation(query, std::nullopt);
  ScoreRange left;
  ScoreRange right;
  CHECK(valuation.Value(2, 1, left, right) == doctest::Approx(1.0).epsilon(1e-12));
  CHECK((left.below == 0.0 && left.above == 3.0));
  CHECK((right.below == 0.0 && right.above == 3.0));
  const double ideal = 7.0 + 3.0 / std::log2(3.0) + 1.0 / 2.0;
  const double tied = 7.0 + 2.0 / std::log2(3.0) + 2.0 / 2.0;
  CHECK(valuation.Value(1.5, 1.5, left, right) == doctest::Approx(tied / ideal).epsilon(1e-12));
  (void)valuation.Value(3, 0.5, left, right);
  CHECK_FALSE(left.Holds(3.0));  // it ties
  CHECK((right.below == 0.0 && right.above == 3.0));
}

TEST_CASE("the value is that of the definition, and stays where the places hold the scores") {
  Rng rng(877);
  for (int trial = 0; trial < 400; ++trial) {
    const bool is_cut = trial % 2 == 0;
    const std::uint32_t cutoff = 1 + rng.Below(5);
    const OneQuery query = RandomQuery(rng);
    Valuation valuation(query, is_cut ? std::optional(cutoff) : std::nullopt);
    const std::size_t k = is_cut ? cutoff : testing::kWholeList;
    const double left = 0.5 * rng.Below(9) - 0.5;
    const double right = 0.5 * rng.Below(9) - 0.5;
    ScoreRange left_place;
    ScoreRange right_place;
    const double value = valuation.Value(left, right, left_place, right_place);
    INFO("trial ", trial, ", left ", left, ", right ", right);
    CHECK(value == doctest::Approx(valuation.Defined(left, right, k)).epsilon(1e-11));
    for (const auto& [other_left, other_right] :
         {std::pair(left + 0.25, right), std::pair(left - 0.25, right),
          std::pair(left, right + 0.25), std::pair(left - 0.25, right - 0.25)}) {
      const bool keeps_order = (other_left < other_right) == (left < right) &&
                               (left == right) == (other_left == other_right);
      const bool holds = (other_left == left || left_place.Holds(other_left)) &&
                         (other_right == right || right_place.Holds(other_right));
      if (!keeps_order || !holds) continue;
      ScoreRange ignored;
      CHECK(valuation.Value(other_left, other_right, ignored, ignored) == value);
    }
  }
}

}  // namespace rankforest
