// Load of every link in an iteration, for the screen, without walking routes each time.
//
// Collectives carry bytes in proportion to tokens, so loads are made at token counts a fixed quarter octave
// apart and scaled to the iteration at hand: a function of the iteration alone, whatever was shown before.
#pragma once

#include "decode/step_model.h"

#include <decodescope/topology_view.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace decodescope::engine {

class LinkView {
 public:
  LinkView(std::shared_ptr<const decode::StepModel>, std::shared_ptr<const TopologyView>);

  /// Mean utilisation of the busiest direction over an iteration of `step_s`.
  [[nodiscard]] double peakUtilization(const decode::StepInput&, double step_s);
  /// By directed link: mean over the iteration, and bytes over capacity during the busiest phase.
  void fill(const decode::StepInput&, double step_s, std::vector<float>& utilization,
            std::vector<float>& phase);
  /// Factor by which this view's slowest link lengthens collectives against that of `nominal`; at least 1.
  [[nodiscard]] double slowdownAgainst(LinkView& nominal, const decode::StepInput&);

 private:
  struct Load {
    int bucket = 0;
    double tokens = 1;
    std::vector<float> seconds;      ///< by directed link: bytes over capacity at `tokens`
    std::vector<float> phase_ratio;  ///< empty until asked for
    double peak_s = 0;
  };
  Load& at(const decode::StepInput&);
  void makePhases(Load&);
  [[nodiscard]] decode::StepInput inputOf(const Load&) const;

  std::shared_ptr<const decode::StepModel> model_;
  std::shared_ptr<const TopologyView> view_;
  std::vector<Load> loads_;  ///< a few, the most recently made last
};

}  // namespace decodescope::engine
