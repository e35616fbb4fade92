// A small search engine that ranks with a model and computes features when the model asks for them.
//
// It writes itself a few hundred texts, indexes them by word, judges the texts of some queries by
// what it knows about them, and trains LambdaMART on all features. Then it serves new queries: of
// the candidates that the index gives, only such features are computed as trees need, the cheap
// ones first, and the worse part of the candidates leaves after every ten trees. Prints what it
// finds and what that cost. Exits with 0 if lazy scores are those of all features and are cheaper.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <rankforest/rankforest.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

using rankforest::FeatureId;
using rankforest::Span;

constexpr std::uint32_t kTopics = 16;
constexpr std::uint32_t kWordsPerTopic = 12;
constexpr std::uint32_t kCommonWords = 80;

/// A word is a number; that of a topic's are next to each other, common ones come last.
using Word = std::uint32_t;

struct Text {
  std::uint32_t topic = 0;
  std::uint32_t aside = 0;  // another topic that it mentions
  std::vector<Word> title;
  std::vector<Word> body;
};

Word WordOf(std::uint32_t topic, rankforest::Rng& rng) {
  // Lower numbers are more frequent.
  return topic * kWordsPerTopic + std::min(rng.Below(kWordsPerTopic), rng.Below(kWordsPerTopic));
}

std::vector<Text> WriteTexts(std::size_t n, rankforest::Rng& rng) {
  std::vector<Text> texts(n);
  for (Text& text : texts) {
    text.topic = rng.Below(kTopics);
    text.aside = rng.Below(kTopics);
    const auto any = [&] {
      const std::uint32_t kind = rng.Below(10);
      if (kind < 3) return WordOf(text.topic, rng);
      if (kind < 5) return WordOf(text.aside, rng);
      return kTopics * kWordsPerTopic + rng.Below(kCommonWords);
    };
    for (std::uint32_t length = 3 + rng.Below(5); length > 0; --length) text.title.push_back(any());
    for (std::uint32_t length = 40 + rng.Below(160); length > 0; --length) {
      text.body.push_back(any());
    }
  }
  return texts;
}

/// Where a word stands in a text.
struct Posting {
  std::size_t text;
  std::uint32_t in_title;                // how often
  std::vector<std::uint32_t> positions;  // in the body, ascending
};

/// Texts by the words that they hold.
class Index {
 public:
  explicit Index(const std::vector<Text>& texts) : n_texts_(texts.size()) {
    for (std::size_t t = 0; t < texts.size(); ++t) {
      for (const Word word : texts[t].title) ++PostingOf(word, t).in_title;
      for (std::uint32_t i = 0; i < texts[t].body.size(); ++i) {
        PostingOf(texts[t].body[i], t).positions.push_back(i);
      }
    }
  }

  /// Texts with the word, ascending.
  [[nodiscard]] const std::vector<Posting>& Find(Word word) const {
    static const std::vector<Posting> kNone;
    const auto found = postings_.find(word);
    return found == postings_.end() ? kNone : found->second;
  }

  /// The word's entry for a text, or null.
  [[nodiscard]] const Posting* Find(Word word, std::size_t text) const {
    const std::vector<Posting>& all = Find(word);
    const auto found = std::lower_bound(all.begin(), all.end(), text,
                                        [](const Posting& p, std::size_t t) { return p.text < t; });
    return found != all.end() && found->text == text ? &*found : nullptr;
  }

  /// How rare a word is.
  [[nodiscard]] double Rarity(Word word) const {
    const auto n = static_cast<double>(Find(word).size());
    return std::log(1.0 + (static_cast<double>(n_texts_) - n + 0.5) / (n + 0.5));
  }

 private:
  Posting& PostingOf(Word word, std::size_t text) {
    std::vector<Posting>& all = postings_[word];
    if (all.empty() || all.back().text != text) all.push_back({text, 0, {}});
    return all.back();
  }

  std::size_t n_texts_;
  std::map<Word, std::vector<Posting>> postings_;
};

// The features of a text for a query, and what each costs, about in microseconds.
enum Feature : FeatureId { kLength, kWordsFound, kWordsInTitle, kTitleBm25, kBodyBm25, kNarrowest };
constexpr FeatureId kFeatures = 6;
const std::vector<double> kCosts = {0.1, 1.0, 1.0, 2.0, 3.0, 25.0};

