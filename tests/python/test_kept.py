"""Properties that are computed once."""

import pickle
import threading

import pytest

from rankforest._kept import kept_property


class Counting:
    """Counts how often a value is computed."""

    def __init__(self, fails: int = 0) -> None:
        self.n_computed = 0
        self.fails = fails

    @kept_property
    def value(self) -> list[int]:
        """Return a new list."""
        self.n_computed += 1
        if self.n_computed <= self.fails:
            raise ValueError("not yet")
        return [self.n_computed]


def test_a_value_is_computed_once_for_each_object():
    one, other = Counting(), Counting()
    assert one.value is one.value
    assert one.value is not other.value
    assert (one.n_computed, other.n_computed) == (1, 1)


def test_a_value_whose_computation_failed_is_computed_again():
    counting = Counting(fails=1)
    with pytest.raises(ValueError, match="not yet"):
        _ = counting.value
    assert counting.value == [2]


def test_a_value_goes_with_copies_and_can_be_dropped():
    counting = Counting()
    assert counting.value == [1]
    assert pickle.loads(pickle.dumps(counting)).value == [1]
    del counting.value
    assert counting.value == [2]


def test_the_class_shows_the_property_and_its_documentation():
    assert isinstance(Counting.value, kept_property)
    assert Counting.value.__doc__ == "Return a new list."


def test_no_object_waits_for_another():
    reached, may_end = threading.Event(), threading.Event()

    class Slow:
        def __init__(self, is_slow: bool) -> None:
            self.is_slow = is_slow

        @kept_property
        def value(self) -> int:
            if self.is_slow:
                reached.set()
                may_end.wait(60)
            return 1

    slow = Slow(is_slow=True)
    thread = threading.Thread(target=lambda: slow.value)
    thread.start()
    reached.wait(60)
    assert Slow(is_slow=False).value == 1
    assert thread.is_alive()
    may_end.set()
    thread.join()
