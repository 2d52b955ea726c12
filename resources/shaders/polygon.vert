#version 330 core
layout(location = 0) in vec2 at_px;
layout(location = 1) in vec4 fill;
uniform vec2 view_px;
out vec4 fill_color;

void main() {
  fill_color = fill;
  gl_Position = vec4(at_px.x / view_px.x * 2.0 - 1.0, 1.0 - at_px.y / view_px.y * 2.0, 0.0, 1.0);
}
