/* Scoring with rankforest from C, and from whatever calls C: Java, Go, Rust, Python's ctypes.
 *
 *   rankforest_scorer* scorer = NULL;
 *   char error[256];
 *   if (rankforest_load("model.rf", &scorer, error, sizeof error) != RANKFOREST_OK) ...
 *   if (rankforest_score(scorer, features, n_documents, row_stride, scores, error, sizeof error)
 *       != RANKFOREST_OK) ...
 *   rankforest_free(scorer);
 *
 * A scorer does not change: any number of threads may use one at the same time. Nothing here
 * prints, starts a thread or lets an exception out.
 *
 * A function that can fail returns a status and writes what is wrong into the caller's own
 * `error`: UTF-8 that ends with a zero byte, cut to `error_size` bytes; empty on success. It may
 * be null with size 0.
 */
#ifndef RANKFOREST_C_H
#define RANKFOREST_C_H

#include <stddef.h>

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

/* Loads a model file (.rf) or LightGBM's text.
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

/* Scores documents on the calling thread; higher ranks first. Call it for one query at a time
 * where the model combines its members within queries (minmax, borda); the others, which are all
 * that sum, score each document by itself. A thread's first calls allocate memory that its later
 * ones use again.
 *
 * features    feature f of document d is features[d * row_stride + f]; NaN is missing
 * row_stride  floats from one document to the next, >= rankforest_n_features
 * scores      receives one number for each document
 */
int rankforest_score(const rankforest_scorer* scorer, const float* features, size_t n_documents,
                     size_t row_stride, double* scores, char* error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif /* RANKFOREST_C_H */
