import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ranks the documents of one query from Java 22 or later, with the C library of rankforest.
 *
 * <p>The query comes from standard input: one document per line, as numbers; NaN is a missing
 * value. Writes a line for each document, best first: its number, counted from 0, and its score.
 *
 * <pre>
 * java --enable-native-access=ALL-UNNAMED RankQuery.java PREFIX/lib/librankforest_c.so model.rf \
 *     &lt; query
 * </pre>
 */
public final class RankQuery {
  /** A place of a ranking. */
  record Ranked(long document, double score) {}

  /** A model made ready for scoring. Any number of threads may use one until it is closed. */
  static final class Scorer implements AutoCloseable {
    // A size_t has 64 bits wherever the library is built.
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong SIZE = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;
    private static final long RANKED = MemoryLayout.structLayout(SIZE, DOUBLE).byteSize();
    private static final int ERROR = 512;

    private final Arena library = Arena.ofShared();
    private final MethodHandle free;
    private final MethodHandle top;
    private final MemorySegment scorer;
    private final long features;

    /** Reads a model file, or LightGBM's text. */
    Scorer(Path libraryPath, String modelPath) {
      SymbolLookup symbols = SymbolLookup.libraryLookup(libraryPath, library);
      MethodHandle load =
          handle(symbols, "load", FunctionDescriptor.of(INT, POINTER, POINTER, POINTER, SIZE));
      MethodHandle count = handle(symbols, "n_features", FunctionDescriptor.of(SIZE, POINTER));
      free = handle(symbols, "free", FunctionDescriptor.ofVoid(POINTER));
      top =
          handle(
              symbols,
              "top",
              FunctionDescriptor.of(
                  INT, POINTER, POINTER, SIZE, SIZE, SIZE, POINTER, POINTER, POINTER, SIZE));
      try (Arena call = Arena.ofConfined()) {
        MemorySegment path = call.allocateFrom(modelPath);
        MemorySegment loaded = call.allocate(POINTER);
        MemorySegment error = call.allocate(ERROR);
        check((int) load.invokeExact(path, loaded, error, (long) ERROR), error);
        scorer = loaded.get(POINTER, 0);
        features = (long) count.invokeExact(scorer);
      } catch (Throwable problem) {
        library.close();
        throw unchecked(problem);
      }
    }

    /** The number of values that each document must have. */
    int features() {
      return Math.toIntExact(features);
    }

    /** The best {@code k} documents, best first. */
    List<Ranked> top(List<float[]> documents, long k) {
      try (Arena call = Arena.ofConfined()) {
        MemorySegment values =
            call.allocate(ValueLayout.JAVA_FLOAT, Math.max(1, documents.size() * features));
        for (int d = 0; d < documents.size(); ++d) {
          float[] document = documents.get(d);
          if (document.length != features) {
            throw new IllegalArgumentException(
                "document " + d + " has " + document.length + " values, expected " + features);
          }
          MemorySegment.copy(
              document, 0, values, ValueLayout.JAVA_FLOAT, d * features * Float.BYTES, features());
        }
        MemorySegment best = call.allocate(Math.max(1, k) * RANKED, Long.BYTES);
        MemorySegment found = call.allocate(SIZE);
        MemorySegment error = call.allocate(ERROR);
        check(
            (int)
                top.invokeExact(
                    scorer, values, (long) documents.size(), features, k, best, found, error,
                    (long) ERROR),
            error);
        List<Ranked> ranked = new ArrayList<>();
        for (long i = 0; i < found.get(SIZE, 0); ++i) {
          ranked.add(
              new Ranked(best.get(SIZE, i * RANKED), best.get(DOUBLE, i * RANKED + Long.BYTES)));
        }
        return ranked;
      } catch (Throwable problem) {
        throw unchecked(problem);
      }
    }

    /** Releases the model. */
    @Override
    public void close() {
      try {
        free.invokeExact(scorer);
      } catch (Throwable problem) {
        throw unchecked(problem);
      } finally {
        library.close();
      }
    }

    private static MethodHandle handle(
        SymbolLookup symbols, String name, FunctionDescriptor types) {
      return Linker.nativeLinker()
          .downcallHandle(symbols.find("rankforest_" + name).orElseThrow(), types);
    }

    private static void check(int status, MemorySegment error) {
      if (status != 0) throw new IllegalArgumentException(error.getString(0));
    }

    private static RuntimeException unchecked(Throwable problem) {
      if (problem instanceof RuntimeException known) return known;
      if (problem instanceof Error fatal) throw fatal;
      return new IllegalStateException(problem);
    }
  }

  private static List<float[]> readDocuments() throws IOException {
    List<float[]> documents = new ArrayList<>();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.trim().split("\\s+");
      float[] document = new float[words.length];
      for (int f = 0; f < words.length; ++f) {
        document[f] = words[f].equalsIgnoreCase("nan") ? Float.NaN : Float.parseFloat(words[f]);
      }
      documents.add(document);
    }
    return documents;
  }

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      System.err.println("usage: RankQuery LIBRARY MODEL < QUERY");
      System.exit(2);
    }
    try (Scorer scorer = new Scorer(Path.of(arguments[0]), arguments[1])) {
      List<float[]> documents = readDocuments();
      for (Ranked place : scorer.top(documents, documents.size())) {
        System.out.println(place.document() + " " + place.score());
      }
    } catch (IllegalArgumentException problem) {
      System.err.println("RankQuery: " + problem.getMessage());
      System.exit(2);
    }
  }
}
