package io.peerlens.sizing;

import io.peerlens.sizing.Recommendation.Kind;
import io.peerlens.sizing.Sign.Resource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Recommendation of vCPUs and memory from what a machine demanded.
 *
 * <p>Oversized is what needs less than it has in whole steps, by a tenth at least, and would not be
 * full then. Undersized is what was full: at 95 % of its vCPUs, or 90 % of its memory, for more
 * than an hour a week. What it would use above that cannot be seen, so one step of at least a
 * quarter is added, to be judged again. Ready time, co-stop and ballooning are proof that it waits,
 * but alone no reason for more: a machine that waits for its host and is not full gets no larger.
 */
public final class RightSizing {

  /** A machine whose demand is above this share of its vCPUs is full. */
  public static final double FULL_CPU = 0.95;

  /** The same of memory. */
  public static final double FULL_MEMORY = 0.9;

  /** Hours a week in which a machine may be full. */
  private static final double FULL_HOURS = 1;

  private static final double STEP_UP = 1.25;

  /** A size that is smaller by less than this share is not worth a restart. */
  private static final double SMALLEST_CHANGE = 0.1;

  private RightSizing() {}

  /**
   * Recommends vCPUs.
   *
   * @param demandMhz CPU demand, or usage where demand is not measured; NaN = no value
   * @param signs of CPU, as far as they are measured
   */
  public static Answer<Recommendation> cpu(
      Grid grid,
      VmSize vm,
      double[] demandMhz,
      Map<Sign, double[]> signs,
      Numa numa,
      SizingRule rule) {
    double[] vcpus = new double[grid.length()];
    grid.checked(demandMhz, "CPU demand");
    for (int i = 0; i < vcpus.length; i++) {
      vcpus[i] = demandMhz[i] / vm.mhzPerVcpu();
    }
    Answer<Recommendation> limited = limited(grid, vm, vcpus);
    if (limited != null) {
      return limited;
    }
    int fewest = Math.min(vm.vcpus(), rule.fewestVcpus());
    double reserved = vm.cpuReservationMhz() / vm.mhzPerVcpu();
    return recommend(
        grid,
        new Asked(Resource.CPU, vm.vcpus(), FULL_CPU, vm.cpuHotAdd(), "vCPUs", "CPU demand"),
        vcpus,
        Evidence.of(grid, signs, Resource.CPU),
        wanted -> numa.up(Math.max(Math.max(wanted, fewest), reserved)),
        rule,
        rule.hourPrice());
  }

  /** Not known if its own limit stops it, else null. */
  private static @Nullable Answer<Recommendation> limited(Grid grid, VmSize vm, double[] vcpus) {
    double limit = vm.cpuLimitMhz() / vm.mhzPerVcpu();
    if (limit == 0 || limit >= vm.vcpus()) {
      return null;
    }
    double hours = Regret.hoursPerWeek(grid.sorted(vcpus, false), FULL_CPU * limit);
    return hours > FULL_HOURS
        ? new Answer.NotKnown<>(
            "Its own limit of "
                + Say.number(vm.cpuLimitMhz())
                + " MHz stops it for "
                + Say.number(hours)
                + " h a week, so what it needs cannot be seen: raise the limit first.")
        : null;
  }

  /**
   * Recommends memory, from what the guest itself says that it uses. What the hypervisor calls
   * active or consumed is not that: the first is a sample of touched pages, the second never
   * shrinks.
   *
   * @param guestUsedGb memory in use in the guest without its caches; null or all NaN = no Tools
   * @param signs of memory, as far as they are measured
   */
  public static Answer<Recommendation> memory(
      Grid grid,
      VmSize vm,
      double @Nullable [] guestUsedGb,
      Map<Sign, double[]> signs,
      Numa numa,
      SizingRule rule) {
    if (guestUsedGb == null || grid.daysWithValues(grid.checked(guestUsedGb, "memory")) == 0) {
      return new Answer.NotKnown<>(
          "No Tools: the guest does not say how much memory it uses, so there is no advice.");
    }
    double least = Math.min(vm.memoryGb(), rule.leastMemoryGb());
    double floor = Math.max(least, vm.memoryReservationGb());
    Answer<Recommendation> answer =
        recommend(
            grid,
            new Asked(
                Resource.MEMORY, vm.memoryGb(), FULL_MEMORY, vm.memoryHotAdd(), "GB", "memory use"),
            guestUsedGb,
            Evidence.of(grid, signs, Resource.MEMORY),
            wanted -> Numa.memoryUp(Math.max(wanted, floor)),
            rule,
            rule.memoryHourPrice());
    return answer instanceof Answer.Known<Recommendation>(Recommendation it)
            && it.size() > numa.memoryGbPerNode()
        ? new Answer.Known<>(
            withReason(
                it,
                it.reason()
                    + " It is more than a NUMA node has ("
                    + Say.gigabytes(numa.memoryGbPerNode())
                    + ")."))
        : answer;
  }

  private record Asked(
      Resource resource, double now, double full, boolean hotAdd, String unit, String words) {}

  private interface Steps {
    /** The size in whole steps that holds what is wanted. */
    double up(double wanted);
  }

