#version 330 core
// One rectangle per instance, one pixel larger on every side for its soft edge.
layout(location = 0) in vec4 rect;
layout(location = 1) in vec4 look;    // border width, radius, hatch, -
layout(location = 2) in vec4 fill;
layout(location = 3) in vec4 border;
uniform vec2 view_px;
out vec2 at_px;
flat out vec4 box_px;
flat out vec4 style;
flat out vec4 fill_color;
flat out vec4 border_color;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  at_px = rect.xy - 1.0 + corner * (rect.zw + 2.0);
  box_px = rect;
  style = look;
  fill_color = fill;
  border_color = border;
  gl_Position = vec4(at_px.x / view_px.x * 2.0 - 1.0, 1.0 - at_px.y / view_px.y * 2.0, 0.0, 1.0);
}
