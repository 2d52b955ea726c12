# decodescope_views: the widgets. One source per line.
add_library(decodescope_views STATIC
  base/app_style.cpp
  base/format.cpp
  base/icons.cpp
  base/parse_value.cpp
  base/pick_selection.cpp
  base/style_sheet.cpp
  base/theme.cpp
  base/view_switch.cpp
  charts/axis_range.cpp
  charts/chart_canvas.cpp
  charts/chart_panel.cpp
  charts/decimate.cpp
  charts/latency_charts.cpp
  charts/latency_dock.cpp
  charts/latency_history.cpp
  charts/latency_table_model.cpp
  controls/accessible_slider.cpp
  controls/choice_row.cpp
  controls/collapsible_section.cpp
  controls/control_panel.cpp
  controls/control_row.cpp
  controls/parameter_row.cpp
  controls/parameter_slider.cpp
  controls/quantity_spin_box.cpp
  controls/scale_map.cpp
  controls/sparkline.cpp
  controls/status_sentence.cpp
  controls/switch_row.cpp
  gl/gl_canvas.cpp
  gl/gl_instances.cpp
  gl/gl_renderer.cpp
  gl/label_atlas.cpp
  gl/renderer_probe.cpp
  heat/heat_panel.cpp
  history/history_scrubber.cpp
  paint/draw_list_painter.cpp
  paint/painter_canvas.cpp
  paint/picture_export.cpp
  paint/scene_canvas.cpp
  paint/text_measure.cpp
  panels/assumptions_list.cpp
  panels/event_log.cpp
  panels/event_log_model.cpp
  panels/explain_model.cpp
  panels/explain_view.cpp
  panels/fix_list.cpp
  panels/headline.cpp
  panels/headline_strip.cpp
  panels/headline_tile.cpp
  panels/identity.cpp
  panels/identity_card.cpp
  panels/inspector.cpp
  panels/link_bars.cpp
  panels/mini_history.cpp
  panels/share_delegate.cpp
  panels/status_chips.cpp
  plots/plot_panel.cpp
  rack/rack_page.cpp
  triangle/gain_table.cpp
  triangle/triangle_page.cpp
  triangle/triangle_panel.cpp
  ${PROJECT_SOURCE_DIR}/resources/shaders/shaders.qrc
  ${PROJECT_SOURCE_DIR}/resources/resources.qrc)
target_include_directories(decodescope_views PUBLIC ${PROJECT_SOURCE_DIR}/views)
target_link_libraries(decodescope_views
  PUBLIC decodescope_scene Qt6::Widgets Qt6::OpenGLWidgets Qt6::OpenGL Qt6::Charts Qt6::Svg
  PRIVATE decodescope_options)
target_compile_definitions(decodescope_views PUBLIC
  QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_KEYWORDS QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_NO_FOREACH
  QT_DISABLE_DEPRECATED_BEFORE=0x060400)
# moc of Qt 6.4 cannot read the concepts of the standard library, which it follows when it knows the language version.
set_target_properties(decodescope_views PROPERTIES AUTOMOC ON AUTORCC ON AUTOMOC_COMPILER_PREDEFINES OFF)
