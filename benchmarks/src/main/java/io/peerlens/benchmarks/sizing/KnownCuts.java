package io.peerlens.benchmarks.sizing;

import io.peerlens.benchmarks.sizing.Bitbrains.Vm;
import io.peerlens.benchmarks.sizing.Rules.Rule;
import io.peerlens.sizing.Numa;
import io.peerlens.sizing.Regret;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Cuts whose right size is known afterwards. Most machines of the traces have one vCPU, which
 * cannot be cut; here each is taken to have {@value #VCPUS} slower ones. The right size is the
 * smallest even number of them that the following weeks were over for at most an hour a week.
 */
final class KnownCuts {

  private static final int VCPUS = 16;

  /** Hours a week that are allowed over the right size. */
  private static final double HOURS = 1;

  private KnownCuts() {}

  static void write(StringBuilder page, List<Vm> all, int days, Map<String, Rule> rules) {
    List<Vm> vms = SizingBenchmark.usable(all, days).stream().map(KnownCuts::finer).toList();
    page.append(
        String.format(
            Locale.ROOT,
            "%nKnown cuts: the same %d machines, sized from %d days, as if each had %d slower vCPUs."
                + " The right size is the smallest even number that the following weeks were over"
                + " for at most an hour a week.%n%n"
                + "| rule | right | too small | too large | regret, h a week: mean | p90 | waste:"
                + " mean | p90 |%n|---|---|---|---|---|---|---|---|%n",
            vms.size(),
            days,
            VCPUS));
    rules.forEach((name, rule) -> line(page, name, vms, days, rule));
  }

  private static Vm finer(Vm vm) {
    return new Vm(vm.id(), VCPUS, vm.size() / VCPUS, vm.mhz());
  }

  private static void line(StringBuilder page, String name, List<Vm> vms, int days, Rule rule) {
    int right = 0;
    int small = 0;
    for (Vm vm : vms) {
      double chosen = SizingBenchmark.inSteps(vm, rule, days);
      double known = right(vm, SizingBenchmark.after(vm, days));
      right += chosen == known ? 1 : 0;
      small += chosen < known ? 1 : 0;
    }
    double n = vms.size();
    SizingBenchmark.Score score = SizingBenchmark.score(vms, days, rule, true);
    page.append(
        String.format(
            Locale.ROOT,
            "| %s | %.0f %% | %.0f %% | %.0f %% | %.2f | %.2f | %.1f %% | %.1f %% |%n",
            name,
            100 * right / n,
            100 * small / n,
            100 * (n - right - small) / n,
            SizingBenchmark.mean(score.regret()),
            SizingBenchmark.p90(score.regret()),
            100 * SizingBenchmark.mean(score.waste()),
            100 * SizingBenchmark.p90(score.waste())));
  }

  private static double right(Vm vm, double[] judged) {
    double today = Regret.hoursPerWeek(judged, vm.size());
    int vcpus = 2;
    while (vcpus < vm.vcpus()
        && Regret.hoursPerWeek(judged, vcpus * vm.mhzPerVcpu()) - today > HOURS) {
      vcpus = Numa.NOT_KNOWN.up(vcpus + 1.0);
    }
    return Math.min(vm.size(), vcpus * vm.mhzPerVcpu());
  }
}
