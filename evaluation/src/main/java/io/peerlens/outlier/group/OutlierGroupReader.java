package io.peerlens.outlier.group;

import static java.util.Objects.requireNonNullElse;
import static java.util.Objects.requireNonNullElseGet;

import io.peerlens.api.model.LearnedSensitivity;
import io.peerlens.api.model.OutlierAlert;
import io.peerlens.api.model.OutlierConfigurationRule;
import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.OutlierGroupEvent;
import io.peerlens.api.model.OutlierMethod;
import io.peerlens.api.model.OutlierMethodType;
import io.peerlens.api.model.OutlierMetricEdit;
import io.peerlens.api.model.OutlierProperty;
import io.peerlens.baselines.Sensitivity;
import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.outliers.Majority;
import io.peerlens.outliers.Method;
import io.peerlens.outliers.Settings;
import io.peerlens.outliers.Side;
import io.peerlens.outliers.Transform;
import io.peerlens.scope.ScopeReader;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.threshold.Severity;
import io.peerlens.threshold.Threshold;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reader of outlier groups as the contract writes them, which is also how files and the database
 * do. Whatever makes no sense is refused with the field that is to blame.
 */
public final class OutlierGroupReader {

  private static final Duration HOUR = Duration.ofHours(1);

  /** What Datadog proposes. */
  private static final double TOLERANCE = 3;

  private static final double PERCENT = 20;
  private static final int LONGEST_WINDOW = 288;
  private static final int MOST_METRICS = 5;
  private static final int MOST_PATTERNS = 50;
  private static final int LONGEST_PATTERN = 200;
  private static final Duration LONGEST_DIFFERENCE = Duration.ofDays(30);

  /** Flows are counted by it. */
  private static final Duration FLOW_BUCKET = Duration.ofMinutes(5);

  private OutlierGroupReader() {}

  /**
   * Reads a group.
   *
   * @param path of the group in the body, with a point at its end, or empty
   */
  public static OutlierGroup read(UUID id, long version, String path, OutlierGroupEdit wanted) {
    if (wanted.getName().isBlank()) {
      throw ApiException.invalidField(path + "name", "is blank");
    }
    Duration bucket = bucket(path + "bucket", requireNonNullElse(wanted.getBucket(), "5m"));
    String delay = requireNonNullElse(wanted.getEvaluationDelay(), "1m");
    if (Durations.parse(delay).compareTo(HOUR) > 0) {
      throw ApiException.invalidField(path + "evaluationDelay", delay + " is longer than 1h");
    }
    int violations = opens(wanted, 3, true);
    int of = opens(wanted, Math.max(4, violations), false);
    if (of < violations) {
      throw ApiException.invalidField(
              path + "opens.of", "%d of %d buckets cannot violate".formatted(violations, of))
          .hint("Give at least " + violations + ".");
    }
    List<OutlierGroup.Metric> metrics = metrics(path + "metrics", wanted.getMetrics());
    if (metrics.stream().anyMatch(one -> one.flow() != null)
        && bucket.toSeconds() % FLOW_BUCKET.toSeconds() != 0) {
      throw ApiException.invalidField(
              path + "bucket", "is too fine: flows are counted by 5 minutes")
          .hint("Give one of 5m, 10m, 15m, 20m, 30m, 1h.");
    }
    return new OutlierGroup(
        id,
        ScopeReader.storable(path + "name", wanted.getName()),
        wanted.getDescription() == null
            ? ""
            : ScopeReader.storable(path + "description", wanted.getDescription()),
        !Boolean.FALSE.equals(wanted.getEnabled()),
        ScopeReader.kind(path + "objectKind", wanted.getObjectKind()),
        ScopeReader.scope(path + "scope", wanted.getScope()),
        metrics,
        wanted.getSide() == null ? Side.BOTH : Side.valueOf(wanted.getSide().name()),
        method(path + "method.", wanted.getMethod(), bucket),
        sensitivity(path + "sensitivity", requireNonNullElse(wanted.getSensitivity(), "medium")),
        bucket,
        Durations.parse(delay),
        violations,
        of,
        requireNonNullElse(wanted.getClosesAfter(), 6),
        groupEvent(wanted.getGroupEvent()),
        configuration(path, wanted),
        alert(path + "alert.", wanted.getAlert()),
        version);
  }

