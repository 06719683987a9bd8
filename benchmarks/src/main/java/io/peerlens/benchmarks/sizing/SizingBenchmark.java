package io.peerlens.benchmarks.sizing;

import io.peerlens.benchmarks.Section;
import io.peerlens.benchmarks.sizing.Bitbrains.Vm;
import io.peerlens.benchmarks.sizing.Rules.Rule;
import io.peerlens.sizing.Numa;
import io.peerlens.sizing.Regret;
import io.peerlens.sizing.SizingRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The benchmark of right-sizing: recommends a size from the first weeks of each machine, then
 * counts what the size would have cost in the weeks that follow. It prints a part of a page, or
 * renews it there.
 *
 * <pre>SizingBenchmark CORPUS [PAGE]</pre>
 *
 * Regret is hours a week in which use was over the new size and not over today's: nobody knows what
 * a machine would have used above today's size, and no cut is to blame for it. Waste is the mean
 * unused share of the new size. No rule recommends more than today's size here.
 */
public final class SizingBenchmark {

  private static final int DRAWS = 10_000;
  private static final long SEED = 24;
  private static final double[] PRICES = {0.05, 0.1, 0.2, 0.3, 0.5, 1};
  private static final double[] HEADROOMS = {0, 0.1};
  private static final String INTRODUCTION =
      """
      ## Right-sizing on public traces

      Each rule sees the first weeks of a machine's CPU use (Bitbrains, July 2013, every 5 minutes)
      and chooses a size; the weeks that follow say what it would have cost. *Regret* is hours a week
      in which use was over the new size and not over today's: what a machine would have used above
      today's size nobody knows. *Waste* is the mean unused share of the new size. No rule may
      recommend more than today's size. A rule can always buy less regret with more waste, so the
      last line of a table before whole vCPUs is the percentile that wastes as much as Peerlens.

      vROps' rule is our reading of its documentation: the recommended size is the largest projected
      use until 30 days after the warning threshold of time remaining, 150 days ahead by default; a
      conservative risk level takes the upper bound of the projection, an aggressive one the middle
      of its bounds (docs.vmware.com, vRealize Operations 8.10, GUID-E8FC77F6 and GUID-8D9F7E29).
      Its model is not published. Here it is a straight line through the daily peaks with its 95 %
      prediction interval.
      """;
  private static final String OURS = "Peerlens";

  private SizingBenchmark() {}

  record Score(double[] regret, double[] waste, double[] size) {}

  public static void main(String[] args) throws IOException {
    String part = page(Path.of(args[0]));
    if (args.length > 1) {
      Section.write(Path.of(args[1]), "right-sizing", part);
    } else {
      System.out.print(part);
    }
  }

  /**
   * The part of a page, in Markdown.
   *
   * @param corpus the folder with the public traces
   */
  public static String page(Path corpus) throws IOException {
    List<Vm> vms = Bitbrains.read(corpus.resolve("bitbrains-rnd"));
    StringBuilder page = new StringBuilder(INTRODUCTION);
    for (int days : new int[] {14, 21}) {
      part(page, vms, days, false);
      part(page, vms.stream().filter(vm -> vm.vcpus() > 1).toList(), days, true);
      KnownCuts.write(page, vms, days, rules(true));
    }
    sweep(page, vms);
    return page.toString();
  }

  private static Map<String, Rule> rules(boolean steps) {
    Map<String, Rule> rules = new LinkedHashMap<>();
    rules.put("today's size", (vm, _) -> vm.size());
    rules.put("peak", Rules.percentile(1));
    rules.put("p99", Rules.percentile(0.99));
    rules.put("p95", Rules.percentile(0.95));
    rules.put("vROps, conservative, 150 days", Rules.vrops(150, true));
    rules.put("vROps, conservative, 30 days", Rules.vrops(30, true));
    rules.put("vROps, aggressive, 150 days", Rules.vrops(150, false));
    rules.put(
        OURS, steps ? Rules.peerlensInSteps(SizingRule.USUAL) : Rules.peerlens(SizingRule.USUAL));
    return rules;
  }

  private static void part(StringBuilder page, List<Vm> all, int days, boolean steps) {
    List<Vm> vms = usable(all, days);
    Map<String, Rule> rules = rules(steps);
    page.append(
        String.format(
            Locale.ROOT,
            "%nSized from %d days, judged on the %d that follow: %d machines%s.%n%n",
            days,
            Bitbrains.DAYS - days,
            vms.size(),
            steps ? " with 2 vCPUs and more, in even numbers of vCPUs" : ", before whole vCPUs"));
    page.append(
        "| rule | regret, h a week: mean | p90 | waste: mean | p90 | size, share of today's |\n"
            + "|---|---|---|---|---|---|\n");
    rules.forEach((name, rule) -> line(page, name, score(vms, days, rule, steps)));
    if (!steps) {
      compare(page, vms, days, score(vms, days, Rules.peerlens(SizingRule.USUAL), false));
    }
  }

