package io.peerlens.run.reading;

import org.jspecify.annotations.Nullable;

/**
 * Theoretical maximum of what was tested: a number of one part, such as the IOPS of a drive by its
 * data sheet, times how many there are.
 *
 * @param figure that it limits, such as {@code iops}
 * @param part what there are several of, such as {@code drives}
 * @param each of one part, in the figure's unit ({@code IO/s}, {@code B/s}); above 0
 * @param count how many there are, above 0
 */
public record TheoreticalMaximum(String figure, String part, double each, int count) {

  /**
   * @throws IllegalArgumentException when the maximum is not above 0
   */
  public TheoreticalMaximum {
    if (!(each > 0) || !Double.isFinite(each * count) || count < 1) {
      throw new IllegalArgumentException(
          "No theoretical maximum of %d x %s; both have to be above 0".formatted(count, each));
    }
  }

  /** The maximum, in the figure's unit. */
  public double total() {
    return each * count;
  }

  /**
   * What a run or a reading has of the maximum.
   *
   * @param value null = not known
   * @param percent null = not known; more than 100 = the maximum is not one, or a cache answered
   */
  public record Share(
      TheoreticalMaximum maximum, @Nullable Double value, @Nullable Double percent) {

    /** 88 % of the theoretical 228,000 IOPS, 6 drives of 38,000. */
    public String sentence() {
      String unit = Wording.unit(maximum.figure);
      String whole =
          "the theoretical %s, %s of %s"
              .formatted(
                  Wording.value(maximum.total(), unit),
                  Wording.number(maximum.count) + " " + maximum.part,
                  Wording.value(maximum.each, unit).replace(" IOPS", ""));
      if (percent == null) {
        return "The share of " + whole + ", is not known.";
      }
      return Wording.sentence(Wording.share(percent))
          + " of "
          + whole
          + (percent > 100 ? "; more than it: the maximum is too low, or a cache answered." : ".");
    }
  }

  /**
   * The share of a value.
   *
   * @param value in the figure's unit; null or not finite = not known
   */
  public Share share(@Nullable Double value) {
    Double percent = value == null || value < 0 ? null : Wording.finite(100 * value / total());
    return new Share(this, percent == null ? null : value, percent);
  }
}
