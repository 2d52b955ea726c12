#version 330 core
in vec4 fill_color;
out vec4 color;

void main() { color = vec4(fill_color.rgb * fill_color.a, fill_color.a); }
