// Which way of drawing works here, and which is faster. Asked once, before the first window.
#pragma once

#include <QString>
#include <QSurfaceFormat>

namespace decodescope::views {

struct RendererProbe {
  bool gl_works = false;
  bool gl_is_software = false;  ///< llvmpipe and the like
  QString gl_version, gl_renderer;
  double gl_ms = 0, painter_ms = 0;  ///< of one test picture; measured only when OpenGL is software
  QString reason;                    ///< why OpenGL is or is not used by Auto
  bool prefer_gl = false;
};

/// DECODESCOPE_FORCE_GL_FAIL=1 makes OpenGL fail, for tests.
[[nodiscard]] const RendererProbe& rendererProbe();
/// Several lines for --graphics-info and the About box.
[[nodiscard]] QString rendererReport();
[[nodiscard]] QSurfaceFormat glFormat();

}  // namespace decodescope::views
