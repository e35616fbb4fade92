#pragma once

namespace rankforest::testing {

/// What dividing a node in two gains by Newton steps, of the sums of gradients and hessians of both
/// sides. NaiveTree checks it against the drop of the loss.
///
/// @tparam Sum  has `grad` and `hess`
template <class Sum>
double NaiveNewtonGain(const Sum& left, const Sum& right, double l2) {
  const double a = left.hess + l2;
  const double b = right.hess + l2;
  if (a <= 0.0 || b <= 0.0) return 0.0;
  const double difference = left.grad * b - right.grad * a;
  double gain = difference * difference / (a * b * (a + b));
  const double grad = left.grad + right.grad;
  if (l2 > 0.0) gain -= l2 * grad * grad / ((a + b) * (a + b - l2));
  return gain;
}

}  // namespace rankforest::testing