/// Computes features of the candidates of a query.
class Candidates {
 public:
  Candidates(const std::vector<Text>& texts, const Index& index, std::vector<Word> query)
      : texts_(texts), index_(index), query_(std::move(query)) {
    for (const Word word : query_) {
      for (const Posting& posting : index.Find(word)) found_.push_back(posting.text);
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  }

  [[nodiscard]] const std::vector<std::size_t>& texts() const { return found_; }

  [[nodiscard]] float Compute(FeatureId feature, std::size_t candidate) const {
    const std::size_t text = found_[candidate];
    switch (feature) {
      case kLength:
        return static_cast<float>(texts_[text].body.size());
      case kWordsFound:
        return Sum(text, [](Word, const Posting&) { return 1.0; });
      case kWordsInTitle:
        return Sum(text, [](Word, const Posting& p) { return p.in_title > 0 ? 1.0 : 0.0; });
      case kTitleBm25:
        return Sum(text, [&](Word word, const Posting& p) { return Bm25(word, p.in_title, 1.0); });
      case kBodyBm25:
        return Sum(text, [&](Word word, const Posting& p) {
          return Bm25(word, p.positions.size(),
                      static_cast<double>(texts_[text].body.size()) / 120);
        });
      default:
        return Narrowest(text);
    }
  }

  /// What a scorer asks for: rankforest/score/provider.hpp.
  void operator()(FeatureId feature, Span<const std::size_t> candidates, Span<float> values) const {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      values[i] = Compute(feature, candidates[i]);
    }
  }

 private:
  /// Over the words of the query that the text has.
  template <class Value>
  [[nodiscard]] float Sum(std::size_t text, const Value& value) const {
    double sum = 0.0;
    for (const Word word : query_) {
      const Posting* posting = index_.Find(word, text);
      if (posting != nullptr) sum += value(word, *posting);
    }
    return static_cast<float>(sum);
  }

  [[nodiscard]] double Bm25(Word word, std::size_t count, double length) const {
    const auto n = static_cast<double>(count);
    return index_.Rarity(word) * n * 2.2 / (n + 1.2 * (0.25 + 0.75 * length));
  }

  /// The fewest words of the body in a row that have all words of the query, or NaN.
  [[nodiscard]] float Narrowest(std::size_t text) const {
    std::vector<std::pair<std::uint32_t, std::size_t>> places;  // position, number of the word
    for (std::size_t w = 0; w < query_.size(); ++w) {
      const Posting* posting = index_.Find(query_[w], text);
      if (posting == nullptr || posting->positions.empty()) return std::nanf("");
      for (const std::uint32_t position : posting->positions) places.emplace_back(position, w);
    }
    std::sort(places.begin(), places.end());
    std::vector<std::size_t> counts(query_.size());
    std::size_t n_there = 0;
    std::size_t first = 0;
    std::uint32_t narrowest = ~0U;
    for (const auto& [position, word] : places) {
      n_there += counts[word]++ == 0 ? 1U : 0U;
      while (n_there == query_.size()) {
        narrowest = std::min(narrowest, position - places[first].first + 1);
        n_there -= --counts[places[first].second] == 0 ? 1U : 0U;
        ++first;
      }
    }
    return static_cast<float>(narrowest);
  }

  const std::vector<Text>& texts_;
  const Index& index_;
  std::vector<Word> query_;
  std::vector<std::size_t> found_;
};

struct Query {
  std::uint32_t topic;
  std::vector<Word> words;
};

Query Ask(rankforest::Rng& rng) {
  Query query{rng.Below(kTopics), {}};
  while (query.words.size() < 3) {
    const Word word = query.words.size() < 2 ? WordOf(query.topic, rng)
                                             : kTopics * kWordsPerTopic + rng.Below(kCommonWords);
    if (std::find(query.words.begin(), query.words.end(), word) == query.words.end()) {
      query.words.push_back(word);
    }
  }
  return query;
}

