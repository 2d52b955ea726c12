#version 330 core
// One text per instance, already drawn into the atlas: coverage of the letters in red, of their halo in green.
layout(location = 0) in vec4 rect;
layout(location = 1) in vec4 texels;
layout(location = 2) in vec4 ink;
layout(location = 3) in vec4 halo;
uniform vec2 view_px;
out vec2 texel;
flat out vec4 ink_color;
flat out vec4 halo_color;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 at_px = rect.xy + corner * rect.zw;
  texel = mix(texels.xy, texels.zw, corner);
  ink_color = ink;
  halo_color = halo;
  gl_Position = vec4(at_px.x / view_px.x * 2.0 - 1.0, 1.0 - at_px.y / view_px.y * 2.0, 0.0, 1.0);
}
