package io.peerlens.talker.report;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.TalkerChange;
import io.peerlens.api.model.TalkerDimension;
import io.peerlens.api.model.TalkerDirection;
import io.peerlens.api.model.TalkerMeasure;
import io.peerlens.api.model.TalkerReportQuery;
import io.peerlens.words.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Words for people: names of rankings, and figures in them. */
final class TalkerWords {

  private TalkerWords() {}

  /** What is ranked: virtual machines. */
  static String of(TalkerDimension by) {
    return switch (by) {
      case VM -> "virtual machines";
      case HOST -> "hosts";
      case CLUSTER -> "clusters";
      case TIER -> "application tiers";
      case NETWORK -> "networks";
      case PORT -> "services";
      case PROTOCOL -> "protocols";
      case PAIR -> "pairs of sender and receiver";
    };
  }

  /** What by: bytes sent. */
  static String of(TalkerMeasure measure, TalkerDirection direction) {
    String what =
        switch (measure) {
          case BYTES -> "bytes";
          case RATE -> "mean rate";
          case PEAK -> "rate in the busiest minute";
          case PACKETS -> "packets";
          case SESSIONS -> "sessions";
          case FLOWS -> "flow records";
          case RESETS -> "TCP resets";
          case DROPS -> "dropped packets";
        };
    return switch (direction) {
      case SENT -> what + " sent";
      case RECEIVED -> what + " received";
      case BOTH -> what;
    };
  }

  /** The question: Virtual machines by bytes sent, service 443/tcp. */
  static String question(TalkerReportQuery query) {
    List<String> words = new ArrayList<>();
    String what = of(query.getBy());
    words.add(
        what.substring(0, 1).toUpperCase(Locale.ROOT)
            + what.substring(1)
            + " by "
            + of(
                requireNonNullElse(query.getMeasure(), TalkerMeasure.BYTES),
                requireNonNullElse(query.getDirection(), TalkerDirection.BOTH)));
    if (query.getTrafficType() != null) {
      words.add(query.getTrafficType().getValue());
    }
    list(words, "service ", query.getPorts());
    list(words, "network ", query.getNetwork());
    list(words, "tier ", query.getTier());
    count(words, "end", query.getScope());
    count(words, "other end", query.getPeerScope());
    return String.join(", ", words);
  }

  private static void list(List<String> words, String what, @Nullable List<String> names) {
    if (names != null && !names.isEmpty()) {
      words.add(what + String.join(" or ", names));
    }
  }

  private static void count(List<String> words, String what, @Nullable List<String> names) {
    if (names != null && !names.isEmpty()) {
      words.add("of " + names.size() + " " + what + (names.size() == 1 ? "" : "s"));
    }
  }

  /** A value with its unit: 905.2 GiB. */
  static String value(double value, String unit) {
    return Figures.withUnit(value, unit, true);
  }

  /** A part in percent: 48.6 %. */
  static String percent(double part) {
    double percent = part * 100;
    return Math.abs(percent) < 0.05 && part != 0
        ? "< 0.1 %"
        : (percent == Math.rint(percent)
                ? String.format(Locale.ROOT, "%.0f", percent)
                : String.format(Locale.ROOT, "%.1f", percent))
            + " %";
  }

  /** A change: +4.2 %, or new; empty = nothing is known of the time before. */
  static String change(@Nullable TalkerChange change) {
    if (change == null) {
      return "";
    }
    Double of = change.getChange();
    if (of == null) {
      return "new";
    }
    double percent = of * 100;
    return Math.abs(percent) >= 999.5
        ? "×" + Figures.number(1 + of)
        : String.format(Locale.ROOT, "%+.1f %%", percent);
  }
}