/// All features of all candidates, row by row.
std::vector<float> AllFeatures(const Candidates& candidates) {
  std::vector<float> features;
  for (std::size_t i = 0; i < candidates.texts().size(); ++i) {
    for (FeatureId f = 0; f < kFeatures; ++f) features.push_back(candidates.Compute(f, i));
  }
  return features;
}

/// Trains on queries whose texts are judged by their topics: 2 for the query's, 1 for an aside.
rankforest::Ensemble TrainModel(const std::vector<Text>& texts, const Index& index,
                                rankforest::Rng& rng) {
  std::vector<float> features;
  std::vector<double> grades;
  std::vector<rankforest::QueryId> queries;
  for (rankforest::QueryId q = 0; q < 60; ++q) {
    const Query query = Ask(rng);
    const Candidates candidates(texts, index, query.words);
    for (const float value : AllFeatures(candidates)) features.push_back(value);
    for (const std::size_t t : candidates.texts()) {
      const bool is_aside = texts[t].aside == query.topic;
      grades.push_back(texts[t].topic == query.topic ? 2.0 : (is_aside ? 1.0 : 0.0));
      queries.push_back(q);
    }
  }
  const auto data = rankforest::Dataset::Owning(std::move(features), kFeatures, grades, queries);
  rankforest::LambdaMartSettings settings = rankforest::LambdaMartDefaults();
  settings.boost.n_estimators = 60;
  settings.boost.trees.limits.max_leaf_nodes = 8;
  const auto recipe = rankforest::LambdaMart(settings);
  return rankforest::Train(recipe, data, settings.boost.n_estimators, {}).ensemble;
}

std::string Shown(const std::vector<Word>& words) {
  std::string shown;
  for (const Word word : words) {
    const bool is_common = word >= kTopics * kWordsPerTopic;
    shown += shown.empty() ? "" : " ";
    shown += is_common ? "common" : "topic" + std::to_string(word / kWordsPerTopic) + "-";
    shown += std::to_string(is_common ? word - kTopics * kWordsPerTopic : word % kWordsPerTopic);
  }
  return shown;
}

/// Serves a query. Returns its cost as a share of that of all features of all candidates, or 2 if
/// lazy scores are not those of all features.
double Serve(const Query& query, const std::vector<Text>& texts, const Index& index,
             const rankforest::CompiledScorer& scorer) {
  const Candidates candidates(texts, index, query.words);
  const std::size_t n = candidates.texts().size();
  rankforest::ScoreLimits limits;
  limits.costs = {0.01, kCosts};
  std::vector<double> scores(n);
  (void)scorer.ScoreLazily(n, candidates, limits, scores);
  const std::vector<float> features = AllFeatures(candidates);
  if (scores != scorer.Score({features.data(), n, kFeatures, kFeatures})) return 2.0;

  limits.early_exit = rankforest::EarlyExit{10, 0.3, rankforest::ExitScope::kQuery, true};
  const rankforest::LazyReport report = scorer.ScoreLazily(n, candidates, limits, scores);
  double all = 0.01 * static_cast<double>(n * scorer.n_trees());
  for (const double cost : kCosts) all += cost * static_cast<double>(n);
  std::printf("%s: %zu candidates, cost %.0f of %.0f, windows searched in %zu of them\n",
              Shown(query.words).c_str(), n, report.cost, all, report.n_fetched[kNarrowest]);

  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  for (std::size_t i = 0; i < std::min<std::size_t>(3, n); ++i) {
    const Text& text = texts[candidates.texts()[order[i]]];
    std::printf("  %.3f  about topic %u: %s\n", scores[order[i]], text.topic,
                Shown(text.title).c_str());
  }
  return report.cost / all;
}

}  // namespace

int main() {
  rankforest::Rng rng(2026);
  const std::vector<Text> texts = WriteTexts(400, rng);
  const Index index(texts);
  const rankforest::CompiledScorer scorer(TrainModel(texts, index, rng));
  double largest = 0.0;
  for (int i = 0; i < 5; ++i) largest = std::max(largest, Serve(Ask(rng), texts, index, scorer));
  if (largest >= 1.0) {
    std::printf("lazy scoring failed to agree, or saved nothing\n");
    return 1;
  }
  return 0;
}
