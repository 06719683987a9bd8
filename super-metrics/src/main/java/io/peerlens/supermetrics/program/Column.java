package io.peerlens.supermetrics.program;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One key of all objects of a kind, or of all instances of an attribute, at one moment. Nobody
 * changes the arrays.
 *
 * @param numbers NaN = no number
 * @param texts values of a property as text, null elements = no value; null = no object has any, as
 *     with metrics
 * @param fresh whether the last point is younger than the usual interval; null = nobody asked, or
 *     it is a property, which is always current
 * @param times when each value's sample was taken, in milliseconds since 1970; 0 = none is known. A
 *     sample that is too old to count has a time all the same, and no number. Of a sample that is
 *     known from a roll-up only, it is the end of the bucket. null = nobody knows, or it is a
 *     property
 */
public record Column(
    double[] numbers,
    @Nullable String @Nullable [] texts,
    boolean @Nullable [] fresh,
    long @Nullable [] times) {

  /** Values of which nobody knows the times. */
  public Column(double[] numbers, @Nullable String @Nullable [] texts, boolean @Nullable [] fresh) {
    this(numbers, texts, fresh, null);
  }

  /** Numbers of which nobody asks whether they are fresh. */
  public static Column of(double... numbers) {
    return new Column(numbers, null, null);
  }

  /**
   * Values of a property. A text that is a number counts as that number too; one with blanks or a
   * unit is none.
   */
  public static Column of(@Nullable String... texts) {
    double[] numbers = new double[texts.length];
    for (int i = 0; i < texts.length; i++) {
      numbers[i] = number(texts[i]);
    }
    return new Column(numbers, texts, null);
  }

  /**
   * What was computed at a moment. Where that is nothing, the time is that of the newest result
   * there was before.
   *
   * @param time of the computation, in milliseconds since 1970
   * @param before what is stored of the same key; null = nothing
   */
  static Column computed(double[] numbers, long time, @Nullable Column before) {
    long[] known = before == null ? null : before.times;
    long[] times = new long[numbers.length];
    for (int i = 0; i < times.length; i++) {
      times[i] = !Double.isNaN(numbers[i]) ? time : known == null ? 0 : known[i];
    }
    return new Column(numbers, null, null, times);
  }

  static Column none(int length) {
    double[] numbers = new double[length];
    Arrays.fill(numbers, Double.NaN);
    return new Column(numbers, null, null);
  }

  /** The number that a text is; NaN = it is none, or null. */
  public static double number(@Nullable String text) {
    if (text == null || text.isEmpty() || text.length() > 40) {
      return Double.NaN;
    }
    char first = text.charAt(0);
    if (!(first >= '0' && first <= '9') && first != '-' && first != '+' && first != '.') {
      return Double.NaN; // most texts are names
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!(c >= '0' && c <= '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E') {
        return Double.NaN;
      }
    }
    try {
      double number = Double.parseDouble(text);
      return Double.isFinite(number) ? number : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  int length() {
    return numbers.length;
  }

  boolean isPresent(int i) {
    return !Double.isNaN(numbers[i]) || isText(i);
  }

  boolean isText(int i) {
    return texts != null && texts[i] != null;
  }

  /** The value as a text: that of a property, or a number without needless digits. */
  @Nullable String text(int i) {
    if (texts != null && texts[i] != null) {
      return texts[i];
    }
    return Double.isNaN(numbers[i]) ? null : text(numbers[i]);
  }

  static String text(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString((long) number)
        : Double.toString(number);
  }

  /** When the sample of a value was taken; 0 = that is not known, or there is none. */
  public long time(int i) {
    return times == null ? 0 : times[i];
  }

  boolean isFresh(int i) {
    return isPresent(i) && (fresh == null || fresh[i]);
  }
}
