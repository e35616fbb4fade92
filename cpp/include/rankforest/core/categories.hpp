#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace rankforest {

// A categorical feature has levels in place of values: whole numbers or texts. Trees compare
// numbers, so a model keeps a number for each level that it was trained with, and sees this number
// in place of the level. Which numbers these are, training decides (estimators/encoding.py of the
// Python package); whoever scores looks them up.

/// The numbers that stand for the levels of one categorical feature.
struct CategoricalFeature {
  std::uint32_t feature = 0;  ///< its column, from 0
  bool is_text = false;       ///< whether levels are texts, of UTF-8, at least one; else numbers
  std::vector<std::int64_t> numbers;  ///< the levels, ascending; empty if they are texts
  std::vector<std::string> texts;     ///< the levels, ascending by bytes; empty if they are numbers
  std::vector<float> values;          ///< what stands for each level
  float unseen = 0.0F;                ///< what stands for every other level
  float missing = 0.0F;               ///< what stands for a missing value

  [[nodiscard]] std::size_t n_levels() const { return is_text ? texts.size() : numbers.size(); }
};

inline bool operator==(const CategoricalFeature& a, const CategoricalFeature& b) {
  return a.feature == b.feature && a.is_text == b.is_text && a.numbers == b.numbers &&
         a.texts == b.texts && a.values == b.values && a.unseen == b.unseen &&
         a.missing == b.missing;
}

/// The categorical features of a model, by ascending column; those that are not named are numeric.
using Categories = std::vector<CategoricalFeature>;

namespace detail {

template <class T>
void RequireAscending(const std::vector<T>& levels, const std::string& owner) {
  for (std::size_t i = 1; i < levels.size(); ++i) {
    if (!(levels[i - 1] < levels[i])) {
      throw std::invalid_argument(owner + " has levels that do not ascend: level " +
                                  std::to_string(i) + " is not above the one before");
    }
  }
}

inline void ValidateCategorical(const CategoricalFeature& each, const std::string& owner) {
  if (!(each.is_text ? each.numbers.empty() : each.texts.empty())) {
    throw std::invalid_argument(owner + " has both numbers and texts as levels");
  }
  if (each.is_text && each.texts.empty()) {
    throw std::invalid_argument(owner + " has texts as levels, but no level");
  }
  if (each.values.size() != each.n_levels()) {
    throw std::invalid_argument(owner + " has " + std::to_string(each.values.size()) +
                                " values for " + std::to_string(each.n_levels()) + " levels");
  }
  RequireAscending(each.numbers, owner);
  RequireAscending(each.texts, owner);
  for (std::size_t i = 0; i < each.values.size(); ++i) {
    if (!std::isfinite(each.values[i])) {
      throw std::invalid_argument(owner + " has a value that is not finite: that of level " +
                                  std::to_string(i));
    }
  }
  if (!std::isfinite(each.unseen) || !std::isfinite(each.missing)) {
    throw std::invalid_argument(owner + " has a value that is not finite: that of " +
                                (std::isfinite(each.unseen) ? "missing values" : "unseen levels"));
  }
}

}  // namespace detail

/// Throws std::invalid_argument, naming the feature, unless the table can belong to a model of so
/// many features. That texts are UTF-8 is checked where they are read and written.
inline void ValidateCategories(const Categories& categories, std::size_t n_features) {
  for (std::size_t i = 0; i < categories.size(); ++i) {
    const std::string owner = "categorical feature " + std::to_string(categories[i].feature);
    if (categories[i].feature >= n_features) {
      throw std::invalid_argument(owner + " is beyond the model's " + std::to_string(n_features) +
                                  " features");
    }
    if (i > 0 && categories[i].feature <= categories[i - 1].feature) {
      throw std::invalid_argument(owner + " does not come after feature " +
                                  std::to_string(categories[i - 1].feature));
    }
    detail::ValidateCategorical(categories[i], owner);
  }
}

}  // namespace rankforest
