package io.peerlens.alert;

import io.peerlens.api.model.TextSpan;
import java.util.ArrayList;
import java.util.List;

/** A text that grows, with the places that are written bold. */
public final class Sentence {

  private final StringBuilder text = new StringBuilder();
  private final List<TextSpan> strong = new ArrayList<>();

  public Sentence add(String more) {
    text.append(more);
    return this;
  }

  public Sentence strong(String more) {
    int from = text.length();
    text.append(more);
    strong.add(new TextSpan(from, text.length()));
    return this;
  }

  /** What was said already, in its own words. */
  void take(Finding.Explained explained) {
    text.append(explained.text());
    strong.addAll(explained.strong());
  }

  public int words() {
    return words(text.toString());
  }

  public static int words(String text) {
    return text.isBlank() ? 0 : text.strip().split("\\s+").length;
  }

  public String text() {
    return text.toString();
  }

  public List<TextSpan> strong() {
    return List.copyOf(strong);
  }
}
