"""The rules of CONTRIBUTING.md that no compiler checks, checked on the text of the sources."""

import re
from collections import Counter
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from statistics import median
from textwrap import dedent

import pytest

ROOT = Path(__file__).resolve().parents[3]
INCLUDE = ROOT / "cpp" / "include" / "rankforest"
HEADERS = sorted(INCLUDE.rglob("*.hpp"))
UMBRELLA = INCLUDE / "rankforest.hpp"
SCORING = INCLUDE / "scoring.hpp"  # what scoring needs of it
FACADES = (UMBRELLA, SCORING)  # includes only
CPP_TESTS = sorted((ROOT / "tests" / "cpp").glob("*/*_test.cpp"))

# Which folders the headers of a folder may include, besides their own.
_CRITERION = {"detail", "core", "metric", "criterion"}
_TREE = {*_CRITERION, "split", "sample", "objective", "tree"}
MAY_INCLUDE = {
    "detail": set(),
    "core": {"detail"},
    "metric": {"detail", "core"},
    "criterion": _CRITERION,
    "split": _CRITERION,
    "sample": _CRITERION,
    "objective": _CRITERION,
    "tree": _TREE,
    "train": {*_TREE, "score"},
    "score": {"detail", "core"},
    "explain": {"detail", "core"},
    "io": {"detail", "core"},
}

PYTHON = (ROOT / "python" / "rankforest", ROOT / "tests" / "python")

MOST_LINES = 300
MOST_LINES_OF_PYTHON = 500
MEDIAN_LINES = 100
LONG_BECAUSE = "// Long because "

# What a header may not say, why, and the headers that are the exception.
FORBIDDEN = [
    (r"\bstd::(cout|cerr|clog)\b|<iostream>|\b(f?printf|puts)\(", "the library never prints", ()),
    (r"<chrono>|<ctime>|\b(std::)?(time|clock)\(", "the library never reads the clock", ()),
    (r"\b(exit|_Exit|quick_exit|abort|terminate)\(", "the library never ends the process", ()),
    (r"\bstd::shuffle\b|_distribution\b|<random>|\brand\(", "core/rng.hpp is the randomness", ()),
    (
        r"\bstd::(exp|exp2|expm1|log|log2|log10|log1p|pow|tanh)\b",
        "core/math.hpp has functions with the same bits everywhere",
        (),
    ),
    (
        r"<(thread|mutex|atomic|condition_variable|future|omp\.h)>|\bomp_|#\s*pragma omp",
        "core/parallel.hpp, ordered_work.hpp and what they run on are the one place that knows threads",
        (
            "core/ordered_work.hpp",
            "core/parallel.hpp",
            "detail/fork_safe_mutex.hpp",
            "detail/openmp_team.hpp",
            "detail/platform_openmp.hpp",
            "detail/thread_pool.hpp",
        ),
    ),
    (r"#\s*define\b", "no macros", ()),
    (
        r"#\s*(if|ifdef|ifndef)\b",
        "feature tests live in detail/platform.hpp",
        (
            "detail/platform.hpp",
            "detail/platform_files.hpp",
            "detail/platform_openmp.hpp",
            "detail/platform_new_file.hpp",
            "detail/platform_search.hpp",
            "detail/platform_tables.hpp",
        ),
    ),
    (r"\bnew\b(?!>)", "values and unique_ptr, no raw new", ()),
    (r"^using namespace\b", "it would reach into the includer's names", ()),
    (r"\b(TODO|FIXME|XXX)\b", "unfinished work belongs in the tracker", ()),
]


def name_of(header: Path) -> str:
    """Give the path that an #include spells after rankforest/."""
    return header.relative_to(INCLUDE).as_posix()


def includes(text: str) -> list[str]:
    """List the library's own headers that a source text includes."""
    return re.findall(r'^#include ["<]rankforest/([^">]+)[">]', text, re.MULTILINE)


