package io.peerlens.assistant;

import static io.peerlens.assistant.Answer.row;
import static io.peerlens.assistant.Inventory.body;

import io.peerlens.api.SeriesApi;
import io.peerlens.api.WhySlowApi;
import io.peerlens.api.model.Aggregation;
import io.peerlens.api.model.Alert;
import io.peerlens.api.model.AlertPage;
import io.peerlens.api.model.Change;
import io.peerlens.api.model.ManagedObject;
import io.peerlens.api.model.MetricAnomaly;
import io.peerlens.api.model.ObjectAnomalies;
import io.peerlens.api.model.ObjectKind;
import io.peerlens.api.model.ObjectMetric;
import io.peerlens.api.model.OutlierEvent;
import io.peerlens.api.model.OutlierEventPage;
import io.peerlens.api.model.Series;
import io.peerlens.api.model.Severity;
import io.peerlens.api.model.SortDirection;
import io.peerlens.api.model.TopEntry;
import io.peerlens.api.model.UnusualStretch;
import io.peerlens.api.model.WhySlow;
import io.peerlens.load.ReadOperations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tools that look in several places at once and rank what they find. */
final class DiagnosisTools {

  /** Of metrics with these words higher values mean that something waits or is lost. */
  private static final List<String> CONTENTION =
      List.of(
          "latency",
          "readiness",
          "ready",
          "costop",
          "contention",
          "iowait",
          "swapin",
          "swapout",
          "swapped",
          "vmmemctl",
          "balloon",
          "dropped",
          "error",
          "queue",
          "congestion",
          "retrans");

  /** How busy something is. */
  private static final List<String> USE =
      List.of("cpu|usage_average", "mem|usage_average", "cpu|usage_active", "mem|used_percent");

  /** Kinds whose path of an operation is looked at, from the guest to the network. */
  private static final Set<String> PATH =
      Set.of("VirtualMachine", "HostSystem", "ClusterComputeResource", "Datastore");

  private static final int CONTENDED = 16;
  private static final int NEIGHBOURS = 50;
  private static final int NEAR = 3;
  private static final int FINDINGS = 25;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofHours(24);

  private static final String ANOMALIES = "System Attributes|active_alarms";
  private static final String SCORE = "System Attributes|anomaly_score";

  /** Scores from here on are unusual; docs/learned-thresholds.md. */
  private static final double UNUSUAL = 19;

  private final ReadOperations operations;
  private final Inventory inventory;
  private final Findings findings;
  private final PageLinks links;
  private final InstantSource clock;

  DiagnosisTools(
      ReadOperations operations,
      Inventory inventory,
      Findings findings,
      PageLinks links,
      InstantSource clock) {
    this.operations = operations;
    this.inventory = inventory;
    this.findings = findings;
    this.links = links;
    this.clock = clock;
  }

  /**
   * Something that was found.
   *
   * @param weight 0 to 1, how much it speaks for itself
   */
  record Finding(double weight, Map<String, Object> row) {

