// Sliders speak their value with its unit ("131,072 tokens"), not their position.
#pragma once

namespace decodescope::views {

class ParameterSlider;

/// Once per program; later calls do nothing.
void installSliderAccessibility();
/// Tells a screen reader, if one listens, that the value changed.
void announceSliderValue(ParameterSlider* slider);

}  // namespace decodescope::views
