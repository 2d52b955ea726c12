// How many experts a batch wakes, on average and on the busiest rank, when every token chooses at random.
#include "model/arithmetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace decodescope::model {
namespace {

/// Expected largest of n standard normals, n = 1, 2, 4, ... 256 (tables of order statistics).
constexpr std::array<double, 9> kLargestOfNormals{0, 0.56, 1.03, 1.42, 1.77, 2.07, 2.34, 2.59, 2.82};

/// Between the powers of two the expectation is nearly linear in log n; beyond 256 it goes on at the last
/// slope.
double largestOfNormals(double n) {
  if (n <= 1) return 0;
  const double x = std::log2(n);
  const auto low = std::min(static_cast<std::size_t>(x), kLargestOfNormals.size() - 2);
  const double share = x - static_cast<double>(low);
  return kLargestOfNormals[low] + share * (kLargestOfNormals[low + 1] - kLargestOfNormals[low]);
}

}  // namespace

double expectedDistinctExperts(double experts, double top_k, double tokens) {
  if (experts <= 0 || tokens <= 0) return 0;
  if (top_k >= experts) return experts;
  return experts * (1 - std::pow(1 - top_k / experts, tokens));
}

ExpertLoad busiestRank(double experts, double top_k, double tokens, int ranks) {
  ExpertLoad load;
  if (experts <= 0 || tokens <= 0) return load;
  const double copies = tokens * top_k, n = std::max(1, ranks);
  const double local = std::max(1.0, std::floor(experts / n));
  const double mean = copies / n;
  // Copies on a rank are close to normal with variance mean (1 - 1/n); the busiest is the largest of n.
  const double busiest = mean + largestOfNormals(n) * std::sqrt(mean * (1 - 1 / n));
  load.routed_tokens = std::max(std::min(1.0, copies), std::min(copies, busiest));
  const double hit = n > 1 ? local * (1 - std::pow(1 - 1 / local, load.routed_tokens))
                           : expectedDistinctExperts(experts, top_k, tokens);
  load.distinct_experts = std::min(load.routed_tokens, std::max(1.0, hit));
  return load;
}

}  // namespace decodescope::model
