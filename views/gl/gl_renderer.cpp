#include "gl/gl_renderer.h"

#include "gl/gl_instances.h"

#include <QFile>
#include <QOpenGLContext>
#include <QOpenGLFunctions_3_3_Core>
#include <QOpenGLShaderProgram>
#include <QOpenGLVersionFunctionsFactory>
#include <cmath>
#include <cstddef>

// In a static library resources need a nudge.
static void initShaderResources() {
  Q_INIT_RESOURCE(shaders);
}

namespace decodescope::views {
namespace {

constexpr int kCurveSegments = 32;

QString readShader(const QString& name) {
  QFile file(QStringLiteral(":/shaders/") + name);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

const void* offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes);
}

}  // namespace

GlRenderer::GlRenderer() {
  initShaderResources();
}
GlRenderer::~GlRenderer() = default;

bool GlRenderer::compile(Kind kind, const char* name) {
  auto shader = std::make_unique<QOpenGLShaderProgram>();
  const QString base = QString::fromLatin1(name);
  const bool built =
      shader->addShaderFromSourceCode(QOpenGLShader::Vertex, readShader(base + QStringLiteral(".vert"))) &&
      shader->addShaderFromSourceCode(QOpenGLShader::Fragment, readShader(base + QStringLiteral(".frag"))) &&
      shader->link();
  if (!built) error_ = QStringLiteral("shader %1: %2").arg(base, shader->log().trimmed());
  programs_[kind].shader = std::move(shader);
  return built;
}

bool GlRenderer::initialize() {
  release();
  QOpenGLContext* context = QOpenGLContext::currentContext();
  functions_ = context ? QOpenGLVersionFunctionsFactory::get<QOpenGLFunctions_3_3_Core>(context) : nullptr;
  if (functions_ == nullptr || !functions_->initializeOpenGLFunctions()) {
    functions_ = nullptr;
    error_ = QStringLiteral("OpenGL 3.3 core is not available");
    return false;
  }
  if (!compile(Quads, "quad") || !compile(Curves, "curve") || !compile(Labels, "label") ||
      !compile(Polygons, "polygon") || !compile(Cells, "cells")) {
    release();
    return false;
  }
  for (Program& program : programs_) {
    functions_->glGenVertexArrays(1, &program.vertex_array);
    functions_->glGenBuffers(1, &program.buffer);
  }
  setupAttributes();
  for (unsigned* texture : {&atlas_texture_, &cells_texture_}) {
    functions_->glGenTextures(1, texture);
    functions_->glBindTexture(GL_TEXTURE_2D, *texture);
    for (const GLenum parameter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
      functions_->glTexParameteri(GL_TEXTURE_2D, parameter, GL_NEAREST);
    for (const GLenum parameter : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
      functions_->glTexParameteri(GL_TEXTURE_2D, parameter, GL_CLAMP_TO_EDGE);
  }
  functions_->glBindTexture(GL_TEXTURE_2D, atlas_texture_);
  functions_->glTexImage2D(GL_TEXTURE_2D, 0, GL_RG8, LabelAtlas::kWidth, LabelAtlas::kHeight, 0, GL_RG,
                           GL_UNSIGNED_BYTE, nullptr);
  return true;
}

void GlRenderer::release() {
  if (functions_ == nullptr) return;
  for (Program& program : programs_) {
    if (program.vertex_array != 0) functions_->glDeleteVertexArrays(1, &program.vertex_array);
    if (program.buffer != 0) functions_->glDeleteBuffers(1, &program.buffer);
    program = {};
  }
  for (unsigned* texture : {&atlas_texture_, &cells_texture_}) {
    if (*texture != 0) functions_->glDeleteTextures(1, texture);
    *texture = 0;
  }
  functions_ = nullptr;
}

void GlRenderer::setupAttributes() {
  for (const Kind kind : {Quads, Curves, Labels, Polygons}) {
    functions_->glBindVertexArray(programs_[kind].vertex_array);
    functions_->glBindBuffer(GL_ARRAY_BUFFER, programs_[kind].buffer);
    const bool instanced = kind != Polygons;
    const int stride = instanced ? int(sizeof(GlInstance)) : int(sizeof(GlVertex));
    const auto attribute = [&](unsigned location, int count, GLenum type, std::size_t at) {
      functions_->glEnableVertexAttribArray(location);
      functions_->glVertexAttribPointer(location, count, type, type == GL_UNSIGNED_BYTE, stride, offset(at));
      functions_->glVertexAttribDivisor(location, instanced ? 1 : 0);
    };
    if (!instanced) {
      attribute(0, 2, GL_FLOAT, offsetof(GlVertex, x));
      attribute(1, 4, GL_UNSIGNED_BYTE, offsetof(GlVertex, color));
      continue;
    }
    attribute(0, 4, GL_FLOAT, offsetof(GlInstance, a));
    attribute(1, 4, GL_FLOAT, offsetof(GlInstance, b));
    if (kind == Curves) attribute(2, 4, GL_FLOAT, offsetof(GlInstance, c));
    attribute(kind == Curves ? 3 : 2, 4, GL_UNSIGNED_BYTE, offsetof(GlInstance, ink));
    if (kind != Curves) attribute(3, 4, GL_UNSIGNED_BYTE, offsetof(GlInstance, second));
  }
  functions_->glBindVertexArray(0);
}

void GlRenderer::setTheme(const Theme& theme, double pixel_ratio) {
  pixel_ratio_ = pixel_ratio;
  atlas_.setTheme(theme, pixel_ratio);
}

void GlRenderer::begin(Kind kind) {
  QOpenGLShaderProgram& shader = *programs_[kind].shader;
  shader.bind();
  shader.setUniformValue("view_px", float(size_.width()), float(size_.height()));
  shader.setUniformValue("pixel_ratio", float(pixel_ratio_));
  functions_->glBindVertexArray(programs_[kind].vertex_array);
}

void GlRenderer::upload(Kind kind, const void* data, std::size_t bytes) {
  functions_->glBindBuffer(GL_ARRAY_BUFFER, programs_[kind].buffer);
  functions_->glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(bytes), data, GL_STREAM_DRAW);
}

void GlRenderer::draw(const scene::DrawList& list, QSize size) {
  if (!isReady()) return;
  size_ = size;
  functions_->glDisable(GL_DEPTH_TEST);
  functions_->glDisable(GL_CULL_FACE);
  functions_->glDisable(GL_SCISSOR_TEST);
  functions_->glEnable(GL_BLEND);
  functions_->glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  functions_->glClearColor(float(list.background.r) / 255, float(list.background.g) / 255,
                           float(list.background.b) / 255, 1);
  functions_->glClear(GL_COLOR_BUFFER_BIT);
  drawLayer(list);
  functions_->glDisable(GL_SCISSOR_TEST);
  functions_->glDisable(GL_BLEND);
  functions_->glBindVertexArray(0);
  functions_->glUseProgram(0);
}

void GlRenderer::drawLayer(const scene::DrawList& list) {
  if (list.clip.width > 0) {
    const double ratio = pixel_ratio_;
    functions_->glEnable(GL_SCISSOR_TEST);
    functions_->glScissor(int(std::floor(double(list.clip.x) * ratio)),
                          int(std::floor((size_.height() - double(list.clip.bottom())) * ratio)),
                          int(std::ceil(double(list.clip.width) * ratio)),
                          int(std::ceil(double(list.clip.height) * ratio)));
  } else {
    functions_->glDisable(GL_SCISSOR_TEST);
  }
  drawGrids(list.grids);
  drawQuads(list.quads);
  drawPolygons(list.polygons);
  drawCurves(list.curves);
  drawQuads(list.overlays);
  drawLabels(list.labels);
  for (const scene::DrawList& layer : list.layers) drawLayer(layer);
}

void GlRenderer::drawQuads(const std::vector<scene::Quad>& quads) {
  if (quads.empty()) return;
  const std::vector<GlInstance> instances = quadInstances(quads);
  begin(Quads);
  upload(Quads, instances.data(), instances.size() * sizeof(GlInstance));
  functions_->glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, GLsizei(instances.size()));
}

