#include <decodescope/prediction.h>

#include <algorithm>

namespace decodescope {

std::string_view stepPartLabel(StepPart part) {
  switch (part) {
    case StepPart::WeightsHbm:
      return "Weights from HBM";
    case StepPart::KvHbm:
      return "KV cache from HBM";
    case StepPart::Math:
      return "Math";
    case StepPart::Launch:
      return "Launch";
    case StepPart::Collectives:
      return "Collectives";
    case StepPart::Wait:
      return "Waiting for the slowest";
    case StepPart::Host:
      return "Host";
    case StepPart::Throttle:
      return "Throttling";
    case StepPart::Overlap:
      return "Overlap (credit)";
  }
  return "";
}

StepPart StepBreakdown::largest() const {
  return static_cast<StepPart>(std::max_element(part_s.begin(), part_s.end()) - part_s.begin());
}

}  // namespace decodescope
