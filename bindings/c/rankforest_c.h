/* Scoring with rankforest from C, and from whatever calls C: Java, Go, Rust, Python's ctypes, and
 * C++ that is compiled without exceptions.
 *
 *   rankforest_scorer* scorer = NULL;
 *   char error[256];
 *   if (rankforest_load("model.rf", &scorer, error, sizeof error) != RANKFOREST_OK) ...
 *   if (rankforest_score(scorer, features, n_documents, row_stride, scores, error, sizeof error)
 *       != RANKFOREST_OK) ...
 *   rankforest_free(scorer);
 *
 * Threads: a scorer does not change. Any number of threads may use one at the same time, as long as
 * none of them frees it. Nothing here prints, starts a thread or lets an exception out. A thread's
 * first calls allocate memory that its later ones use again; it is released when the thread ends.
 *
 * Errors: a function that can fail returns a status and writes what is wrong into the caller's own
 * `error`: UTF-8 that ends with a zero byte, cut to `error_size` bytes; empty on success. It may
 * be null with size 0. What a function that failed was to write is undefined, unless it says more.
 *
 * Binary interface: functions and values are only ever added. None of those below changes its
 * arguments or what it means as long as the soname stays, librankforest_c.so.X.Y before version
 * 1.0 and librankforest_c.so.X from then on. Structures that callers make begin with their own
 * size and grow only at their end, so that a program runs with a newer library of the same soname.
 * The library exports the functions of this header and nothing else.
 */
#ifndef RANKFOREST_C_H
#define RANKFOREST_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a function returns. */
enum {
  RANKFOREST_OK = 0,
  RANKFOREST_INVALID = 1,    /* an argument or the model is not valid */
  RANKFOREST_UNREADABLE = 2, /* the file cannot be read */
  RANKFOREST_NO_MEMORY = 3,
  RANKFOREST_FAILED = 4 /* anything else */
};

/* A model made ready for scoring. */
typedef struct rankforest_scorer rankforest_scorer;

/* The version of this library, such as "0.1.0". */
const char* rankforest_version(void);

/* Loads a model file (.rf) or LightGBM's text. The model files of version 1 that any version of
 * rankforest wrote are read by every later one.
 *
 * path    the file system's spelling, zero-terminated
 * scorer  receives what rankforest_free releases; null if this fails
 */
int rankforest_load(const char* path, rankforest_scorer** scorer, char* error, size_t error_size);

/* The same from the bytes of such a file. They may be released afterwards. */
int rankforest_load_memory(const void* bytes, size_t n_bytes, rankforest_scorer** scorer,
                           char* error, size_t error_size);

/* Releases a scorer that no thread uses any more; null is allowed. */
void rankforest_free(rankforest_scorer* scorer);

/* The number of features that each document must have; 0 for null. */
size_t rankforest_n_features(const rankforest_scorer* scorer);

/* The number of trees, and of rounds of boosting; a forest has a round for each tree, a sum of
 * models as many as its longest. 0 for null. */
size_t rankforest_n_trees(const rankforest_scorer* scorer);
size_t rankforest_n_rounds(const rankforest_scorer* scorer);

/* 1 if the scores of a document depend on the others of its query, so that functions must be given
 * all documents of a query at once, and of no other: a model that combines its members or
 * normalises features within queries, or whose low documents exit early, by exits that were saved
 * with it. Otherwise 0. */
int rankforest_needs_queries(const rankforest_scorer* scorer);

/* The name of a feature, counted from 0, in UTF-8; it lives as long as the scorer. Null if the
 * model was trained without names, if there is no such feature, or for null. */
const char* rankforest_feature_name(const rankforest_scorer* scorer, size_t feature);

/* Succeeds if `names` are those of the model's features, in their order. Otherwise the error names
 * the first difference. A model without names (rankforest_feature_name) fails, too: it cannot be
 * checked.
 *
 * names  n_names zero-terminated texts in UTF-8, none null: the caller's columns
 */
int rankforest_check_features(const rankforest_scorer* scorer, const char* const* names,
                              size_t n_names, char* error, size_t error_size);

/* Scores documents on the calling thread; higher ranks first. Call it for one query at a time
 * where rankforest_needs_queries says so; the other models score each document by itself.
 *
 * features    feature f of document d is features[d * row_stride + f]; NaN is missing. A number
 *             that meant missing in the training data (Dataset(missing=-1) of the Python package)
 *             is a number like any other here: put NaN in its place. What stood for missing values
 *             in training (missing="mean" of a trainer) needs nothing: the trees know where NaN goes
 * row_stride  floats from one document to the next, >= rankforest_n_features
 * scores      receives one number for each document
 */
int rankforest_score(const rankforest_scorer* scorer, const float* features, size_t n_documents,
                     size_t row_stride, double* scores, char* error, size_t error_size);

/* A place of a ranking. */
typedef struct {
  size_t document; /* counted from 0 */
  double score;
} rankforest_ranked;

/* Finds the k documents of one query with the highest scores: best first, and in the order of
 * documents where scores are equal. Scores are those of rankforest_score. Documents that cannot be
 * among the k any more are not scored to the end. Fails for models that combine their members
 * within queries.
 *
 * best     places for k documents; may be null if k is 0
 * n_found  receives how many there are, min(k, n_documents); 0 if this fails
 */
int rankforest_top(const rankforest_scorer* scorer, const float* features, size_t n_documents,
                   size_t row_stride, size_t k, rankforest_ranked* best, size_t* n_found,
                   char* error, size_t error_size);

/* When scoring ends before the last tree. Set `size` and fill the rest with zeros for no limit:
 *
 *   rankforest_limits limits = {.size = sizeof limits};
 *
 * A document that leaves keeps the score of the rounds up to then.
 */
typedef struct {
  size_t size; /* sizeof(rankforest_limits) */

  /* Early exit, in place of the model's own exits: after every `exit_every` rounds, floor(exit_fraction * documents in play) of the
   * query leave, those with the lowest scores. */
  uint32_t exit_every;  /* 0: the exits that were saved with the model, if there are any */
  uint32_t exit_demote; /* 1: those that left rank below those that stayed; 0: by score alone */
  double exit_fraction; /* in [0, 1) */

  /* Budget: a round that would bring the cost of the query above it does not begin. A document
   * costs tree_cost for each tree, and for each feature of these trees, once, its own cost. */
  uint32_t has_budget;         /* 1: `budget` holds; 0: there is none */
  uint32_t reserved;           /* 0 */
  double budget;               /* >= 0 */
  double tree_cost;            /* finite, >= 0 */
  const double* feature_costs; /* rankforest_n_features of them, finite, >= 0; null: all 0 */

  /* Asked between rounds, on the calling thread; anything but 0 ends scoring, as when time is up.
   * Null: never. Must return: no longjmp, no exception. */
  int (*should_stop)(void* context);
  void* context; /* given to should_stop */
} rankforest_limits;

/* Scores the documents of one query within limits. Fails for models that combine their members
 * within queries.
 *
 * rounds  receives how many rounds each document was scored with; may be null
 * cost    receives what was spent, in the units of tree_cost; may be null
 * The others are those of rankforest_score.
 */
int rankforest_score_within(const rankforest_scorer* scorer, const rankforest_limits* limits,
                            const float* features, size_t n_documents, size_t row_stride,
                            double* scores, uint32_t* rounds, double* cost, char* error,
                            size_t error_size);

#ifdef __cplusplus
}
#endif

#endif /* RANKFOREST_C_H */
