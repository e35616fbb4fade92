#pragma once

#include "rankforest/core/types.hpp"
#include "rankforest/detail/platform.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"

namespace rankforest {

/// Which child of a split a document goes to, by its code in the split's feature. A loop over
/// documents takes a copy of its own: what it reads then stays in registers.
///
/// @tparam C  PresortedColumn or BinnedColumn
template <class C>
class CodeSide {
 public:
  using Column = C;

  /// @param of  the column of the feature; must outlive this
  CodeSide(const Column& of, Code cut, MissingTo missing)
      : column(of),
        codes_(of.codes.data()),
        missing_code_(of.missing_code()),
        cut_(cut),
        missing_(missing) {}

  const Column& column;

  void Prefetch(RowId row) const { detail::Prefetch(codes_ + row); }
  MissingTo operator()(RowId row) const {
    const Code code = codes_[row];
    const MissingTo of_value = code <= cut_ ? MissingTo::kLeft : MissingTo::kRight;
    return code == missing_code_ ? missing_ : of_value;
  }

 private:
  const typename decltype(Column::codes)::value_type* codes_;
  Code missing_code_;
  Code cut_;
  MissingTo missing_;
};

/// Which child of a split each document goes to.
///
/// @param columns  Presorted or BinnedColumns; must outlive what is returned
template <class Columns, class Stats>
CodeSide<typename Columns::Column> CodeSideOf(const Columns& columns, const Split<Stats>& split) {
  return {columns.column(split.feature), split.cut, split.missing};
}

}  // namespace rankforest
