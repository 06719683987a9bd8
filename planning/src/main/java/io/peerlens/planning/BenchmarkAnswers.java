package io.peerlens.planning;

import io.peerlens.api.model.BenchmarkComparison;
import io.peerlens.api.model.BenchmarkCurve;
import io.peerlens.api.model.BenchmarkDifference;
import io.peerlens.api.model.BenchmarkFigure;
import io.peerlens.api.model.BenchmarkHostChange;
import io.peerlens.api.model.BenchmarkHostMetric;
import io.peerlens.api.model.BenchmarkImport;
import io.peerlens.api.model.BenchmarkLatencies;
import io.peerlens.api.model.BenchmarkMixture;
import io.peerlens.api.model.BenchmarkOutcome;
import io.peerlens.api.model.BenchmarkPoint;
import io.peerlens.api.model.BenchmarkProblem;
import io.peerlens.api.model.BenchmarkProfileMatch;
import io.peerlens.api.model.BenchmarkRun;
import io.peerlens.api.model.BenchmarkRunSummary;
import io.peerlens.api.model.BenchmarkSteady;
import io.peerlens.api.model.BenchmarkTheoreticalShare;
import io.peerlens.api.model.BenchmarkTotalChange;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.planning.BenchmarkImportStore.Import;
import io.peerlens.planning.BenchmarkRunStore.Stored;
import io.peerlens.planning.BenchmarkRunStore.Tested;
import io.peerlens.profile.LoadProfile;
import io.peerlens.run.Run;
import io.peerlens.run.reading.Criteria;
import io.peerlens.run.reading.Curve;
import io.peerlens.run.reading.Drift;
import io.peerlens.run.reading.Reading;
import io.peerlens.run.reading.RunComparison;
import io.peerlens.run.reading.SteadyState;
import io.peerlens.run.reading.TheoreticalMaximum;
import io.peerlens.web.Doubles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Answers of the API about results of benchmarks. */
final class BenchmarkAnswers {

  private BenchmarkAnswers() {}

  static BenchmarkImport of(Import of) {
    return new BenchmarkImport(
        of.origin().id(),
        of.origin().jobId(),
        of.origin().fileName(),
        of.origin().size(),
        BenchmarkImport.StateEnum.fromValue(of.state()),
        of.runs(),
        of.problems().stream()
            .map(one -> new BenchmarkProblem(one.file(), one.line(), one.what(), one.remedy()))
            .toList(),
        of.origin().importedAt(),
        of.origin().importedBy());
  }

  /**
   * A run.
   *
   * @param ownParameters those of people
   */
  static BenchmarkRun run(
      Stored of, BenchmarkReadings.Alone alone, Map<String, String> ownParameters) {
    BenchmarkRun answer =
        new BenchmarkRun(
            summary(of, alone.shape()),
            ownParameters,
            steady(alone.shape().steady().judgement()),
            alone.shape().steady().sentence(),
            of.run().latencies().stream()
                .map(
                    one ->
                        new BenchmarkLatencies(
                            BenchmarkLatencies.DirectionEnum.valueOf(one.direction().name()),
                            Doubles.of(one.bounds()),
                            Doubles.of(one.counts())))
                .toList(),
            of.run().remarks());
    answer.setChange(of.change());
    Drift drift = alone.drift();
    if (drift != null) {
      answer.setDrift(drift.sentence());
      answer.setDriftAlert(drift.alert());
    }
    return answer;
  }

  /**
   * A run in a list.
   *
   * @param shape null = it was deleted meanwhile
   */
  static BenchmarkRunSummary summary(Stored of, BenchmarkShapes.@Nullable Shape shape) {
    Run run = of.run();
    BenchmarkRunSummary summary =
        new BenchmarkRunSummary(
            of.id(),
            of.importId(),
            run.tool(),
            run.version(),
            run.name(),
            of.reference(),
            run.parameters(),
            run.figures().stream()
                .map(
                    one ->
                        new BenchmarkFigure(
                            one.name(),
                            one.unit(),
                            Double.isFinite(one.value()) ? one.value() : null,
                            one.toolValue(),
                            one.reason()))
                .toList(),
            shape == null ? BenchmarkSteady.NOT_KNOWN : steady(shape.steady().judgement()),
            shape == null ? List.of() : Doubles.of(shape.load()),
            of.importedAt(),
            of.importedBy());
    summary.setNote(of.note());
    if (shape != null && shape.steady().judgement() == SteadyState.Judgement.STEADY) {
      summary.setSteadyFromSeconds(shape.steady().from());
    }
    summary.setStart(run.start());
    summary.setMeasuredSeconds(run.length().isZero() ? null : run.length().toMillis() / 1000.0);
    Tested tested = of.tested();
    if (tested != null) {
      summary.setObject(
          new ObjectRef(tested.uuid(), tested.adapterKind(), tested.objectKind(), tested.name()));
    }
    return summary;
  }

