package io.peerlens.planning.sizing;

import static io.peerlens.planning.sizing.Found.known;

import io.peerlens.api.model.RecommendationOther;
import io.peerlens.api.model.RecommendationProof;
import io.peerlens.api.model.RecommendationSeries;
import io.peerlens.api.model.RecommendationSize;
import io.peerlens.sizing.Answer;
import io.peerlens.sizing.DemandSummary;
import io.peerlens.sizing.Evidence;
import io.peerlens.sizing.Grid;
import io.peerlens.sizing.Numa;
import io.peerlens.sizing.Recommendation;
import io.peerlens.sizing.Regret;
import io.peerlens.sizing.RightSizing;
import io.peerlens.sizing.Sign;
import io.peerlens.sizing.Sign.Resource;
import io.peerlens.sizing.SizingRule;
import io.peerlens.sizing.VmSize;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Recommended sizes of one machine, with what they are made of. */
record SizeEvidence(
    Grid grid,
    VmSize size,
    Numa numa,
    History history,
    Map<Sign, double[]> signs,
    Instant from,
    Instant to) {

  private static final SizingRule RULE = SizingRule.USUAL;

  Answer<Recommendation> cpu() {
    return RightSizing.cpu(grid, size, history.column(Measure.CPU), signs, numa, RULE);
  }

  /**
   * Advice about memory.
   *
   * @param tools whether VMware Tools run; null = not known
   */
  Answer<Recommendation> memory(@Nullable Boolean tools) {
    if (!history.has(Measure.GUEST_MEMORY) && Boolean.TRUE.equals(tools)) {
      return new Answer.NotKnown<>(
          "Tools run, but no source tells what the guest uses (guest|mem.needed_latest), so there is no advice about memory.");
    }
    return RightSizing.memory(
        grid,
        size,
        history.has(Measure.GUEST_MEMORY) ? history.column(Measure.GUEST_MEMORY) : null,
        signs,
        numa,
        RULE);
  }

  /** A recommendation that changes something. */
  Found found(Recommendation it, Answer<Recommendation> other) {
    boolean cpu = it.resource() == Resource.CPU;
    boolean small = it.kind() == Recommendation.Kind.UNDERSIZED;
    double[] column = demand(it.resource());
    DemandSummary demand = DemandSummary.of(grid, column, it.size(), RULE.seed());
    String key = history.key(cpu ? Measure.CPU : Measure.GUEST_MEMORY);
    return new Found(
        cpu ? Found.CPU : Found.MEMORY,
        "",
        small ? Found.TOO_SMALL : Found.TOO_LARGE,
        null,
        it.now(),
        it.size(),
        // What it would use above the size of today cannot be seen.
        small ? null : known(it.regret()),
        cpu ? it.givesBack() : null,
        cpu ? null : it.givesBack(),
        null,
        new Found.Evidence(
            unit(it.resource()),
            known(demand.p50()),
            known(demand.p95()),
            known(demand.p99()),
            known(fullHours(column, it.resource(), it.now())),
            null,
            it.proof().stream().map(SizeEvidence::proof).toList(),
            it.reason(),
            key == null ? null : new RecommendationSeries(key, factor(it.resource()), from, to),
            new RecommendationSize(
                it.need(),
                it.least(),
                it.most(),
                small ? null : known(demand.regretLeast()),
                small ? null : known(demand.regretMost()),
                known(it.waste()),
                known(it.wasteNow()),
                it.growthPerDay(),
                it.restart(),
                cpu ? numa.words((int) it.size()) : numa.memoryWords(it.size()),
                numa.coresPerNode() == 0 ? null : numa.coresPerNode(),
                known(numa.memoryGbPerNode())),
            other(cpu ? Resource.MEMORY : Resource.CPU, other),
            null,
            null));
  }

  private double[] demand(Resource resource) {
    return resource == Resource.CPU
        ? Arrays.stream(history.column(Measure.CPU)).map(v -> v / size.mhzPerVcpu()).toArray()
        : history.column(Measure.GUEST_MEMORY);
  }

  /** By which values of the metric are multiplied to be in vCPUs or GB. */
  private double factor(Resource resource) {
    return resource == Resource.CPU
        ? Measure.CPU.factor / size.mhzPerVcpu()
        : Measure.GUEST_MEMORY.factor;
  }

  /** Hours a week in which a machine was full; NaN = nothing is known. */
  static double fullHours(double[] demand, Resource resource, double size) {
    double full = resource == Resource.CPU ? RightSizing.FULL_CPU : RightSizing.FULL_MEMORY;
    return Regret.hoursPerWeek(
        Arrays.stream(demand).filter(value -> !Double.isNaN(value)).toArray(), full * size);
  }

  private static String unit(Resource resource) {
    return resource == Resource.CPU ? "vCPU" : "GB";
  }

  private static RecommendationProof proof(Evidence of) {
    return new RecommendationProof(
        RecommendationProof.SignEnum.fromValue(
            of.sign().name().toLowerCase(Locale.ROOT).replace('_', '-')),
        of.sign().words(),
        of.sign().unit(),
        of.p95(),
        of.hoursPerWeek());
  }

  private RecommendationOther other(Resource resource, Answer<Recommendation> answer) {
    boolean cpu = resource == Resource.CPU;
    Recommendation it = answer.orNull();
    return new RecommendationOther(
        cpu ? RecommendationOther.ResourceEnum.CPU : RecommendationOther.ResourceEnum.MEMORY,
        RecommendationOther.UnitEnum.fromValue(unit(resource)),
        cpu ? (double) size.vcpus() : size.memoryGb(),
        it == null ? null : Double.valueOf(it.size()),
        it == null ? null : known(it.p95()),
        answer instanceof Answer.NotKnown<Recommendation>(String because)
            ? because
            : it == null ? "" : it.reason());
  }

  /** Keys whose values tell whether a machine suffers, the better ones first. */
  static List<List<String>> suffering(Resource resource) {
    return resource == Resource.CPU
        ? List.of(Measure.READY.keys, Measure.CO_STOP.keys, Measure.LATENCY.keys)
        : List.of(
            List.of("mem|host_contentionPct", "mem|latency_average"),
            List.of("mem|swapinRate_average"),
            Measure.BALLOONED.keys,
            Measure.SWAPPED.keys);
  }
}
