package io.peerlens.outlier.group;

import io.peerlens.baselines.Sensitivity;
import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.outliers.GroupShift;
import io.peerlens.outliers.Method;
import io.peerlens.outliers.Settings;
import io.peerlens.outliers.Side;
import io.peerlens.outliers.Transform;
import io.peerlens.scope.Scope;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.threshold.Severity;
import io.peerlens.threshold.Threshold.AlertSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A group of peers, as it is judged.
 *
 * @param kind never {@code *}
 * @param metrics 1 to 5
 * @param sensitivity for {@link Method.Peers}, robust deviations
 * @param bucket a whole part of an hour, at least a minute
 * @param delay for how long after the end of a bucket late values are waited for
 * @param groupEvent null = its median is not held against what is usual for it
 * @param configuration the properties in which members are compared, too
 * @param alert null = it raises none
 * @param version its ETag, from 1
 */
public record OutlierGroup(
    UUID id,
    String name,
    String description,
    boolean enabled,
    ObjectKind kind,
    Scope scope,
    List<Metric> metrics,
    Side side,
    Method method,
    double sensitivity,
    Duration bucket,
    Duration delay,
    int violations,
    int of,
    int closesAfter,
    @Nullable GroupEvent groupEvent,
    PeerConfiguration configuration,
    @Nullable Alert alert,
    long version) {

  /** How many members a group may have. */
  public static final int FEWEST_MEMBERS = 3;

  public static final int MOST_MEMBERS = 10_000;

  public OutlierGroup {
    metrics = List.copyOf(metrics);
  }

  /**
   * Metric in which members are compared.
   *
   * @param minDeviation null = what is proposed for its unit
   */
  public record Metric(String key, @Nullable Double minDeviation, Transform transform) {

    /** What it tells of flows; null = it is another metric. */
    public FlowMetric.@Nullable Of flow() {
      return FlowMetric.parse(key);
    }
  }

  /** Whether members are compared in their traffic. */
  public boolean comparesFlows() {
    return metrics.stream().anyMatch(metric -> metric.flow() != null);
  }

  /**
   * Settings of group events, which are raised when the median is not where it usually is.
   *
   * @param relativeDeviation share of the bound by which it has to be beyond that; 0 = none
   */
  public record GroupEvent(Sensitivity sensitivity, double relativeDeviation) {

    /** The same for the method. */
    public GroupShift.Rule rule() {
      return rule(sensitivity);
    }

    /** The same at another sensitivity. */
    public GroupShift.Rule rule(Sensitivity other) {
      return new GroupShift.Rule(other.margin(), relativeDeviation);
    }
  }

  /** Severity and settings of the group's alerts. */
  public record Alert(Severity severity, AlertSettings settings) {}

  /**
   * How long after its end a bucket is judged.
   *
   * @param flowDelay when the flow metrics of a bucket are there
   */
  public Duration delay(Duration flowDelay) {
    return comparesFlows() && flowDelay.compareTo(delay) > 0 ? flowDelay : delay;
  }

  /** Severity of its events. */
  public Severity severity() {
    return alert == null ? Severity.INFORMATION : alert.severity();
  }

  /** Keys of what members are compared in, in order. */
  public List<String> keys() {
    return metrics.stream().map(Metric::key).toList();
  }

  /** What a group learns by, units included. */
  public String basis(List<@Nullable String> units) {
    return basis() + " " + settings(units).metrics();
  }

  /** What the method learns by: a group of another basis knows nothing of this one. */
  public String basis() {
    return "%s %s %s %s"
        .formatted(
            kind,
            bucket,
            method,
            metrics.stream()
                .map(one -> one.key() + " " + one.transform() + " " + one.minDeviation())
                .collect(Collectors.joining(", ")));
  }

  /** Whether differences in configuration that were found by another definition go on with this. */
  public boolean comparesPropertiesAs(OutlierGroup other) {
    return kind.equals(other.kind) && configuration.findsAs(other.configuration);
  }

  /**
   * How the method judges it.
   *
   * @param units of its metrics, in order
   */
  public Settings settings(List<@Nullable String> units) {
    List<Settings.Metric> made = new ArrayList<>();
    for (int i = 0; i < metrics.size(); i++) {
      Metric one = metrics.get(i);
      made.add(ProposedDeviation.of(units.get(i)).metric(one.transform(), one.minDeviation()));
    }
    Settings settings =
        Settings.peers(bucket.toMillis(), made)
            .withMethod(method)
            .withSide(side)
            .withOpening(violations, of)
            .withClosesAfter(closesAfter);
    return method instanceof Method.Peers ? settings.withSensitivity(sensitivity) : settings;
  }
}
