package io.peerlens.report.picture;

import io.peerlens.report.picture.Mark.Side;
import io.peerlens.report.picture.Mark.Words;
import io.peerlens.report.picture.PanelPicture.Strip;
import java.util.ArrayList;
import java.util.List;

/**
 * Sheet that a panel is drawn on: how wide it is, the sizes that all panels share, and what stands
 * on it so far. For one thread.
 */
final class Sheet {

  /** Letters of what a panel says. */
  static final double SIZE = 8.5;

  /** Letters of what belongs to it. */
  static final double SMALL = 7.5;

  /** Room between a text and what is beside it. */
  static final double PAD = 4;

  /** Height of a row with one line. */
  static final double ROW = 14;

  /** Base line of the first line of a row. */
  static final double BASE = 10;

  /** From one line of a row to the next. */
  static final double LEADING = 10.5;

  /** A text in a row has no more lines. */
  static final int MOST_LINES = 8;

  private static final int MOST_LINES_OF_PARAGRAPH = 200;

  private final double width;
  private final TextWidths widths = new TextWidths();
  private final List<Strip> head = new ArrayList<>();
  private final List<Strip> strips = new ArrayList<>();

  Sheet(double width) {
    this.width = width;
  }

  double width() {
    return width;
  }

  TextWidths widths() {
    return widths;
  }

  /** A strip that each page begins with. */
  void addToHead(Strip strip) {
    head.add(strip);
  }

  void add(Strip strip) {
    strips.add(strip);
  }

  void paragraph(String text, double size, boolean bold, Ink ink) {
    strips.addAll(lines(text, size, bold, ink, MOST_LINES_OF_PARAGRAPH));
  }

  /** Why there is nothing else, in some lines. */
  void failure(String reason) {
    strips.addAll(lines(reason, SIZE, false, Ink.CRITICAL, MOST_LINES));
  }

  /** What is said in the place of something that there is not. */
  void remark(String text) {
    paragraph(text, SIZE, false, Ink.FAINT);
  }

  /** What a reader has to know of the marks around it. */
  void caption(String text) {
    paragraph(text, SMALL, false, Ink.FAINT);
  }

  /** A title of what follows, on the same page. */
  void title(String text, double size, boolean bold, Ink ink) {
    lines(text, size, bold, ink, MOST_LINES_OF_PARAGRAPH)
        .forEach(line -> strips.add(line.keptWithNext()));
  }

  private List<Strip> lines(String text, double size, boolean bold, Ink ink, int most) {
    return widths.lines(text, size, bold, width - 2 * PAD, most).stream()
        .map(
            line ->
                new Strip(
                    size + 4,
                    List.of(new Words(PAD, size + 1, line, size, bold, ink, Side.RIGHT_OF))))
        .toList();
  }

  boolean isBlank() {
    return head.isEmpty() && strips.isEmpty();
  }

  PanelPicture picture(String title, List<String> notes) {
    return new PanelPicture(title, width, head, strips, notes);
  }
}
