package io.peerlens.words;

import io.peerlens.api.model.MomentSpan;
import io.peerlens.api.model.TextSpan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A text that grows, with the places that are written bold and those that name moments. */
public final class Sentence {

  private final StringBuilder text = new StringBuilder();
  private final List<TextSpan> strong = new ArrayList<>();
  private final List<MomentSpan> moments = new ArrayList<>();

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

  /** Appends a text with its own bold parts and moments; only to an empty sentence. */
  public void add(String more, List<TextSpan> strong, List<MomentSpan> moments) {
    text.append(more);
    this.strong.addAll(strong);
    this.moments.addAll(moments);
  }

  /** Names a moment. */
  public Sentence moment(Instant moment, String words) {
    int from = text.length();
    text.append(words);
    moments.add(new MomentSpan(from, text.length(), moment));
    return this;
  }

  /** Goes on with what another one says. */
  public Sentence add(Sentence more) {
    int shift = text.length();
    text.append(more.text);
    more.strong.forEach(
        one -> strong.add(new TextSpan(one.getStart() + shift, one.getEnd() + shift)));
    more.moments.forEach(
        one ->
            moments.add(
                new MomentSpan(one.getStart() + shift, one.getEnd() + shift, one.getTime())));
    return this;
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

  public List<MomentSpan> moments() {
    return List.copyOf(moments);
  }
}
