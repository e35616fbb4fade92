#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rankforest {

/// A file that somebody gave as a model, but that rankforest does not read.
struct ForeignFile {
  const char* name;    ///< what it is, as in "an XGBoost model (UBJSON)"
  const char* advice;  ///< what to do instead
};

namespace detail {

/// A file is `is` if it has `text` at a place that the table of the sign says.
struct ForeignSign {
  std::string_view text;
  ForeignFile is;
};

/// A literal that may hold zeros.
template <std::size_t kSize>
constexpr std::string_view Literal(const char (&text)[kSize]) {
  return {text, kSize - 1};
}

/// The Python package reads it.
inline constexpr const char* kConvertAdvice =
    "make a model file of it: ltr-convert --model FILE --to rankforest --output model.rf";
inline constexpr const char* kXgboostAdvice =
    "save the model with XGBoost and give that: booster.save_model(\"model.json\")";
inline constexpr const char* kLiveAdvice =
    "load it in Python, and make a model of it: rankforest.from_estimator(...)";
inline constexpr const char* kLightGbmAdvice =
    "save the booster as text and give that: booster.save_model(\"model.txt\")";
inline constexpr const char* kOtherAdvice =
    "score it with the system that wrote it, or train the model again with rankforest";
inline constexpr const char* kPickleAdvice =
    "load it in Python with the library that wrote it; rankforest.from_estimator makes a model "
    "of its object";
inline constexpr const char* kUnpack = "unpack it first";
inline constexpr const char* kDataAdvice = "it holds data; give a model here";

/// Bytes that a file starts with.
inline constexpr std::array kForeignStarts{
    ForeignSign{"CBM1", {"a CatBoost model (.cbm)", kConvertAdvice}},
    ForeignSign{"binf", {"an XGBoost model (its old binary form)", kXgboostAdvice}},
    ForeignSign{"PAR1", {"a Parquet file", kDataAdvice}},
    ForeignSign{"ARROW1", {"an Arrow or Feather file", kDataAdvice}},
    ForeignSign{"\x93NUMPY", {"a NumPy array (.npy)", kDataAdvice}},
    ForeignSign{"\x89HDF\r\n", {"an HDF5 file", kOtherAdvice}},
    ForeignSign{"PK\x03\x04", {"a ZIP archive", kUnpack}},
    ForeignSign{"\x1F\x8B", {"a gzip file", kUnpack}},
    ForeignSign{"BZh", {"a bzip2 file", kUnpack}},
    ForeignSign{Literal("\xFD\x37zXZ\0"), {"an xz file", kUnpack}},
    ForeignSign{Literal("]\0\0"), {"an LZMA file", kUnpack}},
    ForeignSign{"\x28\xB5\x2F\xFD", {"a Zstandard file", kUnpack}},
    ForeignSign{"version https://git-lfs",
                {"a Git LFS pointer, not the file itself", "fetch the file: git lfs pull"}},
    ForeignSign{"\x89RFM",
                {"a rankforest model file that a transfer as text has damaged",
                 "copy it again, as binary"}},
    ForeignSign{
        "\xEF\xBF\xBDRFM",
        {"a rankforest model file that was read and written as text", "copy it again, as binary"}},
};

/// What a text starts with, after blanks.
inline constexpr std::array kForeignTextStarts{
    ForeignSign{"<ranker>", {"a QuickRank model", kConvertAdvice}},
    ForeignSign{"<Ensemble>", {"a jforests model", kConvertAdvice}},
    ForeignSign{"booster[0]:", {"a text dump of an XGBoost model", kXgboostAdvice}},
    ForeignSign{"<!DOCTYPE html", {"a web page", "download the model itself"}},
    ForeignSign{"<html", {"a web page", "download the model itself"}},
};

/// What is near the start of a text whose first character is {, [ or <.
inline constexpr std::array kForeignWords{
    ForeignSign{"\"learner\"", {"an XGBoost model (JSON)", kConvertAdvice}},
    ForeignSign{"learner{L", {"an XGBoost model (UBJSON)", kConvertAdvice}},
    ForeignSign{"\"nodeid\"", {"a JSON dump of an XGBoost model", kXgboostAdvice}},
    ForeignSign{"\"num_tree_per_iteration\"", {"a JSON dump of a LightGBM model", kLightGbmAdvice}},
    ForeignSign{"\"features_info\"", {"a CatBoost model (JSON)", kConvertAdvice}},
    ForeignSign{"\"oblivious_trees\"", {"a CatBoost model (JSON)", kConvertAdvice}},
    ForeignSign{"org.apache.solr.ltr", {"a model of Solr's learning to rank", kOtherAdvice}},
    ForeignSign{"<PMML", {"a PMML document", kOtherAdvice}},
};

/// What is near the start of a Python pickle.
inline constexpr std::array kPickledWords{
    ForeignSign{"rankforest",
                {"a Python pickle of rankforest",
                 "load it in Python and save the model: model.save(\"model.rf\")"}},
    ForeignSign{"lightgbm",
                {"a Python pickle of LightGBM",
                 "load it in Python and save the booster as text: "
                 "booster.save_model(\"model.txt\")"}},
    ForeignSign{"xgboost", {"a Python pickle of XGBoost", kLiveAdvice}},
    ForeignSign{"catboost", {"a Python pickle of CatBoost", kLiveAdvice}},
};

inline bool StartsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// The first entry of a table whose text `has`.
template <class Table, class Has>
std::optional<ForeignFile> FindSign(const Table& table, const Has& has) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const ForeignSign& sign) { return has(sign.text); });
  return found == table.end() ? std::nullopt : std::optional<ForeignFile>(found->is);
}

