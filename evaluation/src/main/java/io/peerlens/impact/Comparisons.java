package io.peerlens.impact;

import io.peerlens.api.model.ComparedMetric;
import io.peerlens.api.model.ComparedPeriod;
import io.peerlens.api.model.ComparedValues;
import io.peerlens.api.model.Comparison;
import io.peerlens.api.model.ComparisonDirection;
import io.peerlens.api.model.ComparisonJudgement;
import io.peerlens.api.model.ComparisonPairing;
import io.peerlens.api.model.Goal;
import io.peerlens.api.model.GoalMetric;
import io.peerlens.baselines.compare.Direction;
import io.peerlens.baselines.compare.PerformanceIndex;
import io.peerlens.baselines.compare.PeriodComparison;
import io.peerlens.baselines.compare.PeriodTest;
import io.peerlens.baselines.compare.PeriodVerdict;
import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.web.ApiException;
import io.peerlens.words.MetricNameQueries;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Comparison of two periods by the metrics of a goal, or by those that somebody names. */
final class Comparisons {

  /** Objects x metrics x instances of one side. */
  private static final int MOST_SERIES = 500;

  private final ComparisonQueries queries;
  private final PeriodReader reader;
  private final MetricNameQueries names;

  Comparisons(ComparisonQueries queries, PeriodReader reader, MetricNameQueries names) {
    this.queries = queries;
    this.reader = reader;
    this.names = names;
  }

  /**
   * Question of a comparison.
   *
   * @param goal null = {@code metrics} are asked for
   * @param metrics of the goal, or one for each key that was named
   * @param relative the smallest change that matters, as a share
   * @param change the id of the change that is asked about; 0 = none
   */
  record Asked(
      ComparisonSide a,
      ComparisonSide b,
      @Nullable Goal goal,
      List<GoalMetric> metrics,
      ZoneId zone,
      double relative,
      long change) {}

  /** A metric that is compared: the key by which it is reported, and those it stands for. */
  private record Subject(GoalMetric wanted, MetricKey key, List<MetricKey> series) {}

  Comparison compare(Asked asked) {
    Set<UUID> objects = new HashSet<>(asked.a().ids());
    objects.addAll(asked.b().ids());
    ReportedMetrics reported = queries.reported(objects);
    List<Subject> subjects = subjects(asked, reported);
    check(subjects, asked.a());
    check(subjects, asked.b());
    List<List<MetricKey>> series = subjects.stream().map(Subject::series).toList();
    PeriodReader.Both both = reader.read(asked.a(), asked.b(), series, asked.zone());
    PeriodReader.Read a = both.a();
    PeriodReader.Read b = both.b();
    List<PeriodComparison.Metric> metrics = new ArrayList<>();
    for (int i = 0; i < subjects.size(); i++) {
      metrics.add(
          new PeriodComparison.Metric(
              a.metrics().get(i).period(),
              b.metrics().get(i).period(),
              direction(subjects.get(i).wanted().getDirection()),
              asked.relative(),
              0));
    }
    List<PeriodComparison.Outcome> outcomes = PeriodComparison.compare(metrics);
    List<ComparedMetric> compared = new ArrayList<>();
    List<PerformanceIndex.Part> parts = new ArrayList<>();
    for (int i = 0; i < subjects.size(); i++) {
      Subject subject = subjects.get(i);
      PeriodComparison.Outcome outcome = outcomes.get(i);
      compared.add(
          metric(
              subject,
              reported.unit(subject.key()),
              outcome,
              a.metrics().get(i).coverage(),
              b.metrics().get(i).coverage(),
              asked.goal() != null));
      if (subject.wanted().getWeight() > 0) {
        parts.add(
            new PerformanceIndex.Part(
                outcome, metrics.get(i).direction(), subject.wanted().getWeight()));
      }
    }
    Double index = asked.goal() == null ? null : number(PerformanceIndex.of(parts));
    Verdict verdict = Verdict.of(asked.goal(), index, compared);
    return new Comparison(
        verdict.sentence(),
        verdict.judgement(),
        verdict.certainty(),
        asked.goal() == null ? null : asked.goal().getId(),
        index,
        period(asked.a()),
        period(asked.b()),
        both.step().toMillis(),
        compared,
        new Warnings(asked, compared, a, b).list(queries));
  }

  /**
   * A goal's metrics that the objects do not have are left out; those that somebody named are not.
   */
  private static List<Subject> subjects(Asked asked, ReportedMetrics reported) {
    List<Subject> subjects = new ArrayList<>();
    for (GoalMetric wanted : asked.metrics()) {
      MetricKey key =
          asked.goal() == null
              ? MetricKey.parse(wanted.getKeys().getFirst())
              : wanted.getKeys().stream()
                  .map(reported::find)
                  .filter(Objects::nonNull)
                  .findFirst()
                  .orElse(null);
      if (key != null) {
        subjects.add(new Subject(wanted, key, reported.expand(key)));
      }
    }
    return subjects;
  }

  private static void check(List<Subject> subjects, ComparisonSide side) {
    int keys = subjects.stream().mapToInt(subject -> subject.series().size()).sum();
    int series = keys * side.objects().size();
    if (series > MOST_SERIES) {
      throw ApiException.invalidField(
              "keys",
              "%,d metrics with their instances of %,d objects are %,d series; the limit is %,d"
                  .formatted(keys, side.objects().size(), series, MOST_SERIES))
          .hint("Compare fewer metrics or objects at once.");
    }
  }

  private ComparedMetric metric(
      Subject subject,
      @Nullable String unit,
      PeriodComparison.Outcome outcome,
      double coverageA,
      double coverageB,
      boolean weighted) {
    PeriodTest.Result test = outcome.test();
    MetricKey key = subject.key();
    String name = names.name(key.toString());
    return new ComparedMetric(
        key.toString(),
        named(name, key),
        unit,
        key.group().equals("net"),
        subject.wanted().getDirection(),
        weighted ? subject.wanted().getWeight() : null,
        judgement(outcome.judgement()),
        judgement(outcome.level()),
        judgement(outcome.tail()),
        ComparisonPairing.valueOf(test.pairing().name()),
        values(test.countA(), test.effectiveA(), coverageA, test.medianA(), test.p95A()),
        values(test.countB(), test.effectiveB(), coverageB, test.medianB(), test.p95B()),
        number(test.shift()),
        number(test.low()),
        number(test.high()),
        number(outcome.levelP()),
        number(outcome.tailP()));
  }

  /** The name says already which flows are meant, but not which instance. */
  private static String named(String name, MetricKey key) {
    boolean whole = key.instance().isEmpty() || key.instance().equals(ReportedMetrics.ALL);
    return whole || FlowMetric.parse(key.toString()) != null ? name : name + ", " + key.instance();
  }

  private static ComparedValues values(
      int count, double effective, double coverage, double median, double p95) {
    return new ComparedValues(count, number(effective), coverage, number(median), number(p95));
  }

  private static ComparedPeriod period(ComparisonSide side) {
    return new ComparedPeriod(side.objects(), side.from(), side.to());
  }

  private static Direction direction(ComparisonDirection direction) {
    return switch (direction) {
      case LOWER -> Direction.LOWER_IS_BETTER;
      case HIGHER -> Direction.HIGHER_IS_BETTER;
      case NEITHER -> Direction.NEITHER;
    };
  }

  private static ComparisonJudgement judgement(PeriodVerdict judgement) {
    return ComparisonJudgement.valueOf(judgement.name());
  }

  /** What JSON has a number for. */
  private static @Nullable Double number(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
