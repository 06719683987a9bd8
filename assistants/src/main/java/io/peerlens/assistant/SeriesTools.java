package io.peerlens.assistant;

import static io.peerlens.assistant.Answer.row;
import static io.peerlens.assistant.Inventory.body;

import io.peerlens.api.ComparisonsApi;
import io.peerlens.api.SeriesApi;
import io.peerlens.api.model.ComparedMetric;
import io.peerlens.api.model.ComparedValues;
import io.peerlens.api.model.Comparison;
import io.peerlens.api.model.ComparisonPeriod;
import io.peerlens.api.model.ComparisonRequest;
import io.peerlens.api.model.Goal;
import io.peerlens.api.model.ManagedObject;
import io.peerlens.api.model.ObjectKind;
import io.peerlens.api.model.ObjectMetric;
import io.peerlens.api.model.Series;
import io.peerlens.api.model.SeriesRemark;
import io.peerlens.api.model.SeriesResult;
import io.peerlens.api.model.SortDirection;
import io.peerlens.api.model.TopEntry;
import io.peerlens.api.model.TopResult;
import io.peerlens.load.ReadOperations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tools about values over time. */
final class SeriesTools {

  private static final int POINTS = 60;
  private static final int SERIES = 10;
  private static final Duration DAY = Duration.ofHours(24);

  private final ReadOperations operations;
  private final Inventory inventory;
  private final PageLinks links;
  private final InstantSource clock;

  SeriesTools(
      ReadOperations operations, Inventory inventory, PageLinks links, InstantSource clock) {
    this.operations = operations;
    this.inventory = inventory;
    this.links = links;
    this.clock = clock;
  }

  List<Tool> tools() {
    return List.of(
        new Tool(
            "query_series",
            "Query series",
            "Gives metrics of objects over time: least, mean, greatest and last value of each series, and at most 60 points as CSV. Points are means over a step unless another statistic is asked for.",
            List.of(
                Parameter.texts("objects", "1 to 5 objects: ids or names.", 5).needed(),
                Parameter.texts(
                        "metrics",
                        "1 to 5 keys such as cpu|usage_average; see list_metrics. Objects times metrics are 10 at most.",
                        5)
                    .needed(),
                TimeSpan.FROM,
                TimeSpan.TO,
                Parameter.oneOf("statistic", "Of each step; default avg.", Statistic.names())),
            this::series),
        new Tool(
            "top_objects",
            "Rank objects",
            "Ranks the objects of a kind by a metric over a time range, with each one's value, mean and peak.",
            List.of(
                Parameter.text("kind", "Kind, such as vm, host, datastore.").needed(),
                Parameter.text("metric", "Key such as cpu|usage_average; see list_metrics.")
                    .needed(),
                Parameter.oneOf("statistic", "What is ranked; default avg.", Statistic.names()),
                Parameter.oneOf(
                    "order", "desc = greatest first (default), asc.", List.of("desc", "asc")),
                Parameter.text("below", "Only objects below this one: its id or name."),
                TimeSpan.FROM,
                TimeSpan.TO,
                Parameter.number("limit", "How many; default 10.", 1, Answer.ROWS)),
            this::top),
        new Tool(
            "compare_periods",
            "Compare two periods",
            "Compares two periods of objects, metric by metric, and judges whether b is better or worse than a, and how certain that is. Periods are 30 minutes to 31 days long.",
            List.of(
                Parameter.texts("objects", "1 to 5 objects: ids or names.", 5).needed(),
                Parameter.text("aFrom", "Begin of period a: " + TimeSpan.FORMS + ".").needed(),
                Parameter.text("aTo", "End of period a.").needed(),
                Parameter.text("bFrom", "Begin of period b.").needed(),
                Parameter.text("bTo", "End of period b; default now."),
                Parameter.text(
                    "goal",
                    "What counts: balanced (default), read-latency, write-latency, read-throughput, write-throughput."),
                Parameter.texts("metrics", "Instead of a goal: keys to compare.", 20)),
            this::compare),
        new Tool(
            "change_impact",
            "Impact of a change",
            "Compares an object before and after a change from list_changes, metric by metric, and judges whether it became better or worse.",
            List.of(
                Parameter.number("id", "Id of the change.", 1, Integer.MAX_VALUE).needed(),
                Parameter.text("before", "How much before it, such as 7d (default), 24h, 30m."),
                Parameter.text("after", "How much after it, such as 7d (default), 24h, 30m."),
                Parameter.text("goal", "As in compare_periods.")),
            this::impact));
  }

