// --screenshot: simulate, render one view, write the file, leave. Works without a display.
#pragma once

#include "app/options.h"

namespace decodescope::app {

/// Runs the event loop until the picture is written; the program's exit code.
[[nodiscard]] int takeScreenshot(const Options& options);

}  // namespace decodescope::app
