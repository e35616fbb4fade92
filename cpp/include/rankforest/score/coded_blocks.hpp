#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "rankforest/core/feature_matrix.hpp"
#include "rankforest/core/span.hpp"
#include "rankforest/score/isa.hpp"
#include "rankforest/score/rank_codes.hpp"

namespace rankforest::detail {

/// The codes of a block of documents, a BlockBytes for each column.
struct CodedBlock {
  const BlockBytes* codes;
  const BlockBytes* nans;  ///< null where no value is NaN
};

/// The codes of documents, in blocks. Allocates only what earlier calls have not.
class CodedBlocks {
 public:
  [[nodiscard]] std::size_t size() const { return blocks_.size(); }
  const CodedBlock& operator[](std::size_t block) const { return blocks_[block]; }

  /// Encodes documents; what were there before are gone. HasIsa(isa) must hold.
  void Encode(Isa isa, const RankCodes& encoder, const FeatureMatrix& rows) {
    n_columns_ = encoder.n_columns();
    const std::size_t n_blocks = (rows.n_rows + kBlock - 1) / kBlock;
    if (codes_.size() < n_blocks * n_columns_) {
      codes_.resize(n_blocks * n_columns_);
      nans_.resize(n_blocks * n_columns_);
    }
    blocks_.clear();
    for (std::size_t b = 0; b < n_blocks; ++b) {
      const std::size_t begin = b * kBlock;
      const FeatureMatrix block{rows.Row(begin), std::min(kBlock, rows.n_rows - begin),
                                rows.n_features, rows.row_stride};
      bool has_nan = false;
      CallFor(isa, EncodeBlock{encoder, block, Codes(b), Nans(b), has_nan});
      blocks_.push_back({Codes(b), has_nan ? Nans(b) : nullptr});
    }
  }

  /// Moves the documents at some places, which are ascending, to 0, 1, 2, ...; the others go.
  void Keep(Span<const std::size_t> places) {
    const auto has_nan = [](const CodedBlock& block) { return block.nans != nullptr; };
    const bool any_nan = std::any_of(blocks_.begin(), blocks_.end(), has_nan);
    for (std::size_t b = 0; any_nan && b < blocks_.size(); ++b) {
      if (!has_nan(blocks_[b])) std::fill(Nans(b), Nans(b) + n_columns_, BlockBytes{});
      blocks_[b].nans = Nans(b);
    }
    Move(places, codes_.data());
    if (any_nan) Move(places, nans_.data());
    blocks_.resize((places.size() + kBlock - 1) / kBlock);
  }

 private:
  struct EncodeBlock {
    const RankCodes& encoder;
    const FeatureMatrix& rows;
    BlockBytes* codes;
    BlockBytes* nans;
    bool& has_nan;

    [[gnu::always_inline]] void operator()() const { has_nan = encoder.Encode(rows, codes, nans); }
  };

  BlockBytes* Codes(std::size_t block) { return codes_.data() + block * n_columns_; }
  BlockBytes* Nans(std::size_t block) { return nans_.data() + block * n_columns_; }

  void Move(Span<const std::size_t> places, BlockBytes* blocks) const {
    for (std::size_t begin = 0; begin < places.size(); begin += kBlock) {
      const std::size_t n = std::min(kBlock, places.size() - begin);
      BlockBytes* to = blocks + begin / kBlock * n_columns_;
      for (std::size_t c = 0; c < n_columns_; ++c) {
        for (std::size_t j = 0; j < n; ++j) {
          const std::size_t from = places[begin + j];
          to[c].values[j] = blocks[from / kBlock * n_columns_ + c].values[from % kBlock];
        }
      }
    }
  }

  std::size_t n_columns_ = 0;
  std::vector<BlockBytes> codes_;  // by block and column
  std::vector<BlockBytes> nans_;   // likewise; written only where a block has any
  std::vector<CodedBlock> blocks_;
};

}  // namespace rankforest::detail
