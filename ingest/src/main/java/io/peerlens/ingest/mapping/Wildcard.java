package io.peerlens.ingest.mapping;

import java.util.List;

/** Text in which asterisks stand for anything. */
final class Wildcard {

  private final List<String> parts;

  Wildcard(String text) {
    parts = List.of(text.split("\\*", -1));
  }

  /**
   * Whether the whole text fits. Each part is taken at the first place behind the one before, so
   * that the time grows with the length of the text and not with the number of asterisks.
   */
  boolean fits(String text) {
    String first = parts.getFirst();
    if (parts.size() == 1) {
      return text.equals(first);
    }
    String last = parts.getLast();
    int end = text.length() - last.length();
    int at = first.length();
    if (at > end || !text.startsWith(first) || !text.endsWith(last)) {
      return false;
    }
    for (String part : parts.subList(1, parts.size() - 1)) {
      int found = text.indexOf(part, at);
      if (found < 0 || found + part.length() > end) {
        return false;
      }
      at = found + part.length();
    }
    return true;
  }
}
