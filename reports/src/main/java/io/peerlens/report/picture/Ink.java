package io.peerlens.report.picture;

import io.peerlens.api.model.PanelState;
import io.peerlens.api.model.Severity;
import java.awt.Color;
import org.jspecify.annotations.Nullable;

/**
 * Colours of pictures: those of the pages in light, which print well. What is as it should be has
 * the colour of quantities; warm colours are for what is beyond a bound.
 */
enum Ink {
  PAPER(0xffffff),
  INK(0x171b1e),
  FAINT(0x4b5563),
  GRID(0xe2e2dc),
  ACCENT(0x006583),
  ACCENT_SOFT(0xdbedf2),
  WARNING(0xc08a00),
  WARNING_SOFT(0xf9f0d3),
  IMMEDIATE(0xcf3c00),
  IMMEDIATE_SOFT(0xfdeadd),
  CRITICAL(0xb0103a),
  CRITICAL_SOFT(0xfbe6ea),
  SERIES_1(0x006583),
  SERIES_2(0xb84300),
  SERIES_3(0x5b4bb5),
  SERIES_4(0x2f7d4f),
  SERIES_5(0x9c2f6f),
  SERIES_6(0x7d5a00);

  private static final Ink[] SERIES = {SERIES_1, SERIES_2, SERIES_3, SERIES_4, SERIES_5, SERIES_6};

  private final Color colour;

  Ink(int rgb) {
    this.colour = new Color(rgb);
  }

  Color colour() {
    return colour;
  }

  /** Of the series of a chart, which come again after six. */
  static Ink series(int number) {
    return SERIES[number % SERIES.length];
  }

  /** Of a mark; null = it has no state. */
  static Ink of(@Nullable PanelState state) {
    return switch (state) {
      case null -> ACCENT;
      case NORMAL -> ACCENT;
      case WARNING -> WARNING;
      case IMMEDIATE -> IMMEDIATE;
      case CRITICAL -> CRITICAL;
    };
  }

  /** Of what lies behind text; null = it has no state. */
  static Ink behind(@Nullable PanelState state) {
    return switch (state) {
      case null -> ACCENT_SOFT;
      case NORMAL -> ACCENT_SOFT;
      case WARNING -> WARNING_SOFT;
      case IMMEDIATE -> IMMEDIATE_SOFT;
      case CRITICAL -> CRITICAL_SOFT;
    };
  }

  /** Of what lies behind how severe something is. */
  static Ink behind(Severity severity) {
    return switch (severity) {
      case CRITICAL -> CRITICAL_SOFT;
      case IMMEDIATE -> IMMEDIATE_SOFT;
      case WARNING -> WARNING_SOFT;
      case INFORMATION -> ACCENT_SOFT;
    };
  }
}
