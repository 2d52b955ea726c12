// Draw lists by OpenGL 3.3 core into whatever framebuffer is bound: one instanced call per kind of primitive
// and layer. Knows no widget, so that tests and the probe can use it on an offscreen framebuffer.
#pragma once

#include "base/theme.h"
#include "gl/label_atlas.h"
#include "scene/draw_list.h"

#include <QSize>
#include <QString>
#include <array>
#include <memory>
#include <vector>

class QOpenGLFunctions_3_3_Core;
class QOpenGLShaderProgram;

namespace decodescope::views {

class GlRenderer {
 public:
  GlRenderer();
  ~GlRenderer();  ///< call release() before, with the context current

  /// Compiles programs and makes buffers in the current context; releases what it had first. False: see
  /// error().
  bool initialize();
  void release();
  [[nodiscard]] bool isReady() const { return functions_ != nullptr; }
  [[nodiscard]] const QString& error() const { return error_; }

  void setTheme(const Theme& theme, double pixel_ratio);
  /// `size` in logical pixels.
  void draw(const scene::DrawList& list, QSize size);

 private:
  enum Kind { Quads, Curves, Labels, Polygons, Cells, kKindCount };
  struct Program {
    std::unique_ptr<QOpenGLShaderProgram> shader;
    unsigned vertex_array = 0, buffer = 0;
  };

  bool compile(Kind kind, const char* name);
  void setupAttributes();
  void drawLayer(const scene::DrawList& list);
  void drawQuads(const std::vector<scene::Quad>& quads);
  void drawCurves(const std::vector<scene::Curve>& curves);
  void drawPolygons(const std::vector<scene::Polygon>& polygons);
  void drawGrids(const std::vector<scene::CellGrid>& grids);
  void drawLabels(const std::vector<scene::Label>& labels);
  void uploadAtlas();
  void begin(Kind kind);
  void upload(Kind kind, const void* data, std::size_t bytes);

  QOpenGLFunctions_3_3_Core* functions_ = nullptr;
  std::array<Program, kKindCount> programs_;
  unsigned atlas_texture_ = 0, cells_texture_ = 0;
  LabelAtlas atlas_;
  QSize size_;
  double pixel_ratio_ = 1;
  QString error_;
};

}  // namespace decodescope::views
