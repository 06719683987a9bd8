package io.peerlens.benchmarks.accuracy;

import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** The part of the page with figures of each fault. */
record Details(Results results, StringBuilder page) {

  /** The budget of 0.2 events per member and day. */
  private static final int MIDDLE = 2;

  void write() {
    page.append(Prose.BY_FAULT);
    for (String family :
        List.of(
            "Bitbrains cpu",
            "PlanetLab cpu",
            "Bitbrains net rx",
            "3 to 5 members",
            "stale groups")) {
      if (results.sets().stream().anyMatch(s -> belongs(s, family))) {
        kinds(family);
      }
    }
    page.append(Prose.BY_SIZE);
    sizes();
    page.append(Prose.DELAYS);
    delays();
    page.append(Prose.NEGATIVES);
    negatives();
  }

  private static boolean belongs(String set, String family) {
    return family.startsWith("3") || family.startsWith("stale")
        ? set.contains(family)
        : set.equals(family);
  }

  /** The mean over the sets of a family; NaN if it has none in this part. */
  private double mean(String family, boolean kept, java.util.function.ToDoubleFunction<String> of) {
    return results.sets().stream()
        .filter(s -> belongs(s, family) && results.has(s, kept))
        .mapToDouble(of)
        .filter(v -> !Double.isNaN(v))
        .average()
        .orElse(Double.NaN);
  }

  private double recall(String detector, String family, Fault fault, boolean kept) {
    return mean(family, kept, s -> results.of(detector, s, kept).overBudgets(fault::equals));
  }

  private void head(String first, List<String> columns) {
    page.append("| ").append(first).append(" |");
    columns.forEach(d -> page.append(' ').append(d).append(" |"));
    page.append("\n|---|").append("---|".repeat(columns.size())).append('\n');
  }

  private void kinds(String family) {
    page.append("\n**").append(family).append("**\n\n| fault | Peerlens, default |");
    results.detectors().forEach(d -> page.append(' ').append(d).append(" |"));
    page.append("\n|---|---|").append("---|".repeat(results.detectors().size())).append('\n');
    for (Fault fault : Fault.kinds()) {
      if (Double.isNaN(recall(results.ours(), family, fault, true))
          && Double.isNaN(recall(results.ours(), family, fault, false))) {
        continue;
      }
      page.append(
          String.format(
              "| %s | %.2f \\| %.2f |",
              fault.text, atDefault(family, fault, false), atDefault(family, fault, true)));
      for (String detector : results.detectors()) {
        page.append(' ');
        for (boolean kept : new boolean[] {false, true}) {
          double mine = recall(detector, family, fault, kept);
          boolean best =
              results.detectors().stream()
                  .filter(d -> !d.equals(detector))
                  .allMatch(d -> recall(d, family, fault, kept) < mine - 0.02);
          page.append(kept ? " \\| " : "").append(String.format(best ? "**%.2f**" : "%.2f", mine));
        }
        page.append(" |");
      }
      page.append('\n');
    }
  }

  private double atDefault(String family, Fault fault, boolean kept) {
    return mean(
        family, kept, s -> results.of(results.ours(), s, kept).recall(Outcome.AT_DEFAULT, fault));
  }

  private void sizes() {
    page.append("| size and set | Peerlens, default |");
    results.detectors().forEach(d -> page.append(' ').append(d).append(" |"));
    page.append("\n|---|---|").append("---|".repeat(results.detectors().size())).append('\n');
    for (String family : List.of("Bitbrains cpu", "PlanetLab cpu")) {
      if (!results.sets().contains(family)) {
        continue;
      }
      for (boolean up : new boolean[] {true, false}) {
        for (Fault fault : Fault.sizes(up)) {
          page.append(
              String.format(
                  "| %s, %s | %.2f \\| %.2f |",
                  family,
                  fault.text,
                  atDefault(family, fault, false),
                  atDefault(family, fault, true)));
          for (String detector : results.detectors()) {
            page.append(
                String.format(
                    " %.2f \\| %.2f |",
                    recall(detector, family, fault, false), recall(detector, family, fault, true)));
          }
          page.append('\n');
        }
      }
    }
  }

  private void delays() {
    head("set", results.detectors());
    for (boolean kept : new boolean[] {false, true}) {
      for (String set : results.sets()) {
        if (!results.has(set, kept)) {
          continue;
        }
        page.append("| ").append(set).append(kept ? ", kept aside |" : " |");
        for (String detector : results.detectors()) {
          Outcome o = results.of(detector, set, kept);
          page.append(" ").append(minutes(o, MIDDLE, Outcome.EASY)).append(" |");
        }
        page.append('\n');
      }
    }
    page.append(Prose.DELAYS_BY_FAULT);
    List<String> shown =
        List.of("Bitbrains cpu", "PlanetLab cpu", "Bitbrains net rx").stream()
            .filter(s -> results.has(s, true))
            .toList();
    head("fault", shown);
    for (Fault fault : Fault.kinds()) {
      page.append("| ").append(fault.text).append(" |");
      for (String set : shown) {
        Outcome o = results.of(results.ours(), set, true);
        double fragments = Objects.requireNonNullElse(o.fragments().get(fault), Double.NaN);
        page.append(
            Double.isNaN(fragments)
                ? " - |"
                : String.format(
                    " %s; %.2f |", minutes(o, Outcome.AT_DEFAULT, fault::equals), fragments));
      }
      page.append('\n');
    }
  }

  private static String minutes(Outcome o, int level, Predicate<Fault> which) {
    double half = o.minutes(level, which, 0.5);
    return Double.isNaN(half)
        ? "-"
        : String.format("%.0f, %.0f", half, o.minutes(level, which, 0.9));
  }

  private void negatives() {
    head("what", results.detectors());
    for (Negative negative : Negative.values()) {
      page.append("| ").append(negative.text).append(" |");
      for (String detector : results.detectors()) {
        page.append(
            String.format(
                " %.3f, %.3f |",
                wrong(detector, negative, Outcome.AT_DEFAULT), wrong(detector, negative, MIDDLE)));
      }
      page.append('\n');
    }
    page.append("\nPeerlens by set, development | kept aside, at the default:\n\n");
    List<String> shown =
        results.sets().stream().filter(s -> results.has(s, false) && results.has(s, true)).toList();
    head("what", shown);
    for (Negative negative : Negative.values()) {
      page.append("| ").append(negative.text).append(" |");
      for (String set : shown) {
        page.append(
            String.format(
                " %.3f \\| %.3f |", ours(set, false, negative), ours(set, true, negative)));
      }
      page.append('\n');
    }
  }

  private double ours(String set, boolean kept, Negative negative) {
    return Objects.requireNonNull(results.of(results.ours(), set, kept).negatives().get(negative))[
        Outcome.AT_DEFAULT];
  }

  /** The mean over all sets and both parts. */
  private double wrong(String detector, Negative negative, int level) {
    double sum = 0;
    int n = 0;
    for (boolean kept : new boolean[] {false, true}) {
      for (String set : results.sets()) {
        if (results.has(set, kept)) {
          sum +=
              Objects.requireNonNull(results.of(detector, set, kept).negatives().get(negative))[
                  level];
          n++;
        }
      }
    }
    return sum / n;
  }
}
