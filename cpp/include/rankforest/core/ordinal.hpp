#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/detail/shown.hpp"

namespace rankforest {

/// Most distinct grades of an ordinal model.
inline constexpr std::size_t kMostOrdinalGrades = 255;

/// How the trees of an ensemble make the probabilities of grades.
///
/// An ordinal model (Mohan 2010, chapter 3) learns the probability that a document's grade is at
/// most y_c, once for each distinct grade but the highest: the problems c = 0, 1, ... Its score is
/// a weighted sum of these. So the trees of a problem have two weights each: that of the ensemble,
/// by which they score, and that which is kept here, by which they give the problem's probability.
struct Ordinal {
  /// What a member of the ensemble adds to a problem.
  struct Part {
    std::uint32_t problem = 0;          ///< below the number of grades less 1
    double base = 0.0;                  ///< finite
    std::vector<double> group_weights;  ///< of each group, in place of its own; finite
  };

  std::vector<double> grades;  ///< ascending; at least two, at most kMostOrdinalGrades
  std::vector<Part> parts;     ///< of each member

  [[nodiscard]] std::size_t n_problems() const { return grades.size() - 1; }
};

inline bool operator==(const Ordinal::Part& a, const Ordinal::Part& b) {
  return a.problem == b.problem && a.base == b.base && a.group_weights == b.group_weights;
}
inline bool operator==(const Ordinal& a, const Ordinal& b) {
  return a.grades == b.grades && a.parts == b.parts;
}

namespace detail {

inline void ValidateGrades(const std::vector<double>& grades) {
  if (grades.size() < 2 || grades.size() > kMostOrdinalGrades) {
    throw std::invalid_argument("an ordinal model has from 2 to " +
                                std::to_string(kMostOrdinalGrades) + " grades, not " +
                                std::to_string(grades.size()));
  }
  for (std::size_t i = 0; i < grades.size(); ++i) {
    if (std::isfinite(grades[i]) && (i == 0 || grades[i - 1] < grades[i])) continue;
    throw std::invalid_argument("the grades of an ordinal model ascend; one of them is " +
                                Shown(grades[i]));
  }
}

}  // namespace detail

/// Throws std::invalid_argument unless `ordinal` is of an ensemble like this one.
inline void ValidateOrdinal(const Ordinal& ordinal, const Ensemble& ensemble) {
  detail::ValidateGrades(ordinal.grades);
  if (ordinal.parts.size() != ensemble.members.size()) {
    throw std::invalid_argument("the problems of an ordinal model name " +
                                std::to_string(ordinal.parts.size()) + " members of " +
                                std::to_string(ensemble.members.size()));
  }
  for (std::size_t m = 0; m < ordinal.parts.size(); ++m) {
    const Ordinal::Part& part = ordinal.parts[m];
    const auto is_finite = [](double weight) { return std::isfinite(weight); };
    if (part.problem < ordinal.n_problems() && std::isfinite(part.base) &&
        part.group_weights.size() == ensemble.members[m].groups.size() &&
        std::all_of(part.group_weights.begin(), part.group_weights.end(), is_finite)) {
      continue;
    }
    throw std::invalid_argument("member " + std::to_string(m) +
                                " of an ordinal model must have a problem that there is, a finite "
                                "base and a finite weight for each of its groups");
  }
}

/// What is left of it for the first rounds of its ensemble.
///
/// @param prefix  of the ensemble: Prefix(...)
inline Ordinal PrefixOf(Ordinal ordinal, const Ensemble& prefix) {
  assert(ordinal.parts.size() == prefix.members.size());
  for (std::size_t m = 0; m < ordinal.parts.size(); ++m) {
    ordinal.parts[m].group_weights.resize(prefix.members[m].groups.size());
  }
  return ordinal;
}

/// The model of one problem: its scores are the probabilities that a grade is at most y_problem,
/// as the trees give them, which may be outside [0, 1].
inline Ensemble ProblemOf(const Ensemble& ensemble, const Ordinal& ordinal, std::size_t problem) {
  Ensemble model;
  model.n_features = ensemble.n_features;
  for (std::size_t m = 0; m < ordinal.parts.size(); ++m) {
    const Ordinal::Part& part = ordinal.parts[m];
    if (part.problem != problem) continue;
    Member member = ensemble.members[m];
    member.base = part.base;
    for (std::size_t g = 0; g < member.groups.size(); ++g) {
      member.groups[g].weight = part.group_weights[g];
    }
    model.members.push_back(std::move(member));
  }
  return model;
}

/// A score of cumulative probabilities T: base + the sum over problems c of weights[c] x T_c.
struct OrdinalScore {
  double base = 0.0;
  std::vector<double> weights;
};

/// The score in which grade y_c counts values[c]: with the grades y_0 < ... < y_m,
/// the sum over c of values[c] x (T_c - T_(c-1)), where T_m = 1 and T_(-1) = 0 (Mohan 2010,
/// equations 3.1 to 3.7).
inline OrdinalScore ScoreByValues(Span<const double> values) {
  assert(values.size() >= 2);
  OrdinalScore score;
  score.base = values[values.size() - 1];
  for (std::size_t c = 0; c + 1 < values.size(); ++c) {
    score.weights.push_back(values[c] - values[c + 1]);
  }
  return score;
}

/// The member that adds a problem to a score.
inline Member Weighted(Member problem, double weight) {
  problem.base *= weight;
  for (Group& group : problem.groups) group.weight *= weight;
  return problem;
}

/// The ensemble of problems and a score, one member for each problem, which therefore all have the
/// same rounds, and what it keeps of the problems.
///
/// @param problems  of each, as it was trained
/// @param ordinal   with its grades; gets a part for each problem
inline Ensemble EnsembleOf(std::vector<Member> problems, const OrdinalScore& score,
                           std::uint32_t n_features, Ordinal& ordinal) {
  assert(problems.size() == score.weights.size());
  Ensemble ensemble;
  ensemble.n_features = n_features;
  ordinal.parts.clear();
  for (std::size_t c = 0; c < problems.size(); ++c) {
    Ordinal::Part part{static_cast<std::uint32_t>(c), problems[c].base, {}};
    for (const Group& group : problems[c].groups) part.group_weights.push_back(group.weight);
    ordinal.parts.push_back(std::move(part));
    ensemble.members.push_back(Weighted(std::move(problems[c]), score.weights[c]));
  }
  ensemble.members.front().base += score.base;
  return ensemble;
}

/// The problems of such an ensemble as they were trained.
inline std::vector<Member> ProblemsOf(const Ensemble& ensemble, const Ordinal& ordinal) {
  std::vector<Member> problems;
  for (std::size_t c = 0; c < ordinal.n_problems(); ++c) {
    Ensemble problem = ProblemOf(ensemble, ordinal, c);
    assert(problem.members.size() == 1);
    problems.push_back(std::move(problem.members.front()));
  }
  return problems;
}

}  // namespace rankforest
