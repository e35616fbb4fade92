#include "rankforest/train/broof_answers.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace rankforest {

namespace {

template <class Check>
std::string MessageOfAnswer(const Check& check) {
  try {
    check();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

constexpr double kAnyAnswer = -std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("answers that fit are passed on, weights as shares of their sum") {
  const std::vector<double> values = {0.5, -2.0, 0.0};
  CHECK(detail::Answered("examples", values, 3, kAnyAnswer, false) == values);
  CHECK(std::isnan(detail::Answered("errors", {std::nan("")}, 1, 0.0, true)[0]));
  CHECK(detail::AnsweredWeights("initial_weights", {1.0, 0.0, 3.0}, 3) ==
        std::vector<double>{0.25, 0.0, 0.75});
  CHECK(detail::Usable({0.5, -1.0}).weight == -1.0);
}

TEST_CASE("what an extension point must not answer is said with its name") {
  const double nan = std::nan("");
  CHECK(MessageOfAnswer([] { detail::AnsweredWeights("initial_weights", {0.0, 0.0}, 2); }) ==
        "initial_weights must give weights with a finite sum above 0; the sum is 0");
  CHECK(MessageOfAnswer([] { detail::AnsweredWeights("example_weights", {1.0, -1.0}, 2); }) ==
        "example_weights must give finite numbers >= 0; number 1 (counted from 0) is -1");
  CHECK(MessageOfAnswer([&] { detail::Answered("examples", {nan}, 1, kAnyAnswer, false); }) ==
        "examples must give finite numbers; number 0 (counted from 0) is nan");
  CHECK(MessageOfAnswer([&] { detail::Answered("errors", {nan, -0.5}, 2, 0.0, true); }) ==
        "errors must give finite numbers >= 0, or NaN to leave a document out; number 1 (counted "
        "from 0) is -0.5");
  CHECK(MessageOfAnswer([] { detail::Answered("errors", {1.0}, 7, 0.0, true); }) ==
        "errors must give a number for each of the 7 documents, got 1");
  CHECK(MessageOfAnswer([] { detail::Usable({0.0, 1.0}); }) ==
        "learner_weight must give finite numbers, beta above 0; beta is 0, the weight 1");
  CHECK(MessageOfAnswer([] { detail::Usable({1.0, 1e308 * 10}); }).find("the weight inf") !=
        std::string::npos);
}

}  // namespace rankforest