def without_prose(text: str) -> str:
    """Blank out comments and string literals, keep the lines."""
    prose = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
    return re.sub(prose, lambda m: "\n" * m.group().count("\n"), text, flags=re.DOTALL)


def against_the_arrows(header: str, text: str) -> list[str]:
    """List the includes of a header that its folder may not see."""
    folder = header.partition("/")[0]
    allowed = {folder, *MAY_INCLUDE[folder]}
    return [other for other in includes(text) if other.partition("/")[0] not in allowed]


def offences(header: str, text: str) -> Iterator[str]:
    """Give what a header says and may not, each with its line and the reason."""
    for number, line in enumerate(without_prose(text).splitlines(), start=1):
        for pattern, reason, exceptions in FORBIDDEN:
            if header not in exceptions and re.search(pattern, line):
                yield f"{header}:{number}: {line.strip()} ({reason})"


def is_too_long(text: str) -> bool:
    """Say whether a header is long without a reason in the file."""
    return len(text.splitlines()) > MOST_LINES and LONG_BECAUSE not in text


def definitions(text: str) -> set[str]:
    """Name what a test file defines for itself: functions, types and constants, no aliases."""
    type_ = r"(?:struct|class|enum(?: class)?) (\w+)"
    other = (
        r"(?!(?:template|using|namespace|TEST_CASE\w*)\b)[\w:][\w:<>,&* ]*[ &*>](\w+)(?:[({;\[]| =)"
    )
    found = re.finditer(f"^(?:{type_}|{other})", without_prose(text), re.MULTILINE)
    return {name for match in found for name in match.groups() if name}


def test_includes_point_one_way():
    wrong = {
        name_of(h): found
        for h in HEADERS
        if h not in FACADES and (found := against_the_arrows(name_of(h), h.read_text()))
    }
    assert not wrong


def test_no_header_includes_itself_in_a_circle():
    graph = {name_of(h): includes(h.read_text()) for h in HEADERS}
    assert len(list(TopologicalSorter(graph).static_order())) == len(HEADERS)


def test_headers_are_short():
    lines = [len(h.read_text().splitlines()) for h in HEADERS]
    assert median(lines) < MEDIAN_LINES
    assert not [name_of(h) for h in HEADERS if is_too_long(h.read_text())]


def test_python_files_are_short():
    files = [path for folder in PYTHON for path in folder.rglob("*.py")]
    lines = {path.relative_to(ROOT): len(path.read_text().splitlines()) for path in files}
    assert not {name: n for name, n in lines.items() if n > MOST_LINES_OF_PYTHON}


def test_no_header_says_what_the_library_must_not_do():
    assert not [found for h in HEADERS for found in offences(name_of(h), h.read_text())]


def test_every_header_starts_with_pragma_once():
    assert not [name_of(h) for h in HEADERS if not h.read_text().startswith("#pragma once\n")]


def test_the_umbrella_includes_every_public_header_in_order_and_nothing_else():
    public = [name_of(h) for h in HEADERS if h != UMBRELLA and "detail" not in h.parts]
    assert includes(UMBRELLA.read_text()) == public


def test_the_scoring_header_knows_nothing_of_training():
    graph = {name_of(h): includes(h.read_text()) for h in HEADERS}
    reached, ahead = set(), {name_of(SCORING)}
    while ahead:
        reached |= ahead
        ahead = {other for header in ahead for other in graph[header]} - reached
    folders = Counter(header.partition("/")[0] for header in reached - {name_of(SCORING)})
    assert set(folders) == {"detail", "core", "io", "score"}
    assert not [header for header in reached if header.startswith("io/letor")]
    assert len(reached) < len(HEADERS) / 2


@pytest.mark.parametrize("facade", FACADES, ids=name_of)
def test_a_facade_has_includes_alone_in_order(facade):
    text = facade.read_text()
    assert includes(text) == sorted(includes(text), key=Path)
    assert set(without_prose(text).split()) <= {"#pragma", "once", "#include"}


