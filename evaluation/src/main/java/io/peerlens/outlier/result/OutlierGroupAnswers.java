package io.peerlens.outlier.result;

import static java.util.Objects.requireNonNull;

import io.peerlens.api.model.OutlierBand;
import io.peerlens.api.model.OutlierException;
import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.OutlierGroupState;
import io.peerlens.api.model.OutlierMetric;
import io.peerlens.api.model.OutlierMetricNow;
import io.peerlens.api.model.OutlierNow;
import io.peerlens.api.model.OutlierSpan;
import io.peerlens.api.model.OutlierTransform;
import io.peerlens.api.model.RuleIssue;
import io.peerlens.database.Rows;
import io.peerlens.definition.StoredRule;
import io.peerlens.outlier.event.GroupEventQueries;
import io.peerlens.outlier.group.FlowOptions;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.ProposedDeviation;
import io.peerlens.outliers.Settings;
import io.peerlens.threshold.RuleChecks;
import io.peerlens.web.Durations;
import io.peerlens.words.MetricNameQueries;
import io.peerlens.words.MetricNames;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Outlier groups as the contract writes them. */
public final class OutlierGroupAnswers {

  /** A member is back below this part of what opens an event. */
  private static final BigDecimal CLOSES_AT = new BigDecimal("0.6");

  /** The score below which a member is back, exact in decimals: 2.7 for 4.5. */
  public static double closesBelow(double opensAt) {
    return CLOSES_AT.multiply(BigDecimal.valueOf(opensAt)).doubleValue();
  }

  private static final int MOST_TICKS = 60;
  private static final int MOST_DEVIANTS = 10;

  private final GroupStateQueries states;
  private final GroupEventQueries events;
  private final RuleChecks checks;
  private final MetricNameQueries metricNames;
  private final InstantSource clock;

  public OutlierGroupAnswers(
      GroupStateQueries states,
      GroupEventQueries events,
      RuleChecks checks,
      MetricNameQueries metricNames,
      InstantSource clock) {
    this.states = states;
    this.events = events;
    this.checks = checks;
    this.metricNames = metricNames;
    this.clock = clock;
  }

  /** Groups with all that is known of them, in order. */
  public List<io.peerlens.api.model.OutlierGroup> of(
      List<StoredRule<OutlierGroupEdit, OutlierGroup>> page) {
    List<UUID> ids = page.stream().map(StoredRule::id).toList();
    List<OutlierGroup> groups = page.stream().map(StoredRule::rule).toList();
    Instant now = clock.instant();
    Known known =
        new Known(
            states.brief(groups),
            states.whole(ids),
            events.deviants(ids),
            events.lastDay(ids, now),
            events.lastMonth(ids, now),
            events.exceptions(ids, now));
    MetricNames names = new MetricNames(metricNames);
    RuleChecks.Check check = checks.check(groups.stream().map(OutlierGroup::scope).toList());
    return page.stream().map(one -> answer(one, known, names, issues(one.rule(), check))).toList();
  }

  /** The score from which on a bucket of a group counts. */
  public double threshold(OutlierGroup group) {
    return group
        .settings(new MetricNames(metricNames).units(group.kind(), group.keys()))
        .threshold();
  }

  /** What the members of a group are compared in. */
  public List<OutlierMetric> metrics(OutlierGroup group) {
    MetricNames names = new MetricNames(metricNames);
    return metrics(group, names.units(group.kind(), group.keys()), names);
  }

  /** What a group names that does not exist here. */
  public List<RuleIssue> issues(OutlierGroup group) {
    return issues(group, checks.check(List.of(group.scope())));
  }

  /** Facts about all groups of a page, read by several queries. */
  private record Known(
      Map<UUID, GroupStateQueries.Brief> brief,
      Map<UUID, GroupStateQueries.Whole> whole,
      Map<UUID, List<GroupEventQueries.Deviant>> deviants,
      Map<UUID, List<OutlierSpan>> lastDay,
      Map<UUID, Integer> lastMonth,
      Map<UUID, List<OutlierException>> exceptions) {}

  private static List<RuleIssue> issues(OutlierGroup group, RuleChecks.Check check) {
    if (check.kind("objectKind", group.kind())) {
      for (int i = 0; i < group.metrics().size(); i++) {
        check.key("metrics[" + i + "].key", group.kind(), group.metrics().get(i).key());
      }
    }
    check.scope("scope", group.scope());
    return check.issues();
  }

  private static io.peerlens.api.model.OutlierGroup answer(
      StoredRule<OutlierGroupEdit, OutlierGroup> stored,
      Known known,
      MetricNames names,
      List<RuleIssue> issues) {
    OutlierGroup group = stored.rule();
    OutlierGroupEdit edit = stored.edit();
    UUID id = stored.id();
    GroupStateQueries.Brief brief = requireNonNull(known.brief().get(id));
    List<@Nullable String> units = names.units(group.kind(), group.keys());
    Settings settings = group.settings(units);
    io.peerlens.api.model.OutlierGroup answer =
        new io.peerlens.api.model.OutlierGroup(
                id,
                group.name(),
                edit.getDescription(),
                group.enabled(),
                edit.getObjectKind(),
                requireNonNull(edit.getScope()),
                metrics(group, units, names),
                requireNonNull(edit.getSide()),
                requireNonNull(edit.getMethod()),
                requireNonNull(edit.getSensitivity()),
                settings.threshold(),
                closesBelow(settings.threshold()),
                Durations.print(group.bucket()),
                group.bucket().toMillis(),
                Durations.print(group.delay()),
                requireNonNull(edit.getOpens()),
                group.closesAfter(),
                known.exceptions().getOrDefault(id, List.of()),
                stored.pack(),
                issues,
                now(
                    group,
                    brief,
                    known.whole().get(id),
                    known.deviants().getOrDefault(id, List.of()),
                    units,
                    names),
                brief.open(),
                known.lastDay().getOrDefault(id, List.of()),
                known.lastMonth().getOrDefault(id, 0),
                brief.lastChange(),
                stored.version(),
                stored.createdAt(),
                stored.createdBy(),
                stored.updatedAt(),
                stored.updatedBy())
            .groupEvent(edit.getGroupEvent())
            .properties(edit.getProperties())
            .alert(edit.getAlert());
    answer.setConfiguration(edit.getConfiguration());
    return answer;
  }

