#version 330 core
uniform vec4 rect;
uniform vec2 view_px;
out vec2 texel;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 at_px = rect.xy + corner * rect.zw;
  texel = corner;
  gl_Position = vec4(at_px.x / view_px.x * 2.0 - 1.0, 1.0 - at_px.y / view_px.y * 2.0, 0.0, 1.0);
}
