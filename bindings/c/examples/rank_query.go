// Ranks the documents of one query from Go, with the C library of rankforest:
//
//	rank_query MODEL < QUERY
//
// QUERY has one document per line, as numbers; NaN is a missing value. Writes a line for each
// document, best first: its number, counted from 0, and its score. Run it with
//
//	PKG_CONFIG_PATH=PREFIX/lib/pkgconfig LD_LIBRARY_PATH=PREFIX/lib go run rank_query.go model.rf < query
//
// where the C library is installed in PREFIX.
package main

// #cgo pkg-config: rankforest_c
// #include <stdlib.h>
// #include <rankforest_c.h>
import "C"

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unsafe"
)

// Scorer is a model made ready for scoring. Any number of goroutines may use one.
type Scorer struct{ scorer *C.rankforest_scorer }

// failure calls a function of the library with a place for its message.
func failure(call func(message *C.char, size C.size_t) C.int) error {
	var message [512]C.char
	if call(&message[0], C.size_t(len(message))) == C.RANKFOREST_OK {
		return nil
	}
	return errors.New(C.GoString(&message[0]))
}

// Load reads a model file, or LightGBM's text. Close releases it.
func Load(path string) (*Scorer, error) {
	cPath := C.CString(path)
	defer C.free(unsafe.Pointer(cPath))
	scorer := &Scorer{}
	err := failure(func(message *C.char, size C.size_t) C.int {
		return C.rankforest_load(cPath, &scorer.scorer, message, size)
	})
	if err != nil {
		return nil, err
	}
	return scorer, nil
}

// Close releases the model. No goroutine may use it any more.
func (s *Scorer) Close() { C.rankforest_free(s.scorer) }

// Features is the number of values that each document must have.
func (s *Scorer) Features() int { return int(C.rankforest_n_features(s.scorer)) }

// Ranked is a place of a ranking.
type Ranked struct {
	Document int
	Score    float64
}

// Top returns the best k documents, best first. The documents are rows of Features() values.
func (s *Scorer) Top(features []float32, documents, k int) ([]Ranked, error) {
	if documents == 0 || k == 0 {
		return nil, nil
	}
	if len(features) != documents*s.Features() {
		return nil, fmt.Errorf("%d values for %d documents, expected %d of each", len(features),
			documents, s.Features())
	}
	var values *float32 // none where the model looks at no feature
	if len(features) > 0 {
		values = &features[0]
	}
	best := make([]C.rankforest_ranked, k)
	var found C.size_t
	err := failure(func(message *C.char, size C.size_t) C.int {
		return C.rankforest_top(s.scorer, (*C.float)(values),
			C.size_t(documents), C.size_t(s.Features()), C.size_t(k), &best[0], &found, message,
			size)
	})
	if err != nil {
		return nil, err
	}
	ranked := make([]Ranked, found)
	for i := range ranked {
		ranked[i] = Ranked{int(best[i].document), float64(best[i].score)}
	}
	return ranked, nil
}

func readDocuments(file *os.File) (features []float32, documents int, err error) {
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for ; lines.Scan(); documents++ {
		for _, word := range strings.Fields(lines.Text()) {
			value, err := strconv.ParseFloat(word, 32)
			if err != nil {
				return nil, 0, err
			}
			features = append(features, float32(value))
		}
	}
	return features, documents, lines.Err()
}

func rankQuery(path string) error {
	scorer, err := Load(path)
	if err != nil {
		return err
	}
	defer scorer.Close()
	features, documents, err := readDocuments(os.Stdin)
	if err != nil {
		return err
	}
	ranked, err := scorer.Top(features, documents, documents)
	if err != nil {
		return err
	}
	for _, place := range ranked {
		fmt.Println(place.Document, place.Score)
	}
	return nil
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: rank_query MODEL < QUERY")
		os.Exit(2)
	}
	if err := rankQuery(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "rank_query:", err)
		os.Exit(2)
	}
}
