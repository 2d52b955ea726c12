#version 330 core
in vec2 texel;
uniform sampler2D cells;
out vec4 color;

void main() {
  vec4 cell = texture(cells, texel);
  color = vec4(cell.rgb * cell.a, cell.a);
}
