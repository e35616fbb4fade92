#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rankforest/core/dataset.hpp"
#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/least_squares.hpp"
#include "rankforest/core/math.hpp"
#include "rankforest/core/ordinal.hpp"
#include "rankforest/core/parallel.hpp"
#include "rankforest/core/row_sample.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/detail/shown.hpp"
#include "rankforest/train/scores.hpp"
#include "rankforest/train/settings.hpp"

namespace rankforest {

/// The distinct grades of a data set, ascending: those that an ordinal model tells apart.
///
/// @throws std::invalid_argument  if there is but one, or too many
inline std::vector<double> OrdinalGrades(const Dataset& data) {
  std::vector<double> grades(data.grades().begin(), data.grades().end());
  std::sort(grades.begin(), grades.end());
  grades.erase(std::unique(grades.begin(), grades.end()), grades.end());
  if (grades.size() == 1) {
    throw std::invalid_argument(
        "ordinal=True tells grades apart, and those of the training data are all " +
        detail::Shown(grades.front()));
  }
  if (grades.size() > kMostOrdinalGrades) {
    throw std::invalid_argument("ordinal=True takes at most " + std::to_string(kMostOrdinalGrades) +
                                " distinct grades, each of which but one is a problem of its own; "
                                "the training data has " +
                                std::to_string(grades.size()));
  }
  return grades;
}

/// Whether a document's grade is at most `grade`, 1 or 0: what a problem learns.
inline std::vector<double> AtMost(Span<const double> grades, double grade) {
  std::vector<double> targets(grades.size());
  std::transform(grades.begin(), grades.end(), targets.begin(),
                 [&](double of_document) { return of_document <= grade ? 1.0 : 0.0; });
  return targets;
}

/// Whether the weights of a score are fitted once the problems are trained.
inline bool IsFitted(OrdinalScoring scoring) { return scoring >= OrdinalScoring::kOlsTrain; }

/// The score in which each grade counts what `scoring` says, of which a fitted one starts from the
/// grades.
///
/// @throws std::invalid_argument  for a grade that counts more than float32 can hold
inline OrdinalScore FixedScore(const std::vector<double>& grades, OrdinalScoring scoring) {
  std::vector<double> values;
  for (const double grade : grades) {
    values.push_back(scoring == OrdinalScoring::kSquare ? grade * grade
                     : scoring == OrdinalScoring::kExp2 ? Exp2(grade)
                                                        : grade);
  }
  constexpr double kMost = 3.4e38;
  if (!(values.back() <= kMost)) {
    const char* how = scoring == OrdinalScoring::kSquare ? "its square"
                      : scoring == OrdinalScoring::kExp2 ? "2^grade"
                                                         : "itself";
    throw std::invalid_argument("ordinal_scoring lets a grade count " + std::string(how) +
                                ", which must be at most 3.4e38 for float32 to hold it; the "
                                "largest grade is " +
                                detail::Shown(grades.back()));
  }
  return ScoreByValues(values);
}

/// Documents with grades that the weights of a score are fitted to.
struct FittedOn {
  const Dataset& data;
  RowSample rows;
};

/// The score whose squared distance to the grades is least (Mohan 2010, equation 3.8), by the
/// probabilities that the problems give documents, which are not corrected.
///
/// @param problems  of each, as it was trained
/// @param sets      with the features of the problems
inline OrdinalScore FittedScore(const std::vector<Member>& problems,
                                const std::vector<FittedOn>& sets, Threads threads) {
  LeastSquares least(problems.size());
  std::vector<double> row(problems.size());
  for (const FittedOn& set : sets) {
    std::vector<std::vector<double>> cumulative;
    for (const Member& problem : problems) {
      cumulative.emplace_back(set.data.n_documents(), problem.base);
      AddGroups(problem, set.data, threads, cumulative.back());
    }
    const Span<const double> weights = set.data.weights();
    for (std::size_t i = 0; i < set.rows.rows.size(); ++i) {
      const RowId document = set.rows.rows[i];
      for (std::size_t c = 0; c < row.size(); ++c) row[c] = cumulative[c][document];
      least.Add(row, set.data.grades()[document],
                (weights.empty() ? 1.0 : weights[document]) * set.rows.Count(i));
    }
  }
  LeastSquares::Solution solution = least.Solve();
  return {solution.base, std::move(solution.weights)};
}

}  // namespace rankforest
