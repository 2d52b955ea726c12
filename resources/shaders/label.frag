#version 330 core
in vec2 texel;
flat in vec4 ink_color;
flat in vec4 halo_color;
uniform sampler2D atlas;
out vec4 color;

void main() {
  vec2 coverage = texelFetch(atlas, ivec2(floor(texel)), 0).rg;
  float letters = coverage.r * ink_color.a;
  float around = coverage.g * halo_color.a * (1.0 - letters);
  color = vec4(ink_color.rgb * letters + halo_color.rgb * around, letters + around);
}