  private Answer series(Arguments arguments) {
    List<String> metrics = arguments.texts("metrics");
    Inventory.checkKeys("metrics", metrics);
    List<ManagedObject> objects = inventory.objects("objects", arguments.texts("objects"));
    if (objects.size() * metrics.size() > SERIES) {
      throw ToolProblem.argument(
          "metrics",
          objects.size() + " objects times " + metrics.size() + " metrics are more than " + SERIES,
          "Ask for fewer, in several calls.");
    }
    TimeSpan span = TimeSpan.of(arguments, DAY, clock.instant());
    List<UUID> ids = objects.stream().map(ManagedObject::getId).toList();
    Statistic statistic = Statistic.of(arguments.text("statistic"));
    SeriesResult result =
        body(
            operations
                .of(SeriesApi.class)
                .querySeries(
                    Inventory.series(ids, metrics, span)
                        .aggregation(statistic.aggregation())
                        .percentile(statistic.percentile())
                        .maxPoints(POINTS)
                        .withRange(true)));
    List<SeriesRemark> remarks = result.getRemarks() == null ? List.of() : result.getRemarks();
    if (result.getSeries().isEmpty() && !remarks.isEmpty()) {
      throw noSeries(objects.getFirst(), remarks, span);
    }
    Map<UUID, ManagedObject> names =
        objects.stream().collect(Collectors.toMap(ManagedObject::getId, Function.identity()));
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Series one : result.getSeries()) {
      Figures.Summary figures = Figures.Summary.of(one.getValues(), one.getMin(), one.getMax());
      ManagedObject object = names.get(one.getObjectId());
      rows.add(
          row(
              "column", rows.size() + 1,
              "object", object == null ? null : Inventory.row(object),
              "metric", one.getMetric(),
              "unit", one.getUnit(),
              "min", Figures.of(figures.min()),
              "mean", Figures.of(figures.mean()),
              "max", Figures.of(figures.max()),
              "last", Figures.of(figures.last()),
              "lastAt",
                  figures.lastAt() < 0
                      ? null
                      : Instant.ofEpochMilli(result.getTimes().get(figures.lastAt())),
              "points", figures.count(),
              "percentileFrom",
                  one.getPercentileFrom() == null ? null : one.getPercentileFrom().getValue()));
    }
    Answer answer =
        new Answer()
            .summary(summary(result, rows))
            .span(Instant.ofEpochMilli(result.getFrom()), Instant.ofEpochMilli(result.getTo()))
            .put("step", result.getStep())
            .put("statistic", statistic.name())
            .rows("series", rows)
            .put("points", points(result));
    if (!remarks.isEmpty()) {
      answer.rows(
          "noValues",
          remarks.stream()
              .map(
                  one ->
                      row(
                          "metric", one.getMetric(),
                          "message", one.getMessage(),
                          "didYouMean", one.getDidYouMean()))
              .toList());
    }
    return answer.link(links.object(ids.getFirst(), span));
  }

  private static String summary(SeriesResult result, List<Map<String, Object>> rows) {
    if (rows.size() != 1) {
      return rows.size() + " series in steps of " + result.getStep() + ".";
    }
    Map<String, Object> row = rows.getFirst();
    return "Mean %s, from %s to %s, last %s; %s points in steps of %s."
        .formatted(
            row.get("mean"),
            row.get("min"),
            row.get("max"),
            row.get("last"),
            row.get("points"),
            result.getStep());
  }

  private ToolProblem noSeries(ManagedObject object, List<SeriesRemark> remarks, TimeSpan span) {
    List<ObjectMetric> known = inventory.metrics(object.getId(), false);
    List<String> keys = known.stream().map(ObjectMetric::getKey).toList();
    for (SeriesRemark one : remarks) {
      if (!keys.contains(one.getMetric())) {
        return Inventory.noMetric("metrics", one.getMetric(), keys);
      }
    }
    return ToolProblem.of(
        "None of the objects has values of these metrics from %s to %s."
            .formatted(span.from(), span.to()),
        "Ask for another time range; list_metrics says when the newest value came.");
  }

  private static Answer.Csv points(SeriesResult result) {
    List<Long> times = result.getTimes();
    List<Series> series = result.getSeries();
    StringBuilder csv = new StringBuilder("time");
    for (int s = 1; s <= series.size(); s++) {
      csv.append(',').append(s);
    }
    // The first steps are left out when a step that fits would have been too coarse.
    for (int i = Math.max(0, times.size() - POINTS); i < times.size(); i++) {
      csv.append('\n').append(Instant.ofEpochMilli(times.get(i)));
      for (Series one : series) {
        Double value = one.getValues().get(i);
        csv.append(',').append(value == null ? "" : Figures.text(value));
      }
    }
    return new Answer.Csv(csv.toString());
  }

  private Answer top(Arguments arguments) {
    String metric = arguments.text("metric", "");
    Inventory.checkKeys("metric", List.of(metric));
    ObjectKind kind = inventory.kind("kind", arguments.text("kind", ""));
    UUID below = inventory.idOf("below", arguments.text("below"));
    TimeSpan span = TimeSpan.of(arguments, DAY, clock.instant());
    Statistic statistic = Statistic.of(arguments.text("statistic"));
    TopResult result =
        new ObjectRanking(
                kind,
                metric,
                statistic,
                SortDirection.fromValue(arguments.text("order", "desc")),
                below,
                span)
            .find(operations.of(SeriesApi.class), arguments.number("limit", 10));
    if (result.getItems().isEmpty()) {
      List<String> keys = inventory.keys(kind);
      if (!keys.contains(metric)) {
        throw Inventory.noMetric("metric", metric, keys);
      }
    }
    return new Answer()
        .summary(result.getRanked() + " objects have values and are ranked.")
        .span(Instant.ofEpochMilli(result.getFrom()), Instant.ofEpochMilli(result.getTo()))
        .put("kind", kind.getAdapterKind() + "/" + kind.getObjectKind())
        .put("metric", result.getMetric())
        .put("unit", result.getUnit())
        .put("statistic", statistic.name())
        .put(
            "percentileFrom",
            result.getPercentileFrom() == null ? null : result.getPercentileFrom().getValue())
        .rows(
            "objects",
            result.getItems().stream().map(SeriesTools::entry).toList(),
            result.getRanked())
        .link(
            links.to(
                "/top-talkers",
                "by",
                "metric",
                "kind",
                kind.getObjectKind(),
                "metric",
                metric,
                "from",
                span.from(),
                "to",
                span.to()));
  }

  private static Map<String, Object> entry(TopEntry one) {
    return row(
        "rank", one.getRank(),
        "object", Inventory.row(one.getObject()),
        "value", Figures.of(one.getValue()),
        "mean", Figures.of(one.getMean()),
        "peak", Figures.of(one.getPeak()),
        "share", Figures.of(one.getShare()));
  }

  private @Nullable String goal(Arguments arguments) {
    String goal = arguments.text("goal");
    List<String> goals =
        goal == null
            ? List.of()
            : body(operations.of(ComparisonsApi.class).listGoals()).getItems().stream()
                .map(Goal::getId)
                .toList();
    if (goal != null && !goals.contains(goal)) {
      throw ToolProblem.argument(
          "goal",
          "there is no goal \"" + PlainText.of(goal, 60) + "\"",
          "Give one of " + String.join(", ", goals) + ".");
    }
    return goal;
  }

  private Answer compare(Arguments arguments) {
    Instant now = clock.instant();
    String goal = goal(arguments);
    List<String> metrics = arguments.texts("metrics");
    Inventory.checkKeys("metrics", metrics);
    TimeSpan a =
        TimeSpan.of("aFrom", arguments.text("aFrom"), "aTo", arguments.text("aTo"), DAY, now);
    TimeSpan b =
        TimeSpan.of("bFrom", arguments.text("bFrom"), "bTo", arguments.text("bTo"), DAY, now);
    List<UUID> ids =
        inventory.objects("objects", arguments.texts("objects")).stream()
            .map(ManagedObject::getId)
            .toList();
    Comparison comparison =
        body(
            operations
                .of(ComparisonsApi.class)
                .comparePeriods(
                    new ComparisonRequest(
                            new ComparisonPeriod(ids, a.from().toString(), a.to().toString()),
                            new ComparisonPeriod(ids, b.from().toString(), b.to().toString()))
                        .goal(goal)
                        .keys(metrics.isEmpty() ? null : metrics)));
    String objects = PageLinks.ids(ids);
    return answer(comparison)
        .link(
            links.to(
                "/compare",
                "a",
                objects,
                "b",
                objects,
                "af",
                a.from(),
                "at",
                a.to(),
                "bf",
                b.from(),
                "bt",
                b.to()));
  }

  private Answer impact(Arguments arguments) {
    String goal = goal(arguments);
    long id = arguments.number("id", 0);
    Comparison comparison =
        body(
            operations
                .of(ComparisonsApi.class)
                .getChangeImpact(
                    id,
                    arguments.text("before", "7d"),
                    arguments.text("after", "7d"),
                    goal,
                    null,
                    "UTC"));
    Answer answer = answer(comparison);
    if (comparison.getChange() != null) {
      answer.put("change", InventoryTools.change(comparison.getChange()));
    }
    return answer.link(links.to("/compare", "change", id));
  }

  private static Answer answer(Comparison one) {
    return new Answer()
        .summary(
            "Judgement: "
                + one.getJudgement().getValue()
                + "; certainty: "
                + (one.getCertainty() == null ? "none" : one.getCertainty())
                + ".")
        .put("verdict", row("text", one.getVerdict()))
        .put("a", period(one.getA().getFrom(), one.getA().getTo()))
        .put("b", period(one.getB().getFrom(), one.getB().getTo()))
        .put("goal", one.getGoal())
        .put("index", Figures.of(one.getIndex()))
        .rows("metrics", one.getMetrics().stream().map(SeriesTools::compared).toList())
        .rows(
            "warnings",
            one.getWarnings().stream()
                .map(warning -> row("code", warning.getCode(), "text", warning.getText()))
                .toList());
  }

  private static Map<String, Object> period(Instant from, Instant to) {
    return row("from", from, "to", to);
  }

  private static Map<String, Object> compared(ComparedMetric one) {
    return row(
        "metric", one.getKey(),
        "unit", one.getUnit(),
        "judgement", one.getJudgement().getValue(),
        "betterIs", one.getDirection().getValue(),
        "a", values(one.getA()),
        "b", values(one.getB()),
        "shift", Figures.of(one.getShift()),
        "shiftLow", Figures.of(one.getLow()),
        "shiftHigh", Figures.of(one.getHigh()),
        "p", Figures.of(one.getP()));
  }

  private static Map<String, Object> values(ComparedValues one) {
    return row(
        "values", one.getCount(),
        "median", Figures.of(one.getMedian()),
        "p95", Figures.of(one.getP95()));
  }
}