  /** Compares with the percentile that wastes as much: both stand at one place of the curve. */
  private static void compare(StringBuilder page, List<Vm> vms, int days, Score ours) {
    double high = equalWaste(vms, days, mean(ours.waste()));
    Score equal = score(vms, days, Rules.percentile(high), false);
    line(page, String.format(Locale.ROOT, "p%.2f, of equal waste", 100 * high), equal);
    SplittableRandom random = new SplittableRandom(SEED);
    int n = vms.size();
    double[] differences = new double[DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      for (int k = 0; k < n; k++) {
        int vm = random.nextInt(n);
        differences[draw] += (ours.regret()[vm] - equal.regret()[vm]) / n;
      }
    }
    Arrays.sort(differences);
    page.append(
        String.format(
            Locale.ROOT,
            "%nAt equal waste, Peerlens has %+.2f h a week of regret (95 %% interval over machines"
                + " %+.2f to %+.2f).%n",
            mean(ours.regret()) - mean(equal.regret()),
            differences[(int) (0.025 * DRAWS)],
            differences[(int) (0.975 * DRAWS)]));
  }

  /** Whether the result hangs on the price that was chosen, and what headroom buys. */
  private static void sweep(StringBuilder page, List<Vm> all) {
    page.append(
        "\nThe price of an hour was chosen with these traces in sight. Other prices, and fixed"
            + " headroom on top, sized from 14 days, before whole vCPUs:\n\n");
    page.append(
        "| price | headroom | regret: mean | waste: mean | regret of the percentile of equal waste"
            + " |\n|---|---|---|---|---|\n");
    List<Vm> vms = usable(all, 14);
    SizingRule usual = SizingRule.USUAL;
    for (double headroom : HEADROOMS) {
      for (double price : PRICES) {
        SizingRule rule =
            new SizingRule(
                price,
                usual.memoryHourPrice(),
                headroom,
                usual.growthDays(),
                usual.fewestVcpus(),
                usual.leastMemoryGb(),
                usual.seed());
        Score ours = score(vms, 14, Rules.peerlens(rule), false);
        double share = equalWaste(vms, 14, mean(ours.waste()));
        page.append(
            String.format(
                Locale.ROOT,
                "| %.2f | %.0f %% | %.2f | %.1f %% | %.2f |%n",
                price,
                100 * headroom,
                mean(ours.regret()),
                100 * mean(ours.waste()),
                mean(score(vms, 14, Rules.percentile(share), false).regret())));
      }
    }
  }

  /** The percentile that wastes as much. */
  private static double equalWaste(List<Vm> vms, int days, double waste) {
    double low = 0.8;
    double high = 1;
    for (int i = 0; i < 30; i++) {
      double middle = (low + high) / 2;
      if (mean(score(vms, days, Rules.percentile(middle), false).waste()) < waste) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Machines with values on enough of the days, before and after. */
  static List<Vm> usable(List<Vm> vms, int days) {
    List<Vm> usable = new ArrayList<>();
    for (Vm vm : vms) {
      int before = Rules.known(Arrays.copyOf(vm.mhz(), days * Bitbrains.DAY)).length;
      int after = after(vm, days).length;
      if (before >= days * Bitbrains.DAY * 0.8 && after >= 5 * Bitbrains.DAY) {
        usable.add(vm);
      }
    }
    return usable;
  }

  static double[] after(Vm vm, int days) {
    return Rules.known(Arrays.copyOfRange(vm.mhz(), days * Bitbrains.DAY, vm.mhz().length));
  }

  static Score score(List<Vm> vms, int days, Rule rule, boolean steps) {
    double[] regret = new double[vms.size()];
    double[] waste = new double[vms.size()];
    double[] share = new double[vms.size()];
    for (int v = 0; v < vms.size(); v++) {
      Vm vm = vms.get(v);
      double size = steps ? inSteps(vm, rule, days) : Math.min(vm.size(), chosen(vm, rule, days));
      double[] judged = after(vm, days);
      regret[v] = Regret.hoursPerWeek(judged, size) - Regret.hoursPerWeek(judged, vm.size());
      waste[v] = Regret.waste(judged, size);
      share[v] = size / vm.size();
    }
    return new Score(regret, waste, share);
  }

  /** What a rule chooses; never so little that a division cannot stand it. */
  private static double chosen(Vm vm, Rule rule, int days) {
    return Math.max(rule.mhz(vm, Arrays.copyOf(vm.mhz(), days * Bitbrains.DAY)), vm.size() / 1000);
  }

  /** The same in whole vCPUs: at least 2, even, at most what the machine has. */
  static double inSteps(Vm vm, Rule rule, int days) {
    double vcpus = Numa.NOT_KNOWN.up(Math.max(2, chosen(vm, rule, days) / vm.mhzPerVcpu()));
    return Math.min(vm.size(), vcpus * vm.mhzPerVcpu());
  }

  private static void line(StringBuilder page, String name, Score score) {
    page.append(
        String.format(
            Locale.ROOT,
            "| %s | %.2f | %.2f | %.1f %% | %.1f %% | %.1f %% |%n",
            name,
            mean(score.regret()),
            p90(score.regret()),
            100 * mean(score.waste()),
            100 * p90(score.waste()),
            100 * mean(score.size())));
  }

  static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  static double p90(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(0.9 * (sorted.length - 1))];
  }
}
