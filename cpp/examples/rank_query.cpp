// Ranks the documents of one query with a trained model:
//
//   rank_query MODEL DATA QUERY
//
// DATA is LETOR text, QUERY the id that one of its queries has there. Writes one line for each
// document, best first: its row in DATA, counted from 0, and its score. Build it with
//
//   g++ -std=c++17 -O2 -Icpp/include cpp/examples/rank_query.cpp -o rank_query -pthread

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "rankforest/rankforest.hpp"

namespace {

/// The rows of the query called `id`.
std::vector<std::size_t> RowsOf(const rankforest::LetorData& data, const std::string& id) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < data.n_documents; ++row) {
    if (data.query_ids[data.query_codes[row]] == id) rows.push_back(row);
  }
  if (rows.empty()) throw std::invalid_argument("no query is called " + id);
  return rows;
}

void RankQuery(const char* model_path, const char* data_path, const std::string& query) {
  const rankforest::Model model = rankforest::LoadModel(model_path);

  // Text is read as the model's training data were.
  rankforest::LetorOptions options;
  options.n_features = model.ensemble.n_features;
  if (model.info.index_base == 0) options.zero_based = rankforest::ZeroBased::kYes;
  if (model.info.absent == rankforest::Absent::kNan) {
    options.absent = std::numeric_limits<float>::quiet_NaN();
  }
  const std::vector<std::filesystem::path> paths = {data_path};
  const rankforest::LetorData data = rankforest::ReadLetorFiles(paths, options);
  const rankforest::FeatureMatrix features{data.features.data(), data.n_documents, data.n_features,
                                           data.n_features};

  const rankforest::CompiledScorer scorer(model.ensemble);
  const std::vector<double> scores = scorer.Score(features, data.query_codes);
  std::vector<std::size_t> rows = RowsOf(data, query);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  for (const std::size_t row : rows) std::printf("%zu %.17g\n", row, scores[row]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s MODEL DATA QUERY\n", argv[0]);
    return 2;
  }
  try {
    RankQuery(argv[1], argv[2], argv[3]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
}