@pytest.mark.parametrize("header", [name_of(h) for h in HEADERS if h not in FACADES])
def test_every_header_has_a_test_in_the_folder_of_its_name(header):
    tests = ROOT / "tests" / "cpp" / Path(header).parent
    assert any(header in includes(test.read_text()) for test in tests.glob("*_test.cpp"))


def test_every_cpp_test_is_named_after_a_header():
    # Faults that are injected go through all headers.
    names = [test.relative_to(ROOT / "tests" / "cpp") for test in CPP_TESTS]
    of_one = [name for name in names if name.parts[0] != "faults"]
    assert not [n for n in of_one if not (INCLUDE / f"{str(n)[: -len('_test.cpp')]}.hpp").exists()]


@pytest.mark.parametrize("area", sorted({t.parent.name for t in CPP_TESTS}))
def test_no_two_cpp_tests_of_a_folder_define_the_same_name(area):
    # CI compiles them as one file, in which a call could mean the helper of another test.
    defined = Counter(
        name
        for test in CPP_TESTS
        if test.parent.name == area
        for name in definitions(test.read_text())
    )
    assert not [name for name, times in defined.items() if times > 1]


def test_every_area_of_the_bindings_is_declared_and_called():
    bindings = ROOT / "bindings"
    areas = {p.stem.removeprefix("bind_") for p in bindings.glob("bind_*.cpp")}
    functions = {"Bind" + area.title().replace("_", "") for area in areas}
    for file in ("bindings.hpp", "module.cpp"):
        assert functions == set(re.findall(r"\b(Bind[A-Z]\w+)\(", (bindings / file).read_text()))


class TestTheCheckers:
    """Each rule refuses what it is there to refuse."""

    @pytest.mark.parametrize(
        ("header", "other"),
        [
            ("core/tree.hpp", "metric/ndcg.hpp"),
            ("score/reference.hpp", "tree/grower.hpp"),
            ("io/letor.hpp", "score/reference.hpp"),
            ("objective/lambda_rank.hpp", "sample/rows.hpp"),
            ("tree/grower.hpp", "train/combinators.hpp"),
        ],
    )
    def test_an_include_against_the_arrows(self, header, other):
        assert against_the_arrows(header, f'#include "rankforest/{other}"\n') == [other]

    @pytest.mark.parametrize(
        "line",
        [
            "std::cout << x;",
            'std::fprintf(stderr, "x");',
            "const auto now = std::chrono::steady_clock::now();  #include <chrono>",
            "std::exit(1);",
            "std::shuffle(a.begin(), a.end(), rng);",
            "std::normal_distribution<float> d;",
            "return std::log2(x);",
            "#include <thread>",
            "#define SQUARE(x) ((x) * (x))",
            "#ifdef __AVX2__",
            "auto* p = new Tree;",
        ],
    )
    def test_a_forbidden_line(self, line):
        assert list(offences("core/x.hpp", f"int x;\n{line}\n"))

    def test_prose_may_speak_of_anything(self):
        text = '// no std::cout, no new macro\nthrow Error("time(0) is not new");\n/* exit(1) */\n'
        assert not list(offences("core/x.hpp", text))

    def test_a_long_header_without_a_reason(self):
        text = "int x;\n" * (MOST_LINES + 1)
        assert is_too_long(text)
        assert not is_too_long(f"{LONG_BECAUSE}it is a table.\n{text}")

    def test_what_a_cpp_test_defines(self):
        text = """
            using Pairs = std::vector<int>;
            constexpr float kInf = std::numeric_limits<float>::infinity();
            const std::vector<std::string> kNames = {"a",
                                                     "b"};
            struct Log {
              int size() const { return 0; }
            };
            template <class Recipe>
            std::vector<Tree> Trees(const Recipe& recipe) {
              return Grow(recipe);
            }
            Tree& Root(Tree& tree);
            TEST_CASE("a sentence") {
        """
        assert definitions(dedent(text)) == {"kInf", "kNames", "Log", "Trees", "Root"}
