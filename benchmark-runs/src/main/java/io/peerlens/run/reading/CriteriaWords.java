package io.peerlens.run.reading;

import io.peerlens.run.reading.Criterion.At;
import org.jspecify.annotations.Nullable;

/** Names of criteria and parts of their sentences. */
final class CriteriaWords {

  private CriteriaWords() {}

  /** IOPS at 1.5 ms (p95), share of the theoretical IOPS, scatter of IOPS. */
  static String name(String figure, String of, @Nullable At at) {
    String name =
        switch (figure) {
          case Criterion.SHARE -> "share of the theoretical " + Wording.figure(of);
          case Criterion.SCATTER -> "scatter of " + Wording.figure(of);
          default -> Wording.figure(figure);
        };
    return Wording.sentence(
        at == null ? name : name + " at " + ReadingWords.limit(at.limit(), at.latency()));
  }

  /** A value in the unit of the criterion: 2.3 ms; what was interpolated has three digits. */
  static String value(Criterion criterion, double value) {
    return withUnit(criterion, criterion.at() == null ? value : Wording.significant(value, 3));
  }

  /** A limit, as the file says it. */
  static String limit(Criterion criterion) {
    return withUnit(criterion, criterion.limit());
  }

  private static String withUnit(Criterion criterion, double value) {
    String unit = criterion.unit().equals("IO/s") ? "IOPS" : criterion.unit();
    return Wording.number(value) + (unit.isEmpty() ? "" : " " + unit);
  }

  /** By how much it is missed: 0.3 ms. */
  static String size(Criterion criterion, double margin) {
    return withUnit(criterion, Math.abs(Wording.significant(margin, 3)));
  }

  /** Above or below the limit: +20,000 IOPS, 11 %. */
  static String margin(Criterion criterion, double margin, @Nullable Double percent) {
    return (margin > 0 ? "+" : "")
        + withUnit(criterion, Wording.significant(margin, 3))
        + (percent == null || criterion.unit().equals("%")
            ? ""
            : ", " + Wording.rough(percent) + " %");
  }
}
