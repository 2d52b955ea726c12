#version 330 core
// One cubic Bezier curve per instance, as a strip that knows its length so far.
layout(location = 0) in vec4 start;   // from, control 1
layout(location = 1) in vec4 finish;  // control 2, to
layout(location = 2) in vec4 look;    // width, dash, phase, -
layout(location = 3) in vec4 ink;
uniform vec2 view_px;
uniform int segments;
out float side_px;
out float along_px;
flat out vec4 style;
flat out vec4 ink_color;

vec2 pointAt(float t) {
  float u = 1.0 - t;
  return u * u * u * start.xy + 3.0 * u * u * t * start.zw + 3.0 * u * t * t * finish.xy + t * t * t * finish.zw;
}

void main() {
  int step = gl_VertexID >> 1;
  float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
  vec2 here = start.xy;
  vec2 before = here;
  float length_px = 0.0;
  for (int i = 1; i <= step; ++i) {
    before = here;
    here = pointAt(float(i) / float(segments));
    length_px += distance(here, before);
  }
  vec2 after = pointAt(float(min(step + 1, segments)) / float(segments));
  vec2 along = after - before;
  float size = length(along);
  vec2 direction = size > 1e-4 ? along / size : vec2(1.0, 0.0);
  float reach = look.x * (look.y > 3.5 ? 0.625 : 0.5) + 1.0;
  vec2 at_px = here + vec2(-direction.y, direction.x) * side * reach;
  side_px = side * reach;
  along_px = length_px;
  style = look;
  ink_color = ink;
  gl_Position = vec4(at_px.x / view_px.x * 2.0 - 1.0, 1.0 - at_px.y / view_px.y * 2.0, 0.0, 1.0);
}
