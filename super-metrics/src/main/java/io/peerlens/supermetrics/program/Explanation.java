package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.Span;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of a formula, and what it yields for one object at one moment.
 *
 * @param part what it is
 * @param at where it stands in the text of the formula
 * @param text that text, in one line and shortened
 * @param taken whether it was computed; the branch of a condition that is not chosen was not, nor
 *     what {@code &&} and {@code ||} do not need
 * @param several whether it yields several values, as only looping functions can take them
 * @param values how many values it yields; 0 or 1 unless there are several
 * @param value the only value; NaN = none, or several
 * @param reason why there is no value; null = there is, or it was not computed
 * @param match what an entry found; null = this is no entry, or it was not computed
 * @param parts it is made of, in the order of the text
 * @param truncated whether parts are left out here, because there are too many
 */
public record Explanation(
    Part part,
    Span at,
    String text,
    boolean taken,
    boolean several,
    int values,
    double value,
    @Nullable Reason reason,
    @Nullable Match match,
    List<Explanation> parts,
    boolean truncated) {

  public Explanation {
    parts = List.copyOf(parts);
  }

  /** Kind of a part of a formula. */
  public enum Part {
    NUMBER,
    ENTRY,
    OPERATOR,
    CHOICE,
    FUNCTION,
    ARRAY,
    /** A name that {@code as} gave; its part is what it stands for. */
    ALIAS
  }

  /**
   * Objects that an entry looked at.
   *
   * @param kind of the objects
   * @param key of the metric or property
   * @param attribute whether instances of the key were looked at too
   * @param depth levels down, or up if negative; 0 = the object itself or a named one
   * @param objectName name that was looked for; null = by relation
   * @param where the condition as it is written; null = none
   * @param objects how many objects there are
   * @param candidates how many values were looked for: one for each object, or for each instance
   * @param withValue how many of them have a value, text or number
   * @param leftOut how many the condition left out
   * @param notNumeric how many are texts where numbers are needed
   * @param kept how many remain
   * @param items the candidates; those that were kept come first
   * @param truncated whether there are more candidates than items
   */
  public record Match(
      ObjectKind kind,
      String key,
      boolean attribute,
      int depth,
      @Nullable String objectName,
      @Nullable String where,
      int objects,
      int candidates,
      int withValue,
      int leftOut,
      int notNumeric,
      int kept,
      List<Item> items,
      boolean truncated) {

    public Match {
      items = List.copyOf(items);
    }
  }

  /**
   * One candidate of an entry.
   *
   * @param object its id
   * @param name of the object
   * @param kind of the object, never {@code *}
   * @param level how far away it is, negative = above; 0 = the object itself or a named one
   * @param key whole key with its instance; null = the object has no instance of the attribute
   * @param value NaN = no number
   * @param text value of a property; null = it is a metric, or has no value
   * @param fresh whether the value is fresh; null = nobody asked, or there is none
   * @param time when the newest sample was taken, in milliseconds since 1970, even if it is too old
   *     to count; 0 = that is not known, or it is a property
   * @param asked other keys that the condition looked at, with their values as texts; "" = none
   * @param outcome what became of it
   */
  public record Item(
      int object,
      String name,
      ObjectKind kind,
      int level,
      @Nullable String key,
      double value,
      @Nullable String text,
      @Nullable Boolean fresh,
      long time,
      Map<String, String> asked,
      Outcome outcome) {}

  /** Fate of a candidate. */
  public enum Outcome {
    KEPT,
    /** There was no value, and the entry's {@code defval} took its place. */
    DEFAULT,
    LEFT_OUT,
    NOT_NUMERIC,
    NO_VALUE
  }
}
