#version 330 core
in vec2 at_px;
flat in vec4 box_px;
flat in vec4 style;
flat in vec4 fill_color;
flat in vec4 border_color;
uniform float pixel_ratio;
out vec4 color;

const float hatch_pitch_px = 9.0;
const float hatch_width_px = 1.6;

// Signed distance to a rounded box, after Inigo Quilez, "2D distance functions".
float distanceToBox(vec2 p, vec2 half_size, float radius) {
  vec2 q = abs(p) - half_size + radius;
  return min(max(q.x, q.y), 0.0) + length(max(q, 0.0)) - radius;
}

float hatchLine(float along) {
  float m = mod(along, hatch_pitch_px);
  float away = min(m, hatch_pitch_px - m) * 0.70710678;
  return clamp((hatch_width_px * 0.5 - away) * pixel_ratio + 0.5, 0.0, 1.0);
}

void main() {
  vec2 half_size = box_px.zw * 0.5;
  float radius = min(style.y, min(half_size.x, half_size.y));
  float distance_px = distanceToBox(at_px - box_px.xy - half_size, half_size, radius);
  float inside = clamp(0.5 - distance_px * pixel_ratio, 0.0, 1.0);
  if (inside <= 0.0) discard;
  vec4 base = fill_color;
  if (style.z > 0.5) {
    float line = hatchLine(at_px.x + at_px.y);
    if (style.z > 1.5) line = max(line, hatchLine(at_px.x - at_px.y));
    float grey = dot(base.rgb, vec3(0.34375, 0.5, 0.15625));
    vec3 ink = grey > 0.431 ? vec3(0.0) : vec3(1.0);
    base.rgb = mix(base.rgb, ink, line * 0.745);
  }
  float on_border = style.x > 0.0 ? clamp((distance_px + style.x) * pixel_ratio + 0.5, 0.0, 1.0) * border_color.a : 0.0;
  float alpha = mix(base.a, 1.0, on_border);
  vec3 mixed = base.a > 0.0 ? mix(base.rgb, border_color.rgb, on_border) : border_color.rgb;
  color = vec4(mixed * alpha, alpha) * inside;
}
