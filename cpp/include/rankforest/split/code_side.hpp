#pragma once

#include "rankforest/core/types.hpp"
#include "rankforest/detail/platform.hpp"
#include "rankforest/split/missing.hpp"
#include "rankforest/split/split.hpp"

namespace rankforest {

/// Which child of a split a document goes to, by its code in the split's feature.
///
/// @tparam C  PresortedColumn or BinnedColumn
template <class C>
struct CodeSide {
  using Column = C;

  const Column& column;
  Code cut;
  MissingTo missing;

  void Prefetch(RowId row) const { detail::Prefetch(column.codes.data() + row); }
  MissingTo operator()(RowId row) const {
    const Code code = column.codes[row];
    if (code == column.missing_code()) return missing;
    return code <= cut ? MissingTo::kLeft : MissingTo::kRight;
  }
};

/// Which child of a split each document goes to.
///
/// @param columns  Presorted or BinnedColumns; must outlive what is returned
template <class Columns, class Stats>
CodeSide<typename Columns::Column> CodeSideOf(const Columns& columns, const Split<Stats>& split) {
  return {columns.column(split.feature), split.cut, split.missing};
}

}  // namespace rankforest
