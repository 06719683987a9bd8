package io.peerlens.alert;

import io.peerlens.api.model.TextSpan;
import java.util.ArrayList;
import java.util.List;

/** A text that grows, with the places that are written bold. */
final class Sentence {

  private final StringBuilder text = new StringBuilder();
  private final List<TextSpan> strong = new ArrayList<>();

  Sentence add(String more) {
    text.append(more);
    return this;
  }

  Sentence strong(String more) {
    int from = text.length();
    text.append(more);
    strong.add(new TextSpan(from, text.length()));
    return this;
  }

  int words() {
    return words(text.toString());
  }

  static int words(String text) {
    return text.isBlank() ? 0 : text.strip().split("\\s+").length;
  }

  String text() {
    return text.toString();
  }

  List<TextSpan> strong() {
    return List.copyOf(strong);
  }
}