/// Protocols 2 to 5 start with a byte and their number; 0 and 1 have no start of their own, but
/// name this module first for every object of a class.
inline bool IsPickle(std::string_view file) {
  const bool has_number = file.size() >= 2 && file[0] == '\x80' && file[1] >= 2 && file[1] <= 5;
  return has_number || StartsWith(file, "ccopy_reg\n");
}

/// A stream of zlib, as joblib writes with compress=: the header is a multiple of 31, and the
/// method is deflate. A text may start so, too, but not go on so.
inline bool IsZlib(std::string_view file) {
  if (file.size() < 8 || file[0] != 'x') return false;
  const auto second = static_cast<unsigned char>(file[1]);
  const auto is_ascii = [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; };
  const std::string_view next = file.substr(2, 6);
  return ('x' * 256 + second) % 31 == 0 && !std::all_of(next.begin(), next.end(), is_ascii);
}

/// ONNX's message: first the version of its representation, then mostly the name of the producer.
inline bool IsOnnx(std::string_view file) {
  if (file.size() < 5 || file[0] != '\x08' || file[2] != '\x12') return false;
  const auto is_letter = [](char c) { return (c | ' ') >= 'a' && (c | ' ') <= 'z'; };
  const auto size = static_cast<std::size_t>(file[3]);
  return file[1] >= 3 && size >= 1 && size < 64 && is_letter(file[4]);
}

/// RankLib's models begin with the name of their ranker.
inline bool IsRankLib(std::string_view text) {
  constexpr std::array<std::string_view, 10> kRankers{
      "LambdaMART", "MART",    "Random Forests", "Coordinate Ascent", "AdaRank",
      "RankBoost",  "RankNet", "LambdaRank",     "ListNet",           "Linear Regression"};
  if (!StartsWith(text, "## ")) return false;
  const std::string_view name = text.substr(3);
  return std::any_of(kRankers.begin(), kRankers.end(),
                     [&](std::string_view ranker) { return StartsWith(name, ranker); });
}

/// A document of LETOR text: a grade, then its query.
inline bool IsLetor(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789.+-"), text.size());
  return end > 0 && StartsWith(text.substr(end), " qid:");
}

inline std::string_view WithoutBlanks(std::string_view text) {
  if (StartsWith(text, "\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

}  // namespace detail

/// How much of a file is looked at to tell what it is.
inline constexpr std::size_t kForeignHead = 4096;

/// Tells by its first bytes what a file is that cannot be read as a model; nothing if unknown.
inline std::optional<ForeignFile> TellForeignFile(std::string_view file) {
  using namespace detail;
  const std::string_view head = file.substr(0, kForeignHead);
  const auto is_in_head = [&](std::string_view word) {
    return head.find(word) != std::string_view::npos;
  };
  if (IsPickle(head)) {
    const auto found = FindSign(kPickledWords, is_in_head);
    return found ? found : ForeignFile{"a Python pickle, or a file of joblib", kPickleAdvice};
  }
  const auto starts_file = [&](std::string_view start) { return StartsWith(head, start); };
  if (const auto found = FindSign(kForeignStarts, starts_file)) return found;
  if (IsZlib(head))
    return ForeignFile{"a zlib stream, as joblib writes with compress=", kPickleAdvice};
  if (IsOnnx(head)) return ForeignFile{"an ONNX model", kOtherAdvice};
  const std::string_view text = WithoutBlanks(head);
  const auto starts_text = [&](std::string_view start) { return StartsWith(text, start); };
  if (const auto found = FindSign(kForeignTextStarts, starts_text)) return found;
  if (IsRankLib(text)) return ForeignFile{"a RankLib model", kConvertAdvice};
  if (IsLetor(text)) return ForeignFile{"LETOR text", kDataAdvice};
  const bool is_nested = !text.empty() && (text[0] == '{' || text[0] == '[' || text[0] == '<');
  return is_nested ? FindSign(kForeignWords, is_in_head) : std::nullopt;
}

/// The same as a message; empty if unknown.
inline std::string ForeignFileMessage(std::string_view file) {
  const std::optional<ForeignFile> found = TellForeignFile(file);
  if (!found) return {};
  return std::string("this is ") + found->name + ", which rankforest does not read as a model; " +
         found->advice;
}

}  // namespace rankforest
