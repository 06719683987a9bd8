package io.peerlens.benchmarks.accuracy;

import io.peerlens.benchmarks.Headline;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Writes the page of figures.
 *
 * @param together rows of several members with one fault, of each detector in each world
 * @param mixed ours on a group of strangers
 */
record Report(Results results, List<World> together, Outcome mixed, int trials, long minutes) {

  /** Several members with one fault in one kind of groups: rows of each detector. */
  record World(String name, List<List<Together.Row>> rows) {}

  private static final Results.Figure BUDGETS =
      (outcome, times) -> outcome.overBudgets(Outcome.KINDS, times);
  private static final Results.Figure DEFAULT =
      (outcome, times) -> outcome.mean(Outcome.AT_DEFAULT, Outcome.KINDS, times);

  String text() {
    StringBuilder page = new StringBuilder();
    page.append(
        Prose.MEASURED
            .replace("TRIALS", String.valueOf(trials))
            .replace("MINUTES", String.valueOf(minutes)));
    page.append(
        Prose.DEFAULTS.replace(
            "THRESHOLD", String.format("%.1f", mixed.levels()[Outcome.AT_DEFAULT])));
    defaults(page);
    budgets(page);
    new Details(results, page).write();
    severalMembers(page);
    page.append(
        String.format(
            "%n### A badly made group%n%nVMs that have nothing to do with each other, at the default: %.2f events per member-week over %.0f member-days that were judged.%n",
            mixed.perWeek(), mixed.memberDays()));
    losses(page);
    // What a part does not have is a dash.
    return page.toString().replace("\r\n", "\n").replace("NaN", "-");
  }

  /** What somebody reads who has a minute. */
  List<Headline> headlines() {
    List<Headline> headlines = new ArrayList<>();
    for (boolean kept : new boolean[] {false, true}) {
      List<String> sets = sets(kept);
      if (sets.isEmpty()) {
        continue;
      }
      String part = kept ? ", kept aside" : "";
      headlines.add(shipped(sets, kept, part));
      headlines.add(
          results
              .compare(sets, kept, BUDGETS)
              .headline(
                  "Outliers, recall of all faults at equal numbers of false events, mean of "
                      + sets.size()
                      + " sets"
                      + part));
      for (String set : sets) {
        if (set.endsWith("stale groups") || !set.contains(",")) {
          headlines.add(
              results.compare(List.of(set), kept, BUDGETS).headline("Outliers, " + set + part));
        }
      }
    }
    return headlines;
  }

  /** With the numbers of events, as these are not equal. */
  private Headline shipped(List<String> sets, boolean kept, String part) {
    Results.Comparison compared = results.compare(sets, kept, DEFAULT);
    Headline plain =
        compared.headline(
            "Outliers, recall of all faults at the shipped thresholds and events on unchanged traces, mean of "
                + sets.size()
                + " sets"
                + part);
    String events = "; %.1f a member-week";
    return new Headline(
        plain.what(),
        plain.ours() + String.format(events, results.perWeek(results.ours(), sets, kept)),
        plain.other() + String.format(events, results.perWeek(compared.best(), sets, kept)),
        plain.lead());
  }

  private List<String> sets(boolean kept) {
    return results.sets().stream().filter(s -> results.has(s, kept)).toList();
  }

  private void defaults(StringBuilder page) {
    page.append(
        "| set | events per member-week | all faults (95 %) | eight easy ones | four small ones |\n|---|---|---|---|---|\n");
    for (boolean kept : new boolean[] {false, true}) {
      double[] sums = new double[4];
      List<String> sets = sets(kept);
      for (String set : sets) {
        Outcome o = results.of(results.ours(), set, kept);
        double[] row = {
          o.perWeek(),
          o.mean(Outcome.AT_DEFAULT, Outcome.KINDS),
          o.mean(Outcome.AT_DEFAULT, Outcome.EASY),
          o.mean(Outcome.AT_DEFAULT, Outcome.SMALL)
        };
        for (int k = 0; k < row.length; k++) {
          sums[k] += row[k] / sets.size();
        }
        page.append(
            String.format(
                "| %s%s | %.2f | **%.2f** (%s) | %.2f | %.2f |%n",
                set,
                aside(kept),
                row[0],
                row[1],
                results.compare(List.of(set), kept, DEFAULT).interval().text(false),
                row[2],
                row[3]));
      }
      if (!sets.isEmpty()) {
        page.append(
            String.format(
                "| **mean%s** | **%.2f** | **%.2f** (%s) | **%.2f** | **%.2f** |%n",
                aside(kept),
                sums[0],
                sums[1],
                results.compare(sets, kept, DEFAULT).interval().text(false),
                sums[2],
                sums[3]));
      }
    }
    page.append(Prose.OTHERS_DEFAULTS);
    table(
        page,
        "set",
        o -> String.format("%.2f (%.2f)", o.mean(Outcome.AT_DEFAULT, Outcome.KINDS), o.perWeek()));
  }

  private void budgets(StringBuilder page) {
    page.append(Prose.BUDGETS);
    page.append("| set | Peerlens (95 %) | best other | ahead by (95 %) |\n|---|---|---|---|\n");
    for (boolean kept : new boolean[] {false, true}) {
      for (String set : sets(kept)) {
        page.append(results.compare(List.of(set), kept, BUDGETS).row(set + aside(kept)));
      }
      if (!sets(kept).isEmpty()) {
        page.append(results.compare(sets(kept), kept, BUDGETS).row("**mean" + aside(kept) + "**"));
      }
    }
    page.append("\nThe eight easy faults, one budget after the other in brackets:\n\n");
    table(page, "set", o -> cell(o, Outcome.EASY));
    page.append("\nAll faults:\n\n");
    table(page, "set", o -> cell(o, Outcome.KINDS));
    page.append("\nThe four small ones (x 1.5, x 0.3, out of phase, swapped):\n\n");
    table(page, "set", o -> cell(o, Outcome.SMALL));
  }

