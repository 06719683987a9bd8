package io.peerlens.report.picture;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is drawn of a panel, from top to bottom. A page may end between two strips.
 *
 * @param width in points
 * @param head strips that each page begins with, such as the titles of columns
 * @param notes what a reader has to know
 */
public record PanelPicture(
    String title, double width, List<Strip> head, List<Strip> strips, List<String> notes) {

  public PanelPicture {
    head = List.copyOf(head);
    strips = List.copyOf(strips);
    notes = List.copyOf(notes);
  }

  /**
   * A part that stays in one piece.
   *
   * @param height in points
   * @param marks measured from its upper left corner
   * @param withNext whether the strip that follows belongs on the same page, as what a title is of
   * @param head what a page that begins with this strip has above it; null = the head of the
   *     picture
   */
  record Strip(double height, List<Mark> marks, boolean withNext, @Nullable Strip head) {
    Strip {
      marks = List.copyOf(marks);
    }

    Strip(double height, List<Mark> marks) {
      this(height, marks, false, null);
    }

    Strip keptWithNext() {
      return new Strip(height, marks, true, head);
    }

    Strip under(Strip titles) {
      return new Strip(height, marks, withNext, titles);
    }
  }

  /** Height of all strips of a list. */
  static double height(List<Strip> strips) {
    return strips.stream().mapToDouble(Strip::height).sum();
  }

  /** Height of a strip and of those that belong on the same page. */
  static double together(List<Strip> strips, int first) {
    int end = first;
    while (end < strips.size() - 1 && strips.get(end).withNext()) {
      end++;
    }
    return height(strips.subList(first, Math.min(end + 1, strips.size())));
  }

  /** All texts, from top to bottom, for tests and for readers that cannot see. */
  public List<String> texts() {
    return Stream.concat(head.stream(), strips.stream())
        .flatMap(strip -> strip.marks().stream())
        .flatMap(
            mark -> mark instanceof Mark.Words words ? Stream.of(words.text()) : Stream.empty())
        .toList();
  }
}
