/* Scores rows of numbers with a model, in C99 that is C++, too: main MODEL < ROWS, one document per
 * line. Writes a line for each, its score as a hexadecimal float. */
#include <stdio.h>
#include <stdlib.h>

#include "rankforest_c.h"

enum { kMostDocuments = 1000 };

static int Fail(const char* message) {
  fprintf(stderr, "%s\n", message);
  return 1;
}

int main(int argc, char** argv) {
  rankforest_scorer* scorer = NULL;
  char error[200];
  if (argc != 2) return Fail("usage: main MODEL");
  if (rankforest_load(argv[1], &scorer, error, sizeof error) != RANKFOREST_OK) return Fail(error);

  const size_t n_features = rankforest_n_features(scorer);
  float* features = (float*)malloc(kMostDocuments * n_features * sizeof *features);
  double* scores = (double*)malloc(kMostDocuments * sizeof *scores);
  size_t n_values = 0;
  while (n_values < kMostDocuments * n_features && scanf("%f", features + n_values) == 1) {
    ++n_values;
  }
  const size_t n_documents = n_values / n_features;
  if (rankforest_score(scorer, features, n_documents, n_features, scores, error, sizeof error) !=
      RANKFOREST_OK) {
    return Fail(error);
  }
  for (size_t d = 0; d < n_documents; ++d) printf("%a\n", scores[d]);
  free(scores);
  free(features);
  rankforest_free(scorer);
  return 0;
}
