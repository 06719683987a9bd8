package io.peerlens.learning;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.Talker;
import io.peerlens.api.model.TalkerMeasure;
import io.peerlens.baselines.Sensitivity;
import io.peerlens.flow.rank.TalkerDirection;
import io.peerlens.frame.Frames;
import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.flow.FlowPart;
import io.peerlens.ingest.flow.TrafficType;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.talker.FlowCondition;
import io.peerlens.talker.TalkerAnswers;
import io.peerlens.talker.TalkerNameQueries;
import io.peerlens.talker.UsualTraffic;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The usual traffic of objects in the hours of a question, from the learned bounds of their flow
 * metrics. The bound of an hour is on its highest five minutes, so the sum over hours is a generous
 * one: what is above it is unusual for sure. Thread-safe.
 */
final class LearnedTraffic implements UsualTraffic {

  /** Over longer a sum of bounds says nothing any more. */
  private static final Duration LONGEST = Duration.ofDays(2);

  private final PastBands bands;
  private final Frames frames;
  private final TalkerNameQueries objects;

  LearnedTraffic(PastBands bands, Frames frames, TalkerNameQueries objects) {
    this.bands = bands;
    this.frames = frames;
    this.objects = objects;
  }

  @Override
  public double[] most(
      List<Talker> talkers,
      FlowCondition condition,
      TalkerMeasure measure,
      Instant from,
      Instant to) {
    double[] most = new double[talkers.size()];
    Arrays.fill(most, Double.NaN);
    List<FlowMetric> metrics = metrics(measure, condition.direction());
    if (!condition.isOnlyOfType()
        || condition.type() == TrafficType.EXTERNAL
        || metrics.isEmpty()
        || Duration.between(from, to).compareTo(LONGEST) > 0) {
      return most;
    }
    Map<UUID, Integer> ids =
        objects.ids(
            talkers.stream()
                .map(Talker::getObject)
                .filter(o -> o != null)
                .map(ObjectRef::getId)
                .toList());
    if (ids.isEmpty()) {
      return most;
    }
    Set<Integer> wanted = new HashSet<>(ids.values());
    LearnedBands during = bands.during(from, to, wanted::contains);
    FlowPart part = new FlowPart(condition.type(), List.of());
    ObjectGraph graph = frames.objects();
    for (int i = 0; i < most.length; i++) {
      ObjectRef object = talkers.get(i).getObject();
      Integer id = object == null ? null : ids.get(object.getId());
      if (object != null && id != null) {
        ObjectKind kind = new ObjectKind(object.getAdapterKind(), object.getObjectKind());
        int number = graph.number(kind, id);
        most[i] =
            number < 0
                ? Double.NaN
                : metrics.stream()
                    .mapToDouble(
                        metric -> sum(during, kind, metric.key(part), graph, number, from, to))
                    .sum();
      }
    }
    return most;
  }

  private static List<FlowMetric> metrics(TalkerMeasure measure, TalkerDirection direction) {
    io.peerlens.ingest.flow.TalkerMeasure counted = TalkerAnswers.counted(measure);
    return Arrays.stream(FlowMetric.values())
        .filter(metric -> metric.rate() && metric.measure() == counted)
        .filter(
            metric ->
                switch (direction) {
                  case BOTH -> true;
                  case RECEIVED -> metric.received();
                  case SENT -> !metric.received();
                })
        .toList();
  }

  /** A rate at its upper bound all the time; NaN = an hour has none. */
  private static double sum(
      LearnedBands during,
      ObjectKind kind,
      String key,
      ObjectGraph graph,
      int number,
      Instant from,
      Instant to) {
    double sum = 0;
    for (Instant hour = from; hour.isBefore(to); ) {
      Instant next = hour.truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS);
      Instant end = next.isBefore(to) ? next : to;
      LearnedRange range = during.at(kind, key, graph, hour.toEpochMilli());
      if (range == null) {
        return Double.NaN;
      }
      double upper = range.upper()[number] + Sensitivity.MEDIUM.margin() * range.spread()[number];
      sum += upper * Duration.between(hour, end).toMillis() / 1e3;
      hour = end;
    }
    return sum;
  }
}