  static BenchmarkCurve curve(BenchmarkReadings.Read read, Map<Run, UUID> ids) {
    Curve curve = read.curve();
    BenchmarkCurve answer =
        new BenchmarkCurve(
            read.sweep().parameter(),
            read.sweep().title(),
            curve.sentence(),
            curve.load().unit(),
            curve.points().stream()
                .map(
                    one ->
                        new BenchmarkPoint(
                            one.value(),
                            one.load().mean(),
                            one.load().range().low(),
                            one.load().range().high(),
                            one.latency().mean(),
                            one.latency().range().low(),
                            one.latency().range().high(),
                            steady(one.steady()),
                            one.repeats(),
                            one.runs().stream().map(ids::get).toList()))
                .toList(),
            curve.remarks());
    Reading reading = read.reading();
    if (reading != null) {
      answer.setReading(reading.sentence());
      answer.setReadingLoad(reading.load());
      answer.setReadingState(
          switch (reading) {
            case Reading.Reached ignored -> BenchmarkCurve.ReadingStateEnum.REACHED;
            case Reading.AtLeast ignored -> BenchmarkCurve.ReadingStateEnum.AT_LEAST;
            case Reading.NotReached ignored -> BenchmarkCurve.ReadingStateEnum.NOT_REACHED;
            case Reading.Unknown ignored -> BenchmarkCurve.ReadingStateEnum.NOT_KNOWN;
          });
    }
    TheoreticalMaximum.Share share = read.share();
    if (share != null) {
      answer.setTheoretical(
          new BenchmarkTheoreticalShare(
              share.maximum().total(), share.percent(), share.sentence()));
    }
    return answer;
  }

  static BenchmarkOutcome outcome(Criteria.Outcome of) {
    BenchmarkOutcome answer =
        new BenchmarkOutcome(
            of.criterion().name(),
            BenchmarkOutcome.StateEnum.valueOf(of.status().name()),
            of.sentence(),
            of.judged(),
            of.met());
    answer.setValue(of.value());
    answer.setMargin(of.margin());
    answer.setMarginPercent(of.marginPercent());
    return answer;
  }

  private static BenchmarkSteady steady(SteadyState.Judgement judgement) {
    return BenchmarkSteady.valueOf(judgement.name());
  }

  static BenchmarkComparison comparison(
      RunComparison comparison, BenchmarkHosts.Answer run, BenchmarkHosts.Answer base) {
    List<BenchmarkHostChange> hosts = new ArrayList<>();
    for (BenchmarkHosts.Metric one : run.metrics()) {
      base.metrics().stream()
          .filter(other -> other.key().equals(one.key()))
          .forEach(
              other ->
                  hosts.add(
                      new BenchmarkHostChange(
                          one.key(), one.name(), one.unit(), one.mean(), other.mean())));
    }
    return new BenchmarkComparison(
        comparison.sentence(),
        comparison.differences().stream()
            .map(one -> new BenchmarkDifference(one.parameter(), one.a(), one.b()))
            .toList(),
        comparison.totals().stream()
            .map(
                one ->
                    new BenchmarkTotalChange(
                        one.name(), one.unit(), one.a(), one.b(), one.percent()))
            .toList(),
        hosts,
        comparison.warnings());
  }

  static io.peerlens.api.model.BenchmarkHosts hosts(BenchmarkHosts.Answer of) {
    return new io.peerlens.api.model.BenchmarkHosts(
        of.metrics().stream()
            .map(
                one -> {
                  BenchmarkHostMetric metric =
                      new BenchmarkHostMetric(
                          one.key(),
                          one.name(),
                          one.unit(),
                          one.mean(),
                          one.highest(),
                          one.highestHost(),
                          one.hosts());
                  metric.setBefore(one.before());
                  return metric;
                })
            .toList(),
        of.hosts(),
        of.sentence());
  }

  static BenchmarkProfileMatch match(BenchmarkProfiles.Beside of) {
    LoadProfileStore.Stored profile = of.profile();
    LoadProfile group = of.group();
    BenchmarkProfileMatch answer =
        new BenchmarkProfileMatch(
            profile == null
                ? "Not known: there is no load profile of what was tested."
                : of.match().sentence(),
            group == null
                ? List.of()
                : group.mixture().clusters().stream()
                    .map(one -> new BenchmarkMixture(one.name(), 100 * one.shareOfHours()))
                    .toList());
    if (profile != null) {
      answer.setProfile(profile.id());
      answer.setFrom(LoadProfileStore.moment(profile.request().getFrom()));
      answer.setTo(LoadProfileStore.moment(profile.request().getTo()));
    }
    if (group != null) {
      answer.setGroup(group.name());
    }
    if (of.match().test() != null) {
      answer.setTest(of.match().test().words());
    }
    answer.setPercent(of.match().percent());
    return answer;
  }
}
