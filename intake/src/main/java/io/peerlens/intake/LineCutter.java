package io.peerlens.intake;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cutter of line protocol: at line ends that are not within the text of a field. */
final class LineCutter {

  private final byte[] b;

  /** Bytes that were read in vain behind quotes that nothing closes; bounded as the body is. */
  private long overrun;

  private LineCutter(byte[] body) {
    this.b = body;
  }

  /**
   * Pieces of at most {@code limit} bytes.
   *
   * @throws Refusal when a line is longer
   */
  static List<Piece> cut(byte[] key, byte[] body, int limit) throws Refusal {
    if (body.length <= limit) {
      return isBlank(body) ? List.of() : List.of(new Piece(key, body));
    }
    return new LineCutter(body).cut(key, limit);
  }

  private List<Piece> cut(byte[] key, int limit) throws Refusal {
    List<Piece> pieces = new ArrayList<>();
    int from = 0;
    int good = 0;
    int line = 1;
    int at = 0;
    while (at < b.length) {
      int next = lineEnd(at) + 1;
      if (next - from > limit) {
        if (good > from) {
          pieces.add(new Piece(key, Arrays.copyOfRange(b, from, good)));
          from = good;
        }
        if (next - from > limit) {
          throw Refusal.tooLarge(
              "Line %d has %,d bytes; a line may have %,d."
                  .formatted(line, next - 1 - from, limit));
        }
      }
      good = Math.min(next, b.length);
      at = next;
      line++;
    }
    pieces.add(new Piece(key, Arrays.copyOfRange(b, from, b.length)));
    return pieces;
  }

  private static boolean isBlank(byte[] body) {
    for (byte b : body) {
      if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
        return false;
      }
    }
    return true;
  }

  /** Place of the line end; the length of the body when it has none. */
  private int lineEnd(int from) {
    int first = from;
    while (first < b.length && b[first] != '\n') {
      first++;
    }
    if (b[from] == '#' || overrun > b.length) {
      return first;
    }
    boolean fields = false;
    boolean text = false;
    int i = from;
    while (i < b.length) {
      byte c = b[i];
      if (c == '\\') {
        // A line end is none of the characters that can be escaped outside of texts.
        i += !text && i + 1 < b.length && b[i + 1] == '\n' ? 1 : 2;
        continue;
      }
      if (text) {
        text = c != '"';
      } else if (c == '\n') {
        return i;
      } else if (c == ' ') {
        fields = true;
      } else if (c == '"' && fields && b[i - 1] == '=') {
        text = true;
      }
      i++;
    }
    if (text) { // a quote that is left open must not cost the lines after it
      overrun += b.length - first;
      return first;
    }
    return b.length;
  }
}
