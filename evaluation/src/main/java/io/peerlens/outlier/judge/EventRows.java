package io.peerlens.outlier.judge;

import static java.util.Objects.requireNonNull;

import io.peerlens.alert.Finding;
import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierExplanation;
import io.peerlens.database.Rows;
import io.peerlens.outlier.group.CloseReason;
import io.peerlens.outlier.judge.BucketJudge.Step;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.GroupShift;
import io.peerlens.outliers.Judgement;
import io.peerlens.words.MetricNames;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows of outlier events, made from the method's events; remembers those that are open. */
public final class EventRows {

  /** A score that grew by this factor is worth a step in the history. */
  private static final double NOTABLE = 1.5;

  private final MetricNames names;
  private final OutlierExplanations explanations;

  EventRows(MetricNames names, OutlierExplanations explanations) {
    this.names = names;
    this.explanations = explanations;
  }

  /** The id follows from what the event is about, so that it is the same wherever it is found. */
  private static UUID id(UUID group, Event event) {
    String name = group + " " + event.member() + " " + event.openedAt();
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  /** An event opens, goes on, or opens again. */
  void continues(Step step, Event event, boolean reopened) {
    Watch watch = step.watch();
    int place = event.member() < 0 ? -1 : step.place(event.member());
    boolean shifted = event.member() == Event.SHIFT;
    OpenEvent before = watch.open.get(event.member());
    UUID id = id(watch.group.id(), event);
    List<OutlierEventMetric> metrics =
        event.status() == Event.Status.UNKNOWN && before != null
            ? null
            : metrics(step, place, shifted, event.metrics());
    OutlierExplanation explanation =
        metrics == null
            ? null
            : explanations.of(
                new OutlierExplanations.Situation(
                    watch.group,
                    watch.settings,
                    step.judgement(),
                    place,
                    event,
                    metrics,
                    step.objects(),
                    step.bucket()));
    boolean isPeak = before == null || event.peakScore() != before.peak();
    OpenEvent now =
        new OpenEvent(
            id,
            event.member(),
            event.status(),
            event.high(),
            begin(step, event.since()),
            event.peakScore(),
            isPeak || before == null ? step.bucket() : before.peakAt(),
            event.violations(),
            event.of(),
            metrics == null || metrics.isEmpty() ? lead(before) : lead(metrics.getFirst()),
            explanation == null
                ? before == null ? Finding.Explained.NOTHING : before.explained()
                : new Finding.Explained(
                    explanation.getText(), explanation.getStrong(), explanation.getMoments()));
    watch.open.put(event.member(), now);
    step.found()
        .events
        .add(
            new OutlierChanges.EventRow(
                id,
                watch.group,
                event,
                step.end(),
                now.peakAt(),
                step.judgement().judged(),
                step.judgement().members(),
                metrics,
                explanation));
    String kind = kind(before, now, reopened, limit(watch, event));
    if (kind != null) {
      step.found().steps.add(step(step, event.score(), id, kind, now, null));
    }
  }

  private static double limit(Watch watch, Event event) {
    return event.member() == Event.SHIFT && watch.rule != null
        ? watch.rule.margin()
        : watch.settings.threshold();
  }

  /** Which step of its history it is; null = none that is worth telling. */
  private static @Nullable String kind(
      @Nullable OpenEvent before, OpenEvent now, boolean reopened, double limit) {
    if (reopened) {
      return "reopened";
    }
    if (before == null) {
      return "opened";
    }
    if (before.isUnknown() != now.isUnknown()) {
      return now.isUnknown() ? "unknown" : "known";
    }
    return before.high() != now.high()
            || grade(now.peak(), limit) > grade(before.peak(), limit)
            || !before.lead().key().equals(now.lead().key())
        ? "updated"
        : null;
  }

  private static int grade(double score, double limit) {
    return (int) Math.floor(Math.log(Math.max(1, Math.abs(score) / limit)) / Math.log(NOTABLE));
  }

  /** The event of an object, or of the group, is over, unless somebody has closed it already. */
  void close(Step step, int object, CloseReason reason) {
    OpenEvent before = step.watch().open.remove(object);
    if (before == null) {
      return;
    }
    step.found().closed.add(new OutlierChanges.Closed(before.id(), step.end(), reason));
    step.found().steps.add(step(step, Double.NaN, before.id(), "closed", before, reason.label()));
  }

  private static OutlierChanges.Step step(
      Step step, double score, UUID id, String kind, OpenEvent now, @Nullable String note) {
    return new OutlierChanges.Step(
        id,
        step.end(),
        kind,
        Rows.finite(score),
        Rows.finite(now.lead().value()),
        now.lead().key().isEmpty() ? null : now.lead().key(),
        now.lead().unit(),
        note,
        now.explained().text().isEmpty() ? null : now.explained().text());
  }

  private static Instant begin(Step step, long end) {
    return Instant.ofEpochMilli(end).minus(step.watch().width());
  }

  private static OpenEvent.Lead lead(@Nullable OpenEvent before) {
    return before == null
        ? new OpenEvent.Lead("", null, Double.NaN, Double.NaN, Double.NaN)
        : before.lead();
  }

  static OpenEvent.Lead lead(OutlierEventMetric metric) {
    return new OpenEvent.Lead(
        metric.getKey(),
        metric.getUnit(),
        orNaN(metric.getValue()),
        orNaN(metric.getLower()),
        orNaN(metric.getUpper()));
  }

  private static double orNaN(@Nullable Double number) {
    return number == null ? Double.NaN : number;
  }

  /** The metrics that make an event, the most telling first; the first one if nobody knows. */
  private List<OutlierEventMetric> metrics(Step step, int place, boolean shifted, int bits) {
    List<Integer> making = new ArrayList<>();
    for (int m = 0; m < step.watch().group.metrics().size(); m++) {
      if ((bits & 1 << m) != 0) {
        making.add(m);
      }
    }
    if (making.isEmpty()) {
      making.add(0);
    }
    Judgement j = step.judgement();
    if (place >= 0) {
      making.sort(
          Comparator.comparingDouble((Integer m) -> -zeroIfNaN(Math.abs(j.score(m, place)))));
    }
    return making.stream().map(m -> shifted ? shifted(step, m) : metric(step, place, m)).toList();
  }

  private static double zeroIfNaN(double number) {
    return Double.isNaN(number) ? 0 : number;
  }

  /** One metric of an event. */
  private OutlierEventMetric metric(Step step, int place, int metric) {
    Judgement j = step.judgement();
    Watch watch = step.watch();
    double limit = watch.settings.threshold();
    String key = watch.group.metrics().get(metric).key();
    double value = place < 0 ? Double.NaN : j.value(metric, place);
    double centre = j.centre(metric);
    return new OutlierEventMetric(
        key,
        names.words(key),
        watch.units.get(metric),
        Rows.finite(value),
        Rows.finite(centre),
        Rows.finite(place < 0 ? j.lower(metric, limit) : j.lower(metric, place, limit)),
        Rows.finite(place < 0 ? j.upper(metric, limit) : j.upper(metric, place, limit)),
        Rows.finite(place < 0 ? Double.NaN : j.score(metric, place)),
        factor(value, centre));
  }

  /** One metric of a group whose median is not where it usually is. */
  private OutlierEventMetric shifted(Step step, int metric) {
    Watch watch = step.watch();
    String key = watch.group.metrics().get(metric).key();
    double centre = step.judgement().centre(metric);
    GroupShift shift = requireNonNull(watch.shift);
    return new OutlierEventMetric(
        key,
        names.words(key),
        watch.units.get(metric),
        null,
        Rows.finite(centre),
        Rows.finite(requireNonNull(step.bounds(GroupShift.Usual::lower))[metric]),
        Rows.finite(requireNonNull(step.bounds(GroupShift.Usual::upper))[metric]),
        Rows.finite(shift.score(centre, requireNonNull(step.usual()).get(metric), metric)),
        null);
  }

  /** A value by the middle of the group, of 3 digits; null where that says nothing. */
  public static @Nullable Double factor(double value, double centre) {
    if (!(value >= 0 && centre > 0)) {
      return null;
    }
    double factor = value / centre;
    double scale = factor >= 10 ? 10 : 100;
    return Double.isFinite(factor) ? Math.round(factor * scale) / scale : null;
  }
}