  private static List<OutlierMetric> metrics(
      OutlierGroup group, List<@Nullable String> units, MetricNames names) {
    List<OutlierMetric> metrics = new ArrayList<>();
    for (int i = 0; i < units.size(); i++) {
      OutlierGroup.Metric metric = group.metrics().get(i);
      ProposedDeviation proposed = ProposedDeviation.of(units.get(i));
      OutlierTransform transform = OutlierTransform.valueOf(metric.transform().name());
      metrics.add(
          new OutlierMetric(
                  metric.key(),
                  names.words(metric.key()),
                  units.get(i),
                  metric.minDeviation(),
                  proposed.least(),
                  transform,
                  isLog(transform, proposed))
              .flow(FlowOptions.of(metric.key())));
    }
    return metrics;
  }

  public static boolean isLog(OutlierTransform transform, ProposedDeviation proposed) {
    return transform == OutlierTransform.LOG
        || transform == OutlierTransform.AUTO && proposed.log();
  }

  // Now -----------------------------------------------------------------------------------------

  private static OutlierNow now(
      OutlierGroup group,
      GroupStateQueries.Brief brief,
      GroupStateQueries.@Nullable Whole whole,
      List<GroupEventQueries.Deviant> deviants,
      List<@Nullable String> units,
      MetricNames names) {
    if (whole == null || !group.enabled()) {
      return new OutlierNow(brief.state(), null, 0, 0, List.of(), List.of(), null);
    }
    List<OutlierMetricNow> metrics = new ArrayList<>();
    for (int m = 0; m < group.metrics().size(); m++) {
      int at = whole.metrics().indexOf(group.keys().get(m));
      if (at >= 0) {
        metrics.add(metric(group.keys().get(m), units.get(m), at, whole, deviants, names));
      }
    }
    return new OutlierNow(
        brief.state(),
        whole.bucket(),
        whole.members().length,
        whole.judged(),
        metrics,
        deviants.stream()
            .filter(GroupEventQueries.Deviant::isOfConfiguration)
            .limit(MOST_DEVIANTS)
            .map(GroupEventQueries.Deviant::deviant)
            .toList(),
        whole.error());
  }

  private static OutlierMetricNow metric(
      String key,
      @Nullable String unit,
      int metric,
      GroupStateQueries.Whole whole,
      List<GroupEventQueries.Deviant> deviants,
      MetricNames names) {
    List<GroupEventQueries.Deviant> in =
        deviants.stream().filter(deviant -> deviant.isIn(key)).toList();
    double[] values = values(whole, metric);
    OutlierMetricNow now =
        new OutlierMetricNow(
            key,
            names.words(key),
            unit,
            in.isEmpty()
                ? OutlierGroupState.fromValue(whole.states()[metric])
                : OutlierGroupState.DEVIANTS,
            whole.judgedOf()[metric],
            Rows.finite(whole.centre()[metric]),
            Rows.finite(whole.lower()[metric]),
            Rows.finite(whole.upper()[metric]),
            ticks(values),
            bands(values, whole.bands()[metric]),
            in.stream().limit(MOST_DEVIANTS).map(deviant -> deviant.in(key)).toList());
    return whole.usual().isEmpty() ? now : now.usual(whole.usual().get(metric));
  }

  /** Values of the members, ascending. */
  private static double[] values(GroupStateQueries.Whole whole, int metric) {
    double[] values = new double[whole.members().length];
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      float value = whole.values()[whole.at(metric, i)];
      if (Float.isFinite(value)) {
        values[count++] = value;
      }
    }
    double[] sorted = Arrays.copyOf(values, count);
    Arrays.sort(sorted);
    return sorted;
  }

  /** All of them, or some that stand for all, with the least and the greatest. */
  public static List<Double> ticks(double[] sorted) {
    List<Double> ticks = new ArrayList<>();
    int count = Math.min(MOST_TICKS, sorted.length);
    for (int i = 0; i < count; i++) {
      int at =
          sorted.length <= MOST_TICKS
              ? i
              : (int) Math.round(i * (sorted.length - 1.0) / (count - 1));
      ticks.add(sorted[at]);
    }
    return ticks;
  }

  private static List<OutlierBand> bands(double[] sorted, int lower) {
    if (lower <= 0 || lower >= sorted.length) {
      return List.of();
    }
    return List.of(
        new OutlierBand(sorted[0], sorted[lower - 1], lower),
        new OutlierBand(sorted[lower], sorted[sorted.length - 1], sorted.length - lower));
  }
}
