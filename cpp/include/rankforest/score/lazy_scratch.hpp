#pragma once

#include <cstddef>
#include <vector>

#include "rankforest/score/provider.hpp"

namespace rankforest {

namespace detail {

/// A document that waits for a feature of a split.
struct WaitingDocument {
  std::size_t document;
  std::size_t place;  ///< of the split in the tree
};

/// The memory of lazy scoring.
struct LazyMemory {
  std::vector<float> values;  // by document and number of the feature among those of the model
  std::vector<std::size_t> in_play;
  std::vector<double> sums;      // by member and document
  std::vector<double> settled;   // likewise: without the mean group at work
  std::vector<double> unplayed;  // likewise: before the round at work
  std::vector<double> ranked;    // scores of some documents
  std::vector<WaitingDocument> waiting;
  std::vector<WaitingDocument> served;
  std::vector<std::size_t> documents;  // of a request
  std::vector<float> answers;          // to it
  std::vector<std::size_t> order;
  std::vector<char> paid;  // by document and group of features
};

template <class Provider>
class LazyRun;

}  // namespace detail

/// Memory that lazy scoring works in: grows when first used, then stays. One may serve several
/// scorers, but no two threads at once. 4 bytes for each document and feature of the model.
class LazyScratch {
 public:
  /// The one of the calling thread.
  static LazyScratch& OfThread() {
    thread_local LazyScratch scratch;
    return scratch;
  }

 private:
  template <class Provider>
  friend class detail::LazyRun;

  detail::LazyMemory memory_;
  LazyReport report_;
};

}  // namespace rankforest