void GlRenderer::drawCurves(const std::vector<scene::Curve>& curves) {
  if (curves.empty()) return;
  const std::vector<GlInstance> instances = curveInstances(curves);
  begin(Curves);
  upload(Curves, instances.data(), instances.size() * sizeof(GlInstance));
  programs_[Curves].shader->setUniformValue("segments", kCurveSegments);
  functions_->glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 2 * (kCurveSegments + 1),
                                    GLsizei(instances.size()));
}

void GlRenderer::drawPolygons(const std::vector<scene::Polygon>& polygons) {
  if (polygons.empty()) return;
  const std::vector<GlVertex> vertices = polygonVertices(polygons);
  begin(Polygons);
  upload(Polygons, vertices.data(), vertices.size() * sizeof(GlVertex));
  functions_->glDrawArrays(GL_TRIANGLES, 0, GLsizei(vertices.size()));
  drawCurves(polygonBorders(polygons));
}

void GlRenderer::drawGrids(const std::vector<scene::CellGrid>& grids) {
  if (grids.empty()) return;
  begin(Cells);
  functions_->glActiveTexture(GL_TEXTURE0);
  functions_->glBindTexture(GL_TEXTURE_2D, cells_texture_);
  programs_[Cells].shader->setUniformValue("cells", 0);
  functions_->glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  for (const scene::CellGrid& grid : grids) {
    if (grid.columns < 1 || grid.rows < 1 ||
        grid.cells.size() < std::size_t(grid.columns) * std::size_t(grid.rows))
      continue;
    static_assert(sizeof(scene::Color) == 4);
    functions_->glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, grid.columns, grid.rows, 0, GL_RGBA,
                             GL_UNSIGNED_BYTE, grid.cells.data());
    programs_[Cells].shader->setUniformValue("rect", grid.rect.x, grid.rect.y, grid.rect.width,
                                             grid.rect.height);
    functions_->glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  }
}

void GlRenderer::uploadAtlas() {
  functions_->glActiveTexture(GL_TEXTURE0);
  functions_->glBindTexture(GL_TEXTURE_2D, atlas_texture_);
  functions_->glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  for (const LabelAtlas::Patch& patch : atlas_.takePatches()) {
    functions_->glTexSubImage2D(GL_TEXTURE_2D, 0, patch.rect.x(), patch.rect.y(), patch.rect.width(),
                                patch.rect.height(), GL_RG, GL_UNSIGNED_BYTE, patch.bytes.data());
  }
  functions_->glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

void GlRenderer::drawLabels(const std::vector<scene::Label>& labels) {
  if (labels.empty()) return;
  std::vector<GlInstance> instances = labelInstances(labels, atlas_, pixel_ratio_);
  begin(Labels);
  uploadAtlas();
  programs_[Labels].shader->setUniformValue("atlas", 0);
  upload(Labels, instances.data(), instances.size() * sizeof(GlInstance));
  functions_->glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, GLsizei(instances.size()));
}

}  // namespace decodescope::views