  private static int opens(OutlierGroupEdit wanted, int otherwise, boolean violations) {
    Integer given =
        wanted.getOpens() == null
            ? null
            : violations ? wanted.getOpens().getViolations() : wanted.getOpens().getOf();
    return requireNonNullElse(given, otherwise);
  }

  private static Duration bucket(String path, String wanted) {
    Duration bucket = Durations.parse(wanted);
    if (bucket.compareTo(Duration.ofMinutes(1)) < 0
        || bucket.compareTo(HOUR) > 0
        || HOUR.toSeconds() % bucket.toSeconds() != 0) {
      throw ApiException.invalidField(path, wanted + " is not a whole part of an hour")
          .hint("Give one of 1m, 2m, 3m, 4m, 5m, 6m, 10m, 12m, 15m, 20m, 30m, 1h.");
    }
    return bucket;
  }

  private static List<OutlierGroup.Metric> metrics(String path, List<OutlierMetricEdit> wanted) {
    if (wanted.isEmpty()) {
      throw ApiException.invalidField(path, "is empty")
          .hint("Name at least one metric, for instance cpu|usage_average.");
    }
    List<OutlierGroup.Metric> metrics = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < wanted.size(); i++) {
      OutlierMetricEdit one = wanted.get(i);
      String at = path + "[" + i + "]";
      for (String key : keys(at, one)) {
        if (!seen.add(key)) {
          throw ApiException.invalidField(at + ".key", key + " is named twice");
        }
        metrics.add(
            new OutlierGroup.Metric(
                key,
                finite(at + ".minDeviation", one.getMinDeviation()),
                one.getTransform() == null
                    ? Transform.AUTO
                    : Transform.valueOf(one.getTransform().name())));
      }
    }
    if (metrics.size() > MOST_METRICS) {
      throw ApiException.invalidField(
              path,
              "stands for %d metrics, at most %d are compared"
                  .formatted(metrics.size(), MOST_METRICS))
          .hint("A flow in both directions is two metrics.");
    }
    return metrics;
  }

  private static List<String> keys(String path, OutlierMetricEdit one) {
    if (one.getFlow() != null) {
      if (one.getKey() != null) {
        throw ApiException.invalidField(path + ".flow", "cannot be combined with key")
            .hint("Give one of them.");
      }
      return FlowOptions.keys(path + ".flow", one.getFlow());
    }
    String given = one.getKey() == null ? "" : ScopeReader.storable(path + ".key", one.getKey());
    if (given.isBlank()) {
      throw ApiException.invalidField(
              path + ".key", one.getKey() == null ? "is missing" : "is blank")
          .hint("Give key or flow.");
    }
    FlowMetric.Of flow = FlowMetric.read(given);
    if (flow != null) {
      return List.of(flow.key());
    }
    UUID superMetric = Keys.superMetric(given);
    return List.of(superMetric == null ? given : Keys.superMetric(superMetric));
  }

  // ----------------------------------------------------------------------------- configuration

  private static PeerConfiguration configuration(String path, OutlierGroupEdit wanted) {
    PeerConfiguration none = PeerConfiguration.NONE;
    OutlierConfigurationRule rule =
        requireNonNullElseGet(wanted.getConfiguration(), OutlierConfigurationRule::new);
    double majority = requireNonNullElse(rule.getMajority(), none.rule().share());
    if (!(majority > 0.5 && majority <= 1)) {
      throw ApiException.invalidField(
              path + "configuration.majority", majority + " is not above 0.5 and at most 1")
          .hint("Give for instance 0.8, which is four fifths.");
    }
    int fewest = requireNonNullElse(rule.getFewest(), none.rule().fewest());
    if (fewest < OutlierGroup.FEWEST_MEMBERS) {
      throw ApiException.invalidField(
          path + "configuration.fewest", fewest + " is less than " + OutlierGroup.FEWEST_MEMBERS);
    }
    String lasts = requireNonNullElse(rule.getLasts(), Durations.print(none.lasts()));
    if (Durations.parse(lasts).compareTo(LONGEST_DIFFERENCE) > 0) {
      throw ApiException.invalidField(path + "configuration.lasts", lasts + " is longer than 30d");
    }
    List<PeerConfiguration.Property> properties =
        properties(path + "properties", requireNonNullElse(wanted.getProperties(), List.of()));
    return properties.isEmpty()
        ? none
        : new PeerConfiguration(
            properties, new Majority.Rule(majority, fewest), Durations.parse(lasts));
  }

  private static List<PeerConfiguration.Property> properties(
      String path, List<OutlierProperty> wanted) {
    if (wanted.size() > MOST_PATTERNS) {
      throw ApiException.invalidField(
              path, "has %d patterns, at most %d are used".formatted(wanted.size(), MOST_PATTERNS))
          .hint("One * stands for any text: config|advanced|* is all advanced settings.");
    }
    List<PeerConfiguration.Property> properties = new ArrayList<>();
    Set<PropertyPattern> seen = new HashSet<>();
    for (int i = 0; i < wanted.size(); i++) {
      String at = path + "[" + i + "].";
      PropertyPattern pattern = pattern(at + "pattern", wanted.get(i).getPattern());
      if (!seen.add(pattern)) {
        throw ApiException.invalidField(at + "pattern", pattern + " is named twice");
      }
      List<String> accepted = requireNonNullElse(wanted.get(i).getAccept(), List.of());
      for (int a = 0; a < accepted.size(); a++) {
        ScopeReader.storable(at + "accept[" + a + "]", accepted.get(a));
      }
      properties.add(new PeerConfiguration.Property(pattern, new HashSet<>(accepted)));
    }
    return properties;
  }

  private static PropertyPattern pattern(String path, String wanted) {
    if (wanted.isBlank()) {
      throw ApiException.invalidField(path, "is blank")
          .hint("Give the key of a property, for instance config|network|dnsserver.");
    }
    PropertyPattern pattern = new PropertyPattern(ScopeReader.storable(path, wanted));
    if (wanted.length() > LONGEST_PATTERN) {
      throw ApiException.invalidField(path, "is longer than %d".formatted(LONGEST_PATTERN));
    }
    if (pattern.stars() > PropertyPattern.MOST_STARS) {
      throw ApiException.invalidField(
          path,
          "has %d *, at most %d are used".formatted(pattern.stars(), PropertyPattern.MOST_STARS));
    }
    return pattern;
  }

  private static @Nullable Double finite(String path, @Nullable Double number) {
    if (number != null && !Double.isFinite(number)) {
      throw ApiException.invalidField(path, number + " is no number to compare with");
    }
    return number;
  }

  /** The three words, or a number. */
  private static double sensitivity(String path, String wanted) {
    double number =
        switch (wanted) {
          case "low" -> Settings.LOW;
          case "medium" -> Settings.MEDIUM;
          case "high" -> Settings.HIGH;
          default -> {
            try {
              yield Double.parseDouble(wanted);
            } catch (NumberFormatException e) {
              throw ApiException.invalidField(path, "\"" + wanted + "\" is no sensitivity")
                  .hint("Give low, medium, high, or a number from 1 to 10.");
            }
          }
        };
    if (!(number >= 1 && number <= 10)) {
      throw ApiException.invalidField(path, wanted + " is not from 1 to 10");
    }
    return number;
  }

  // ------------------------------------------------------------------------------------ method

  private static Method method(String path, @Nullable OutlierMethod wanted, Duration bucket) {
    OutlierMethodType type = wanted == null ? OutlierMethodType.PEERS : wanted.getType();
    if (wanted == null || type == OutlierMethodType.PEERS) {
      refuse(path + "tolerance", wanted == null ? null : wanted.getTolerance(), type);
      refuse(path + "percent", wanted == null ? null : wanted.getPercent(), type);
      refuse(path + "window", wanted == null ? null : wanted.getWindow(), type);
      refuse(path + "sensitivity", wanted == null ? null : wanted.getSensitivity(), type);
      return new Method.Peers(wanted != null && Boolean.TRUE.equals(wanted.getInterchangeable()));
    }
    if (Boolean.TRUE.equals(wanted.getInterchangeable())) {
      throw ApiException.invalidField(
          path + "interchangeable", "is for the method peers; " + type.getValue() + " always is");
    }
    int window = window(path + "window", requireNonNullElse(wanted.getWindow(), "1h"), bucket);
    Double sensitivity = wanted.getSensitivity();
    if (sensitivity != null) {
      refuseBeside(path + "tolerance", wanted.getTolerance());
      refuseBeside(path + "percent", wanted.getPercent());
      return type == OutlierMethodType.DBSCAN
          ? new Method.BucketDbscan(sensitivity, window)
          : new Method.DoubleMad(sensitivity, window);
    }
    double tolerance = requireNonNullElse(wanted.getTolerance(), TOLERANCE);
    if (type == OutlierMethodType.DBSCAN) {
      refuse(path + "percent", wanted.getPercent(), type);
      return new Method.Dbscan(tolerance, window);
    }
    return new Method.Mad(tolerance, requireNonNullElse(wanted.getPercent(), PERCENT), window);
  }

  private static void refuse(String path, @Nullable Object given, OutlierMethodType type) {
    if (given != null) {
      throw ApiException.invalidField(path, "is not for the method " + type.getValue())
          .hint("Leave it out.");
    }
  }

  private static void refuseBeside(String path, @Nullable Object given) {
    if (given != null) {
      throw ApiException.invalidField(path, "cannot be combined with sensitivity")
          .hint("Give Grafana's sensitivity, or Datadog's tolerance and percent.");
    }
  }

  private static int window(String path, String wanted, Duration bucket) {
    long buckets = Durations.parse(wanted).dividedBy(bucket);
    if (buckets < 1 || buckets > LONGEST_WINDOW) {
      throw ApiException.invalidField(path, "%s is %,d buckets".formatted(wanted, buckets))
          .hint("Give 1 to %d times the bucket.".formatted(LONGEST_WINDOW));
    }
    return (int) buckets;
  }

  // ------------------------------------------------------------------------------------ events

  private static OutlierGroup.@Nullable GroupEvent groupEvent(@Nullable OutlierGroupEvent wanted) {
    return wanted == null
        ? null
        : new OutlierGroup.GroupEvent(
            Sensitivity.valueOf(
                requireNonNullElse(wanted.getSensitivity(), LearnedSensitivity.MEDIUM).name()),
            requireNonNullElse(wanted.getMinimumRelativeDeviation(), 0.0));
  }

  private static OutlierGroup.@Nullable Alert alert(String path, @Nullable OutlierAlert wanted) {
    if (wanted == null) {
      return null;
    }
    List<String> recommendations =
        wanted.getRecommendations() == null ? List.of() : wanted.getRecommendations();
    for (int i = 0; i < recommendations.size(); i++) {
      ScopeReader.storable(path + "recommendations[" + i + "]", recommendations.get(i));
    }
    return new OutlierGroup.Alert(
        Severity.valueOf(wanted.getSeverity().name()),
        new Threshold.AlertSettings(
            Threshold.Impact.valueOf(wanted.getImpact().name()),
            recommendations,
            wanted.getType(),
            wanted.getSubType()));
  }
}
