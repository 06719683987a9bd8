package io.peerlens.report.picture;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Widths of texts, and where lines are broken. For one thread. */
final class TextWidths implements TextMeasure {

  private static final FontRenderContext CONTEXT = new FontRenderContext(null, true, true);

  private static final int MEASURED = 1000;

  private record Face(double size, boolean bold) {}

  private final Map<Face, Font> fonts = new HashMap<>();

  /** The font of a text. */
  static Font font(double size, boolean bold) {
    return new Font(Font.SANS_SERIF, bold ? Font.BOLD : Font.PLAIN, 1).deriveFont((float) size);
  }

  @Override
  public double of(String text, double size, boolean bold) {
    Font font = fonts.computeIfAbsent(new Face(size, bold), face -> font(size, bold));
    if (text.length() > MEASURED) {
      // No line is as long; nobody sees the difference.
      return of(text.substring(0, MEASURED), size, bold) * text.length() / MEASURED;
    }
    return text.isEmpty() ? 0 : font.getStringBounds(text, CONTEXT).getWidth();
  }

  /** The text, or as much of its begin as has room, with an ellipsis. */
  String fit(String text, double size, boolean bold, double width) {
    if (of(text, size, bold) <= width) {
      return text;
    }
    return text.substring(0, fitting(text, "…", size, bold, width)) + "…";
  }

  /** How many characters of a text have room, with an end; half of a pair counts as none. */
  private int fitting(String text, String end, double size, boolean bold, double width) {
    int low = 0;
    int high = text.length();
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (of(text.substring(0, middle) + end, size, bold) <= width) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low > 0 && low < text.length() && Character.isHighSurrogate(text.charAt(low - 1))
        ? low - 1
        : low;
  }

  /** Behind the last of the marks that names are made of, unless the line would be very short. */
  private static int behindMark(String word, int end) {
    for (int i = end; i > end / 2 && i < word.length(); i--) {
      if ("-_./\\|:,;@".indexOf(word.charAt(i - 1)) >= 0) {
        return i;
      }
    }
    return end;
  }

  /** Width of the longest word of a text. */
  double longestWord(String text, double size, boolean bold) {
    double longest = 0;
    for (String word : text.strip().split("\\s+", -1)) {
      longest = Math.max(longest, of(word, size, bold));
    }
    return longest;
  }

  /** The lines of a text; a word that has no room in a line is broken. */
  List<String> lines(String text, double size, boolean bold, double width, int most) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split("\\s+", -1)) {
      if (lines.size() > most) {
        break; // what is beyond is not shown
      }
      String rest = word;
      if (!line.isEmpty() && of(line + " " + rest, size, bold) > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      while (lines.size() <= most
          && line.isEmpty()
          && of(rest, size, bold) > width
          && rest.length() > 1) {
        int end =
            behindMark(
                rest,
                Math.max(fitting(rest, "", size, bold, width), rest.offsetByCodePoints(0, 1)));
        lines.add(rest.substring(0, end));
        rest = rest.substring(end);
      }
      line.append(line.isEmpty() ? "" : " ").append(rest);
    }
    if (!line.isEmpty() || lines.isEmpty()) {
      lines.add(line.toString());
    }
    if (lines.size() <= most) {
      return lines;
    }
    List<String> some = new ArrayList<>(lines.subList(0, most));
    some.set(most - 1, fit(some.get(most - 1) + " …", size, bold, width));
    return some;
  }
}