  private static String cell(Outcome o, Predicate<Fault> which) {
    return String.format(
        "%.2f (%.2f, %.2f, %.2f)",
        o.overBudgets(which), o.mean(1, which), o.mean(2, which), o.mean(3, which));
  }

  private static String aside(boolean kept) {
    return kept ? ", kept aside" : "";
  }

  private interface Cell {
    String of(Outcome outcome);
  }

  private void table(StringBuilder page, String first, Cell cell) {
    page.append("| ").append(first).append(" |");
    results.detectors().forEach(d -> page.append(' ').append(d).append(" |"));
    page.append("\n|---|").append("---|".repeat(results.detectors().size())).append('\n');
    for (boolean kept : new boolean[] {false, true}) {
      for (String set : sets(kept)) {
        page.append("| ").append(set).append(aside(kept)).append(" |");
        for (String detector : results.detectors()) {
          page.append(' ').append(cell.of(results.of(detector, set, kept))).append(" |");
        }
        page.append('\n');
      }
    }
  }

  // ------------------------------------------------------------------------------ several members

  private void severalMembers(StringBuilder page) {
    page.append(Prose.TOGETHER);
    for (World world : together) {
      page.append("\n**").append(world.name()).append("**\n\n| how many of n |");
      results.detectors().forEach(d -> page.append(' ').append(d).append(" |"));
      page.append("\n|---|").append("---|".repeat(results.detectors().size())).append('\n');
      share(page, world, "one", r -> r.wrongOnes() == 1);
      share(page, world, "two", r -> r.wrongOnes() == 2 && r.members() > 5);
      share(page, world, "more than two, up to 20 %", r -> part(r, 0, 0.2));
      share(page, world, "20 to 35 %", r -> part(r, 0.2, 0.35));
      share(page, world, "35 to 50 %", r -> part(r, 0.35, 0.4999));
      page.append("| all n: part that is out |");
      for (List<Together.Row> rows : world.rows()) {
        page.append(
            String.format(
                " %.3f |",
                rows.stream()
                    .filter(r -> r.wrongOnes() == r.members())
                    .mapToDouble(Together.Row::found)
                    .average()
                    .orElse(Double.NaN)));
      }
      page.append("\n\nPeerlens by size of the fault, in minimum deviations:\n\n| how many of n |");
      for (double size : Together.SIZES) {
        page.append(String.format(" %+.1f |", size));
      }
      page.append(" x 5 |\n|---|").append("---|".repeat(Together.SIZES.length + 1)).append('\n');
      bySize(page, world, "one", r -> r.wrongOnes() == 1);
      bySize(page, world, "two, up to 35 %", r -> r.wrongOnes() > 1 && part(r, 0, 0.35));
      bySize(page, world, "35 to 50 %", r -> part(r, 0.35, 0.4999));
    }
  }

  private static boolean part(Together.Row row, double more, double most) {
    double part = row.wrongOnes() / (double) row.members();
    return row.wrongOnes() > 1 && part > more && part <= most;
  }

  private static void share(
      StringBuilder page, World world, String name, Predicate<Together.Row> which) {
    page.append("| ").append(name).append(" |");
    for (List<Together.Row> rows : world.rows()) {
      List<Together.Row> mine = rows.stream().filter(which).toList();
      page.append(
          String.format(
              " %.2f, %.2f; %.3f |",
              mine.stream().mapToDouble(Together.Row::found).average().orElse(Double.NaN),
              mine.stream().mapToDouble(Together.Row::all).average().orElse(Double.NaN),
              mine.stream().mapToDouble(Together.Row::wrong).average().orElse(Double.NaN)));
    }
    page.append('\n');
  }

  private static void bySize(
      StringBuilder page, World world, String name, Predicate<Together.Row> which) {
    page.append("| ").append(name).append(" |");
    for (int s = 0; s <= Together.SIZES.length; s++) {
      double size = s < Together.SIZES.length ? Together.SIZES[s] : Double.NaN;
      page.append(
          String.format(
              " %.2f |",
              world.rows().getFirst().stream()
                  .filter(which)
                  .filter(r -> Double.compare(r.size(), size) == 0)
                  .mapToDouble(Together.Row::found)
                  .average()
                  .orElse(Double.NaN)));
    }
    page.append('\n');
  }

  // --------------------------------------------------------------------------------------- losses

  /** Where a baseline is ahead, by the figures. */
  private void losses(StringBuilder page) {
    page.append(Prose.LOSSES);
    List<String> lines = new ArrayList<>();
    for (boolean kept : new boolean[] {false, true}) {
      for (String set : sets(kept)) {
        for (Fault fault : Fault.kinds()) {
          double mine = results.of(results.ours(), set, kept).overBudgets(fault::equals);
          String best = "";
          double most = mine + 0.05;
          for (String d : results.others()) {
            double theirs = results.of(d, set, kept).overBudgets(fault::equals);
            if (theirs > most) {
              most = theirs;
              best = d;
            }
          }
          if (!best.isEmpty()) {
            lines.add(
                String.format(
                    "| %s%s | %s | %.2f | %.2f, %s |%n",
                    set, aside(kept), fault.text, mine, most, best));
          }
        }
      }
    }
    page.append(
        lines.isEmpty()
            ? "In no kind of fault in any set.\n"
            : "| set | fault | Peerlens | baseline |\n|---|---|---|---|\n");
    lines.forEach(page::append);
    page.append(Prose.BEHIND);
  }
}
