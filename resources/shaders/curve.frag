#version 330 core
in float side_px;
in float along_px;
flat in vec4 style;
flat in vec4 ink_color;
uniform float pixel_ratio;
out vec4 color;

float soft(float depth_px) { return clamp(depth_px * pixel_ratio + 0.5, 0.0, 1.0); }

// Inside the first `on` pixels of every `on + off`.
float dashed(float on, float off) {
  float m = mod(along_px + style.z, on + off);
  return min(soft(min(m, on - m)) + soft(m - on - off), 1.0);
}

void main() {
  float width = style.x;
  float inside = soft(width * 0.5 - abs(side_px));
  if (style.y > 3.5) {
    // Two rails with cross-ties, standing still: the line is jammed.
    float rail = max(1.0, width / 3.6);
    float rails = inside * soft(abs(side_px) - (width * 0.5 - rail));
    float m = mod(along_px, rail + 9.0);
    float ties = soft(width * 0.625 - abs(side_px)) * soft(min(m, rail - m));
    inside = max(rails, ties);
  } else if (style.y > 2.5) {
    inside *= dashed(5.0, 3.0);
  } else if (style.y > 1.5) {
    inside *= dashed(11.0, 4.0);
  } else if (style.y > 0.5) {
    inside *= dashed(1.5, 3.0);
  }
  float alpha = ink_color.a * inside;
  color = vec4(ink_color.rgb * alpha, alpha);
}
