#include "bindings.hpp"
#include "rankforest/detail/platform_openmp.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "Compiled core of rankforest. Use the rankforest package; this module is private.";
  module.attr("__version__") = RANKFOREST_VERSION;
  module.attr("HAS_OPENMP") = rankforest::detail::kHasOpenMp;
  rankforest::bindings::BindDataset(module);
  rankforest::bindings::BindLetor(module);
  rankforest::bindings::BindOrdinal(module);  // which ModelInfo holds
  rankforest::bindings::BindModelInfo(module);
  rankforest::bindings::BindEnsemble(module);
  rankforest::bindings::BindExplain(module);
  rankforest::bindings::BindMetric(module);
  rankforest::bindings::BindScorer(module);
  rankforest::bindings::BindCosts(module);
  rankforest::bindings::BindSignificance(module);
  rankforest::bindings::BindTrainers(module);
  rankforest::bindings::BindRefit(module);
  rankforest::bindings::BindPruning(module);
  rankforest::bindings::BindImportance(module);
  rankforest::bindings::BindNormalization(module);
}