    static Finding of(String kind, String where, double weight, Map<String, Object> evidence) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("kind", kind);
      row.put("where", where);
      row.putAll(evidence);
      return new Finding(weight, row);
    }
  }

  List<Tool> tools() {
    return List.of(
        new Tool(
            "what_is_unusual",
            "What is unusual",
            "Ranks what is unusual now: open alerts, outlier events and metrics outside of their learned bounds, and times in which the object was unusual as a whole with the metrics that carry it, of an object and what is below it, or of everything.",
            List.of(Parameter.text("object", Inventory.OBJECT + " Left out: everything.")),
            this::unusual),
        new Tool(
            "why_is_slow",
            "Why is it slow",
            "Says what makes a machine, host, cluster or datastore slow as far as its path shows it (guest, cluster, host, disk group, network, each with a verdict), and collects what may explain it, ranked and with figures: its alerts, outlier events, unusual metrics, times in which it was unusual as a whole, metrics of contention against the day before, alerts and unusual metrics of what is above and below it, recent changes. These are indications, not a proven cause.",
            List.of(
                Parameter.text("object", Inventory.OBJECT).needed(),
                Parameter.number("hours", "How far back it has been slow; default 6.", 1, 48)),
            this::slow));
  }

  static double weight(Severity severity) {
    return switch (severity) {
      case CRITICAL -> 0.95;
      case IMMEDIATE -> 0.8;
      case WARNING -> 0.6;
      case INFORMATION -> 0.35;
    };
  }

  /** A metric just outside of its bounds says little, one far outside about as much as an alert. */
  static double weight(MetricAnomaly anomaly) {
    double beyond = anomaly.getBeyond() == null ? 1 : Math.max(0, anomaly.getBeyond());
    return 0.3 + 0.4 * (1 - Math.exp(-beyond / 5));
  }

  /** From about a warning up to about a critical alert at three times the limit. */
  static double weight(UnusualStretch stretch) {
    return Math.min(0.9, 0.6 * (1 + (stretch.getScore() / UNUSUAL - 1) / 4));
  }

  private List<Map<String, Object>> ranked(List<Finding> found) {
    List<Finding> sorted =
        found.stream().sorted(Comparator.comparingDouble(Finding::weight).reversed()).toList();
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Finding one : sorted.subList(0, Math.min(FINDINGS, sorted.size()))) {
      Map<String, Object> row = row("rank", rows.size() + 1, "weight", Figures.of(one.weight()));
      row.putAll(one.row());
      rows.add(row);
    }
    return rows;
  }

  // ------------------------------------------------------------------------- what_is_unusual

  private Answer unusual(Arguments arguments) {
    Instant now = clock.instant();
    String words = arguments.text("object");
    ManagedObject object = words == null ? null : inventory.object("object", words);
    UUID id = object == null ? null : object.getId();
    AlertPage alerts = new AlertSearch().below(id).find(findings.alerts(), 20);
    OutlierEventPage outliers = OutlierSearch.open().below(id).find(findings.outliers(), 20);
    List<Finding> found = new ArrayList<>();
    for (Alert one : alerts.getItems()) {
      found.add(
          Finding.of(
              "alert",
              where(id, one.getObject().getId()),
              weight(one.getSeverity()),
              findings.alert(one)));
    }
    for (OutlierEvent one : outliers.getItems()) {
      UUID of = one.getObject() == null ? null : one.getObject().getId();
      found.add(
          Finding.of("outlier", where(id, of), weight(one.getSeverity()), findings.outlier(one)));
    }
    Answer answer = new Answer().put("at", now);
    long unusual = 0;
    if (object != null) {
      ObjectAnomalies anomalies = findings.anomalies(object.getId());
      unusual = anomalies.getItems().size();
      for (MetricAnomaly one : anomalies.getItems()) {
        found.add(Finding.of("unusual-metric", "itself", weight(one), Findings.anomaly(one)));
      }
      unusualAsAWhole(object.getId(), "itself", new TimeSpan(now.minus(HOUR), now), found);
      answer
          .put("object", Inventory.row(object, false))
          .put("metricsJudged", anomalies.getJudged())
          .put("metricsFrom", anomalies.getFrom())
          .put("metricsTo", anomalies.getTo());
    } else {
      answer
          .rows(
              "objectsWithMostUnusualMetrics",
              most(ANOMALIES, Statistic.MEAN, 0, "metricsOutsideInTheLastHour", now))
          .rows(
              "objectsUnusualAsAWhole",
              most(
                  SCORE,
                  new Statistic(Aggregation.MAX, null),
                  UNUSUAL,
                  "highestAnomalyScoreInTheLastHour",
                  now));
    }
    long all = alerts.getTotal() + outliers.getTotal() + unusual;
    return answer
        .summary(
            "%d open alerts, %d open outlier events%s."
                .formatted(
                    alerts.getTotal(),
                    outliers.getTotal(),
                    object == null
                        ? ""
                        : ", " + unusual + " metrics outside of their learned bounds"))
        .rows("findings", ranked(found), all)
        .link(object == null ? links.to("/") : links.object(object.getId()));
  }

  private static String where(@Nullable UUID asked, @Nullable UUID of) {
    return asked != null && asked.equals(of) ? "itself" : asked == null ? "anywhere" : "below";
  }

  /** Of machines and hosts, those in which a metric was highest in the last hour. */
  private List<Map<String, Object>> most(
      String metric, Statistic statistic, double above, String name, Instant now) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (ObjectKind kind : inventory.kinds()) {
      if (!kind.getObjectKind().equals("VirtualMachine")
          && !kind.getObjectKind().equals("HostSystem")) {
        continue;
      }
      for (TopEntry one :
          new ObjectRanking(
                  kind,
                  metric,
                  statistic,
                  SortDirection.DESC,
                  null,
                  new TimeSpan(now.minus(HOUR), now))
              .find(operations.of(SeriesApi.class), 5)
              .getItems()) {
        if (one.getValue() > above) {
          rows.add(row("object", Inventory.row(one.getObject()), name, Figures.of(one.getValue())));
        }
      }
    }
    return rows;
  }

  // ------------------------------------------------------------------------- why_is_slow

  /** An object near the one that is asked about. */
  private record Neighbour(UUID id, String name, String where, double share, int distance) {}

  private Answer slow(Arguments arguments) {
    Instant now = clock.instant();
    ManagedObject object = inventory.object("object", arguments.text("object", ""));
    UUID id = object.getId();
    TimeSpan span = new TimeSpan(now.minus(Duration.ofHours(arguments.number("hours", 6))), now);
    List<Neighbour> near = neighbours(id);
    Map<UUID, Neighbour> byId = new HashMap<>();
    near.forEach(one -> byId.put(one.id(), one));
    List<UUID> ids = near.stream().map(Neighbour::id).toList();

    List<Finding> found = new ArrayList<>();
    long left = 0;
    AlertPage alerts = new AlertSearch().objects(ids).find(findings.alerts(), Answer.ROWS);
    left += alerts.getTotal() - alerts.getItems().size();
    for (Alert one : alerts.getItems()) {
      Neighbour at = byId.get(one.getObject().getId());
      if (at != null) {
        found.add(
            Finding.of(
                "alert", at.where(), weight(one.getSeverity()) * at.share(), findings.alert(one)));
      }
    }
    OutlierEventPage outliers =
        OutlierSearch.open().objects(ids).find(findings.outliers(), Answer.ROWS);
    left += outliers.getTotal() - outliers.getItems().size();
    for (OutlierEvent one : outliers.getItems()) {
      Neighbour at = one.getObject() == null ? null : byId.get(one.getObject().getId());
      if (at != null) {
        found.add(
            Finding.of(
                "outlier",
                at.where(),
                weight(one.getSeverity()) * at.share(),
                findings.outlier(one)));
      }
    }
    unusualAsAWhole(id, "itself", span, found);
    int looked = 0;
    for (Neighbour at : near) {
      if (at.distance() == 0 || at.where().equals("above") && at.distance() == 1 && looked < NEAR) {
        looked += at.distance();
        unusualMetrics(at, found);
        contention(at, span, found);
        changes(at, now, found);
      }
    }
    Answer answer = new Answer();
    if (object.getAdapterKind().equals("VMWARE") && PATH.contains(object.getObjectKind())) {
      WhySlow path = body(operations.of(WhySlowApi.class).explainSlowness(id, null, null));
      answer.put("pathSays", path.getText());
      answer.rows(
          "path",
          path.getBands().stream()
              .map(
                  one ->
                      row(
                          "band", one.getBand().getValue(),
                          "verdict", one.getVerdict().getValue(),
                          "reason", one.getReason()))
              .toList());
    }
    return answer
        .summary(
            "%d indications at the object and %d objects near it; the first has most weight, none of them is proof."
                .formatted(found.size(), near.size() - 1))
        .put("object", Inventory.row(object, false))
        .span(span)
        .put(
            "comparedWith",
            row("from", span.from().minus(back(span)), "to", span.to().minus(back(span))))
        .rows("findings", ranked(found), found.size() + left)
        .put(
            "lookedAt",
            row(
                "above", near.stream().filter(one -> one.where().equals("above")).count(),
                "below", near.stream().filter(one -> one.where().equals("below")).count()))
        .link(links.object(id, span));
  }

  private List<Neighbour> neighbours(UUID id) {
    List<Neighbour> near = new ArrayList<>();
    near.add(new Neighbour(id, "", "itself", 1, 0));
    body(inventory.objects().listAncestors(id)).getItems().stream()
        .limit(NEIGHBOURS)
        .forEach(
            one ->
                near.add(
                    new Neighbour(
                        one.getObject().getId(),
                        one.getObject().getName(),
                        "above",
                        one.getDistance() == 1 ? 0.8 : 0.5,
                        one.getDistance())));
    body(inventory.objects().listChildren(id, null, NEIGHBOURS, null))
        .getItems()
        .forEach(one -> near.add(new Neighbour(one.getId(), one.getName(), "below", 0.6, 1)));
    return near;
  }

  private static @Nullable Map<String, Object> place(Neighbour at) {
    return at.distance() == 0 ? null : row("id", at.id(), "name", at.name());
  }

  private void unusualAsAWhole(UUID id, String where, TimeSpan span, List<Finding> found) {
    for (UnusualStretch one : findings.unusual(id, span)) {
      found.add(Finding.of("unusual-as-a-whole", where, weight(one), Findings.unusual(one)));
    }
  }

  private void unusualMetrics(Neighbour at, List<Finding> found) {
    for (MetricAnomaly one : findings.anomalies(at.id()).getItems()) {
      Map<String, Object> evidence = row("object", place(at));
      evidence.putAll(Findings.anomaly(one));
      found.add(Finding.of("unusual-metric", at.where(), weight(one) * at.share(), evidence));
    }
  }

  static boolean isContention(String key) {
    String lower = key.toLowerCase(Locale.ROOT);
    return CONTENTION.stream().anyMatch(lower::contains);
  }

  /** The same time a day before, or two when more than a day is asked for. */
  private static Duration back(TimeSpan span) {
    return span.length().compareTo(DAY) > 0 ? DAY.multipliedBy(2) : DAY;
  }

  /** What waits or is lost, and what is nearly full, beside the same hours of the day before. */
  private void contention(Neighbour at, TimeSpan span, List<Finding> found) {
    List<String> keys =
        inventory.metrics(at.id(), false).stream()
            .filter(one -> one.getInstance() == null || one.getInstance().isEmpty())
            .map(ObjectMetric::getKey)
            .filter(key -> isContention(key) || USE.contains(key))
            .limit(CONTENDED)
            .toList();
    if (keys.isEmpty()) {
      return;
    }
    Map<String, Figures.Summary> before = figures(at.id(), keys, span.earlier(back(span)));
    Map<String, String> units = new HashMap<>();
    figures(at.id(), keys, span, units)
        .forEach(
            (key, now) -> {
              Figures.Summary then = before.get(key);
              double weight = weight(key, units.get(key), now, then);
              if (weight > 0) {
                found.add(
                    Finding.of(
                        isContention(key) ? "contention" : "use",
                        at.where(),
                        weight * at.share(),
                        row(
                            "object", place(at),
                            "metric", key,
                            "unit", units.get(key),
                            "mean", Figures.of(now.mean()),
                            "max", Figures.of(now.max()),
                            "last", Figures.of(now.last()),
                            "meanBefore", then == null ? null : Figures.of(then.mean()))));
              }
            });
  }

  /**
   * Weight of a metric: by how many times it is what it was; of what is used in per cent also by
   * how full it is. 0 = it says nothing.
   */
  static double weight(
      String key, @Nullable String unit, Figures.Summary now, Figures.@Nullable Summary then) {
    Double mean = now.mean();
    if (mean == null || mean <= 0) {
      return 0;
    }
    if (!isContention(key)) {
      boolean full = unit != null && (unit.equals("%") || unit.equals("percent")) && mean >= 85;
      return full ? Math.min(0.7, 0.4 + (mean - 85) * 0.02) : 0;
    }
    Double was = then == null ? null : then.mean();
    if (was == null) {
      return 0.2;
    }
    double times = was <= 0 ? 8 : mean / was;
    return times < 1.3 ? 0.1 : Math.min(0.75, 0.25 + 0.15 * Math.log(times) / Math.log(2));
  }

  private Map<String, Figures.Summary> figures(UUID object, List<String> keys, TimeSpan span) {
    return figures(object, keys, span, new HashMap<>());
  }

  private Map<String, Figures.Summary> figures(
      UUID object, List<String> keys, TimeSpan span, Map<String, String> units) {
    Map<String, Figures.Summary> figures = new LinkedHashMap<>();
    for (Series one :
        body(operations
                .of(SeriesApi.class)
                .querySeries(
                    Inventory.series(List.of(object), keys, span).maxPoints(60).withRange(true)))
            .getSeries()) {
      figures.put(one.getMetric(), Figures.Summary.of(one.getValues(), one.getMin(), one.getMax()));
      if (one.getUnit() != null) {
        units.put(one.getMetric(), one.getUnit());
      }
    }
    return figures;
  }

  private void changes(Neighbour at, Instant now, List<Finding> found) {
    List<Change> changes =
        body(inventory
                .objects()
                .listObjectChanges(at.id(), now.minus(DAY).toString(), now.toString(), 5, null))
            .getItems();
    for (Change one : changes) {
      double hours = Duration.between(one.getTime(), now).toMinutes() / 60.0;
      double weight = 0.2 + 0.3 * Math.exp(-Math.max(0, hours) / 6);
      Map<String, Object> evidence = InventoryTools.change(one);
      evidence.put("change", one.getKind().getValue());
      evidence.remove("kind");
      found.add(Finding.of("change", at.where(), weight * at.share(), evidence));
    }
  }
}
