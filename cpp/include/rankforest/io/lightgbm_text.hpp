#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankforest/core/ensemble.hpp"
#include "rankforest/core/validate.hpp"
#include "rankforest/io/info_sections.hpp"
#include "rankforest/io/lightgbm_lines.hpp"
#include "rankforest/io/lightgbm_tree.hpp"
#include "rankforest/io/model_codec.hpp"
#include "rankforest/io/model_info.hpp"

namespace rankforest {

// LightGBM's text model (save_model), versions v2 to v4:
//
//   tree                    the first line
//   version=v4              and other key=value lines
//   average_output          a key alone: scores are means of trees, not sums
//                           (an empty line)
//   Tree=0                  for each tree: key=value lines of arrays, see lightgbm_tree.hpp
//   ...
//   end of trees            v2 goes on with the importances at once
//
// What follows the trees is about the training. A score here is LightGBM's raw score, without the
// sigmoid, exponential or the like of its objective; ranking objectives have none. Every float32
// goes the way that it goes in LightGBM, with one exception that lightgbm_split.hpp has; leaf
// values are rounded to float32, so that a score differs by up to 2^-24 of the sum of the sizes of
// its leaf values.

namespace detail {

/// Throws std::invalid_argument unless the header is of a model that we can hold.
inline void CheckLightGbmHeader(const KeyedLines& header) {
  const TextLine& version = header.Get("version");
  const std::string_view value = version.value();
  if (value != "v2" && value != "v3" && value != "v4") WrongWord(version, value, "v2, v3 or v4");
  for (const char* key : {"num_class", "num_tree_per_iteration"}) {
    const TextLine& line = header.Get(key);
    if (line.value() != "1") WrongWord(line, line.value(), "1: one score for a document");
  }
}

/// The names of the features, or none if they are those that LightGBM makes up.
inline std::vector<std::string> LightGbmNames(const KeyedLines& header, std::size_t n_features) {
  const TextLine& line = header.Get("feature_names");
  std::vector<std::string> names;
  bool made_up = true;
  ForEachWord(line.value(), [&](std::string_view name) {
    made_up = made_up && name == "Column_" + std::to_string(names.size());
    names.emplace_back(name);
  });
  if (names.size() != n_features) {
    WrongLine(line.number, "feature_names has " + std::to_string(names.size()) +
                               " names, expected " + std::to_string(n_features) +
                               ", one more than max_feature_idx");
  }
  if (made_up) names.clear();
  return names;
}

/// "lightgbm" and the first word of the objective, where there is one.
inline std::string LightGbmAlgorithm(const KeyedLines& header) {
  if (!header.Has("objective")) return "lightgbm";
  const std::string_view objective = header.Get("objective").value();
  return "lightgbm " + std::string(objective.substr(0, objective.find(' ')));
}

/// Whether a line follows the last tree.
inline bool EndsLightGbmTrees(std::string_view line) {
  return line == "end of trees" || line == "feature_importances:" || line == "feature importances:";
}

inline std::vector<Tree> ReadLightGbmTrees(LineReader& in, std::int64_t n_features) {
  std::vector<Tree> trees;
  while (!in.at_end()) {
    const TextLine line = in.Next();
    if (line.text.empty()) continue;
    if (EndsLightGbmTrees(line.text)) return trees;
    const std::string number = std::to_string(trees.size());
    if (line.text != "Tree=" + number) {
      WrongLine(line.number,
                "found " + Quoted(line.text) + ", expected Tree=" + number + " or 'end of trees'");
    }
    const KeyedLines lines("tree " + number, in);
    trees.push_back(LightGbmTree(lines, n_features).ToTree());
  }
  WrongLine(in.line_number(), "the file ends before 'end of trees', behind " +
                                  std::to_string(trees.size()) + " trees");
}

/// Throws std::invalid_argument unless there are as many trees as the header gives sizes of.
inline void CheckTreeCount(const KeyedLines& header, std::size_t n_trees) {
  if (!header.Has("tree_sizes")) return;
  std::size_t n_sizes = 0;
  ForEachWord(header.Get("tree_sizes").value(), [&](std::string_view /*size*/) { ++n_sizes; });
  if (n_sizes == n_trees) return;
  WrongLine(header.Get("tree_sizes").number, "tree_sizes has " + std::to_string(n_sizes) +
                                                 " sizes, but there are " +
                                                 std::to_string(n_trees) + " trees");
}

}  // namespace detail

/// Whether a text starts as LightGBM's model does.
inline bool IsLightGbmText(std::string_view text) {
  return text.substr(0, 5) == "tree\n" || text.substr(0, 6) == "tree\r\n";
}

/// The model in LightGBM's text. Throws std::invalid_argument, naming the line, for a text that is
/// not valid, for categorical splits, linear trees and several classes, and for splits that send
/// zeros apart from the numbers on both sides of them (zero_as_missing).
inline Model ReadLightGbmText(std::string_view text) {
  constexpr std::int64_t kMostFeatures = std::int64_t{1} << 31U;
  detail::LineReader in(text);
  const detail::KeyedLines header("the header", in);
  detail::CheckLightGbmHeader(header);
  const std::int64_t n_features = header.Whole("max_feature_idx", 0, kMostFeatures - 1) + 1;
  Model model;
  model.ensemble.n_features = static_cast<std::uint32_t>(n_features);
  model.info.feature_names = detail::LightGbmNames(header, model.ensemble.n_features);
  model.info.algorithm = detail::LightGbmAlgorithm(header);
  model.ensemble.members.emplace_back();
  Group group;
  group.reduction = header.Has("average_output") ? Reduction::kMean : Reduction::kSum;
  group.trees = detail::ReadLightGbmTrees(in, n_features);
  detail::CheckTreeCount(header, group.trees.size());
  if (!group.trees.empty()) model.ensemble.members[0].groups.push_back(std::move(group));
  Validate(model.ensemble);
  ValidateInfo(model.info, model.ensemble.n_features);
  return model;
}

}  // namespace rankforest
