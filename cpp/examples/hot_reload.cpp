// A server that takes a new model while it ranks: no query waits until it is loaded.
//
//   hot_reload MODEL QUERY NEW_MODEL...
//
// MODEL is loaded and serves; QUERY has the documents of one query, one per line, as numbers. Each
// NEW_MODEL in turn replaces the model in service if it is fit to, while threads go on ranking the
// query. Writes a line for each: what became of it and the best document afterwards. Build it with
//
//   g++ -std=c++17 -O2 -Icpp/include cpp/examples/hot_reload.cpp -o hot_reload -pthread
//
// What matters is in ModelInService:
//
// * The file is read into memory whole before it is looked at. LoadModel would map it, and who
//   writes over a file that is mapped changes the bytes under a reader's feet. A model that is put
//   in place by renaming, as rankforest's own SaveModel does, is whole whenever it is opened.
// * A model is checked before it serves: the bytes by ReadModel, with their checksums; the features
//   against those that the server computes; and a score by a document that is known.
// * What is wrong with a new model leaves the old one in service.
// * Readers take a shared_ptr. The old scorer lives until the last query that began with it ends.

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <rankforest/scoring.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

/// A model as one query sees it, from its first document to its last.
struct Served {
  rankforest::CompiledScorer scorer;
  std::string name;
};

std::string BytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The model that ranks now. Any number of threads may ask for it while one replaces it.
class ModelInService {
 public:
  ModelInService(const std::string& path, std::size_t n_features)
      : n_features_(n_features), current_(Load(path)) {}

  /// The model of now, for as long as the caller keeps it.
  [[nodiscard]] std::shared_ptr<const Served> Now() const { return std::atomic_load(&current_); }

  /// Puts a new model into service. Throws what is wrong with it; then the old one stays.
  void Replace(const std::string& path) { std::atomic_store(&current_, Load(path)); }

 private:
  [[nodiscard]] std::shared_ptr<const Served> Load(const std::string& path) const {
    rankforest::Model model = rankforest::ReadModel(BytesOf(path));
    rankforest::RequireNumbers(model.info);
    if (model.ensemble.n_features != n_features_) {
      throw std::invalid_argument("it has " + std::to_string(model.ensemble.n_features) +
                                  " features, the server computes " + std::to_string(n_features_));
    }
    auto served =
        std::make_shared<const Served>(Served{rankforest::CompiledScorer(model.ensemble), path});
    if (served->scorer.needs_queries()) {
      throw std::invalid_argument("it combines scores within queries, which Top does not");
    }
    const std::vector<float> known(n_features_, 1.0F);
    double score = 0.0;
    served->scorer.Score({known.data(), 1, n_features_, n_features_}, {&score, 1});
    if (!std::isfinite(score)) throw std::invalid_argument("its scores are not finite");
    return served;
  }

  std::size_t n_features_;
  std::shared_ptr<const Served> current_;  // by std::atomic_load and std::atomic_store alone
};

/// The documents of a query.
struct Query {
  std::vector<float> features;
  std::size_t n_documents = 0;

  explicit Query(const std::string& path) {
    std::istringstream text(BytesOf(path));
    for (std::string line; std::getline(text, line); ++n_documents) {
      std::istringstream row(line);
      for (float value = 0.0F; row >> value;) features.push_back(value);
    }
    if (features.empty()) throw std::invalid_argument(path + ": no documents");
  }

  [[nodiscard]] rankforest::FeatureMatrix Matrix() const {
    const std::size_t n_features = features.size() / n_documents;
    return {features.data(), n_documents, n_features, n_features};
  }
};

/// Threads that rank the query again and again until this is destroyed.
class Traffic {
 public:
  Traffic(const ModelInService& service, const Query& query) {
    for (std::atomic<std::size_t>& count : ranked_) {
      threads_.emplace_back([&] {
        while (!stop_) {
          const std::shared_ptr<const Served> served = service.Now();
          (void)served->scorer.Top(query.Matrix(), 1);
          ++count;
        }
      });
    }
  }
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;
  ~Traffic() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

  /// Waits until every thread has ranked once more.
  void WaitForAll() const {
    for (const std::atomic<std::size_t>& count : ranked_) {
      const std::size_t before = count;
      while (count == before) std::this_thread::yield();
    }
  }

 private:
  std::atomic<bool> stop_{false};
  std::vector<std::atomic<std::size_t>> ranked_{std::vector<std::atomic<std::size_t>>(2)};
  std::vector<std::thread> threads_;
};

void Serve(const std::vector<std::string>& arguments) {
  const Query query(arguments[1]);
  ModelInService service(arguments[0], query.Matrix().n_features);
  const Traffic traffic(service, query);
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    traffic.WaitForAll();
    std::string outcome = "serves";
    try {
      service.Replace(arguments[i]);
    } catch (const std::exception& error) {
      outcome = std::string("refused: ") + error.what();
    }
    traffic.WaitForAll();
    const std::shared_ptr<const Served> served = service.Now();
    const rankforest::RankedDocument best = served->scorer.Top(query.Matrix(), 1).front();
    std::printf("%s %s\n%s ranks document %zu first, %.17g\n", arguments[i].c_str(),
                outcome.c_str(), served->name.c_str(), best.row, best.score);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s MODEL QUERY NEW_MODEL...\n", argv[0]);
    return 2;
  }
  try {
    Serve({argv + 1, argv + argc});
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
}
