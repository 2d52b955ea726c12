#include "analysis/attribution.h"

#include "base/rng.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

namespace decodescope::analysis {
namespace {

/// Sampled orders; each also backwards, which cancels most of the error of the sample.
constexpr std::size_t kSampledOrders = 128;
constexpr std::uint64_t kSampleSeed = 20240601;

using Groups = std::vector<std::vector<std::size_t>>;
using Values = std::optional<std::vector<double>>;

/// Values of sets of groups, each computed once however groups are merged.
class Game {
 public:
  Game(const CoalitionValue& value, std::size_t inputs) : value_(value) {
    for (std::size_t i = 0; i < inputs; ++i) groups_.push_back({i});
  }
  [[nodiscard]] std::size_t size() const { return groups_.size(); }
  [[nodiscard]] const Groups& groups() const { return groups_; }
  [[nodiscard]] Coalition all() const { return (Coalition{1} << groups_.size()) - 1; }

  [[nodiscard]] const Values& operator()(Coalition of_groups) {
    Coalition of_inputs = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if ((of_groups >> g & 1) == 0) continue;
      for (const std::size_t i : groups_[g]) of_inputs |= Coalition{1} << i;
    }
    auto it = known_.find(of_inputs);
    if (it == known_.end()) it = known_.emplace(of_inputs, value_(of_inputs)).first;
    return it->second;
  }

  void merge(std::size_t a, std::size_t b) {
    groups_[a].insert(groups_[a].end(), groups_[b].begin(), groups_[b].end());
    std::sort(groups_[a].begin(), groups_[a].end());
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(b));
  }

 private:
  const CoalitionValue& value_;
  Groups groups_;
  std::map<Coalition, Values> known_;
};

std::vector<std::vector<std::size_t>> sampledOrders(std::size_t n) {
  std::vector<std::vector<std::size_t>> orders;
  rng::Sequence random(kSampleSeed, rng::Stream::Arrival, n);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t s = 0; s < kSampledOrders; ++s) {
    for (std::size_t i = n - 1; i > 0; --i)
      std::swap(order[i], order[static_cast<std::size_t>(random.uniform() * static_cast<double>(i + 1))]);
    orders.push_back(order);
    orders.emplace_back(order.rbegin(), order.rend());
  }
  return orders;
}

/// Sets of groups that the sum will ask for.
std::vector<Coalition> coalitionsOf(std::size_t n) {
  std::vector<Coalition> out;
  if (n <= kExactInputs) {
    for (Coalition c = 0; c < Coalition{1} << n; ++c) out.push_back(c);
    return out;
  }
  for (const auto& order : sampledOrders(n)) {
    Coalition c = 0;
    out.push_back(c);
    for (const std::size_t i : order) out.push_back(c |= Coalition{1} << i);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// Merges the two groups that most of the impossible sets tear apart; false when there are no such sets.
bool mergeWhatGoesTogether(Game& game) {
  const std::size_t n = game.size();
  std::vector<Coalition> impossible;
  for (const Coalition c : coalitionsOf(n)) {
    if (!game(c)) impossible.push_back(c);
  }
  if (impossible.empty()) return false;
  std::array<std::size_t, 3> worst{0, 0, 1};  // sets torn, and the two groups
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      const auto torn = static_cast<std::size_t>(std::count_if(
          impossible.begin(), impossible.end(), [&](Coalition c) { return (c >> a & 1) != (c >> b & 1); }));
      if (torn > worst[0]) worst = {torn, a, b};
    }
  }
  game.merge(worst[1], worst[2]);
  return true;
}

void add(std::vector<double>& sum, const std::vector<double>& to, const std::vector<double>& from,
         double weight) {
  for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += weight * (to[r] - from[r]);
}

/// |S|! (n - |S| - 1)! / n! for sets S without the group.
double weightOf(std::size_t set_size, std::size_t n) {
  double binomial = 1;
  for (std::size_t k = 1; k <= set_size; ++k) binomial *= static_cast<double>(n - k) / static_cast<double>(k);
  return 1 / (static_cast<double>(n) * binomial);
}

void sumExactly(Game& game, Attribution& out) {
  const std::size_t n = game.size();
  for (Coalition set = 0; set <= game.all(); ++set) {
    std::size_t members = 0;
    for (std::size_t g = 0; g < n; ++g) members += set >> g & 1;
    for (std::size_t g = 0; g < n; ++g) {
      if ((set >> g & 1) != 0) continue;
      add(out.shares[g], *game(set | Coalition{1} << g), *game(set), weightOf(members, n));
    }
  }
}

void sumSampled(Game& game, Attribution& out) {
  const auto orders = sampledOrders(game.size());
  const double weight = 1 / static_cast<double>(orders.size());
  for (const auto& order : orders) {
    Coalition set = 0;
    for (const std::size_t g : order) {
      const Coalition with = set | Coalition{1} << g;
      add(out.shares[g], *game(with), *game(set), weight);
      set = with;
    }
  }
}

}  // namespace

std::optional<Attribution> shapley(std::size_t inputs, const CoalitionValue& value) {
  constexpr std::size_t kMostInputs = 60;
  if (inputs == 0 || inputs > kMostInputs) return {};
  Game game(value, inputs);
  const Values before = game(0), after = game(game.all());
  if (!before || !after) return {};
  while (game.size() > 1 && mergeWhatGoesTogether(game)) {
  }
  Attribution out;
  out.groups = game.groups();
  out.exact = game.size() <= kExactInputs;
  out.shares.assign(game.size(), std::vector<double>(before->size(), 0.0));
  if (out.exact)
    sumExactly(game, out);
  else
    sumSampled(game, out);
  return out;
}

}  // namespace decodescope::analysis