  private static Answer<Recommendation> recommend(
      Grid grid,
      Asked asked,
      double[] column,
      List<Evidence> proof,
      Steps steps,
      SizingRule rule,
      double hourPrice) {
    int days = grid.daysWithValues(column);
    if (days < SizingRule.FEWEST_DAYS) {
      return new Answer.NotKnown<>(
          "There is "
              + asked.words
              + " for "
              + Say.count(days, "day")
              + " of the "
              + SizingRule.FEWEST_DAYS
              + " that a recommendation needs.");
    }
    Need need = Need.of(grid, column, hourPrice, rule.seed());
    if (need == null) {
      return new Answer.NotKnown<>("There is no value of " + asked.words + ".");
    }
    double[] values = grid.sorted(column, false);
    double fullHours = Regret.hoursPerWeek(values, asked.full * asked.now);
    double growth = need.perDay() * rule.growthDays();
    double factor = 1 + rule.headroom();
    double wanted = need.need() * factor + growth;
    double size = notFull(steps, wanted, asked, values);
    Kind kind;
    if (fullHours > FULL_HOURS) {
      kind = Kind.UNDERSIZED;
      size = Math.max(size, steps.up(asked.now * STEP_UP));
      if (size <= asked.now) {
        // The host has no larger size.
        kind = Kind.FITS;
        size = asked.now;
      }
    } else if (asked.now - size >= SMALLEST_CHANGE * asked.now) {
      kind = Kind.OVERSIZED;
    } else {
      kind = Kind.FITS;
      size = asked.now;
    }
    double least = kind == Kind.FITS ? size : steps.up(need.least() * factor + growth);
    double most = kind == Kind.FITS ? size : steps.up(need.most() * factor + growth);
    Recommendation made =
        new Recommendation(
            asked.resource,
            kind,
            asked.now,
            size,
            Math.min(size, least),
            kind == Kind.OVERSIZED ? Math.clamp(most, size, asked.now) : Math.max(size, most),
            need.p95(),
            need.p99(),
            need.need(),
            need.need() > 0 ? size / need.need() - 1 : Double.NaN,
            need.perDay(),
            Regret.hoursPerWeek(values, size),
            Regret.hoursPerWeek(values, asked.now),
            Regret.waste(values, size),
            Regret.waste(values, asked.now),
            kind == Kind.OVERSIZED || (kind == Kind.UNDERSIZED && !asked.hotAdd),
            proof,
            "");
    return new Answer.Known<>(withReason(made, reason(made, asked, need, fullHours, growth)));
  }

  /** The smallest size that would not be called full in turn. */
  private static double notFull(Steps steps, double wanted, Asked asked, double[] values) {
    double size = steps.up(wanted);
    while (size < asked.now && Regret.hoursPerWeek(values, asked.full * size) > FULL_HOURS) {
      size = steps.up(size * 1.001);
    }
    return size;
  }

  private static String reason(
      Recommendation it, Asked asked, Need need, double fullHours, double growth) {
    String signs = proof(it);
    return switch (it.kind()) {
      case OVERSIZED ->
          Say.number(it.size())
              + " of "
              + Say.number(it.now())
              + " "
              + asked.unit
              + " are enough: "
              + asked.words
              + " in business hours was below "
              + Say.number(it.p95())
              + " for 95 % of the time and below "
              + Say.number(it.p99())
              + " for 99 %"
              + ", the whole time needs "
              + Say.number(need.guard())
              + (growth > 0 ? " and is growing" : "")
              + (it.need() > 0
                  ? "; the new size is " + Say.percent(it.headroom()) + " above that"
                  : "")
              + ", and "
              + Say.number(it.regret())
              + " h a week were over the new size"
              + signs
              + ".";
      case UNDERSIZED ->
          "It is too small: "
              + asked.words
              + " was at "
              + Say.percent(asked.full)
              + " of "
              + Say.number(it.now())
              + " "
              + asked.unit
              + " or more for "
              + Say.number(fullHours)
              + " h a week"
              + signs
              + "; what it would use above that cannot be seen, so "
              + Say.number(it.size())
              + " is one step up, to be judged again after a week.";
      case FITS -> fits(it, asked, need, fullHours);
    };
  }

  private static String fits(Recommendation it, Asked asked, Need need, double fullHours) {
    if (fullHours > FULL_HOURS) {
      return "It is full for "
          + Say.number(fullHours)
          + " h a week, and its hosts have no larger size.";
    }
    return it.proof().isEmpty()
        ? "Its size fits: it needs "
            + Say.number(need.need())
            + " of "
            + Say.number(it.now())
            + " "
            + asked.unit
            + "."
        : "It waits for its host ("
            + it.proof().getFirst().words()
            + ") but is not full: a larger size does not help, look at the host.";
  }

  private static String proof(Recommendation it) {
    return it.proof().isEmpty() ? "" : "; proof: " + it.proof().getFirst().words();
  }

  private static Recommendation withReason(Recommendation it, String reason) {
    return new Recommendation(
        it.resource(),
        it.kind(),
        it.now(),
        it.size(),
        it.least(),
        it.most(),
        it.p95(),
        it.p99(),
        it.need(),
        it.headroom(),
        it.growthPerDay(),
        it.regret(),
        it.regretNow(),
        it.waste(),
        it.wasteNow(),
        it.restart(),
        it.proof(),
        reason);
  }
}
