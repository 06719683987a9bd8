package io.peerlens.assistant;

import static io.peerlens.assistant.Answer.row;
import static io.peerlens.assistant.Inventory.body;

import io.peerlens.api.ChangesApi;
import io.peerlens.api.ForecastsApi;
import io.peerlens.api.HealthApi;
import io.peerlens.api.KindsApi;
import io.peerlens.api.model.Ancestor;
import io.peerlens.api.model.Badge;
import io.peerlens.api.model.Change;
import io.peerlens.api.model.ChangeKind;
import io.peerlens.api.model.ChangePage;
import io.peerlens.api.model.Forecast;
import io.peerlens.api.model.KindMetric;
import io.peerlens.api.model.ManagedObject;
import io.peerlens.api.model.ObjectKind;
import io.peerlens.api.model.ObjectMetric;
import io.peerlens.api.model.ObjectPage;
import io.peerlens.api.model.ObjectQuery;
import io.peerlens.load.ReadOperations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tools about what there is: objects, metrics, changes. */
final class InventoryTools {

  private static final int PROPERTIES = 40;
  private static final int FEW = 5;

  private final ReadOperations operations;
  private final Inventory inventory;
  private final Findings findings;
  private final PageLinks links;
  private final InstantSource clock;

  InventoryTools(
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

  List<Tool> tools() {
    return List.of(
        new Tool(
            "find_objects",
            "Find objects",
            "Lists objects (virtual machines, hosts, clusters, datastores, ...) by words of their names, kind, tag and place. Call it first when it is not clear which object is meant.",
            List.of(
                Parameter.text("text", "Words that must occur in the name, id or an address."),
                Parameter.text("kind", "Kind, such as vm, host, cluster, or VirtualMachine."),
                Parameter.text("tag", "A tag as key=value, or a key."),
                Parameter.text("below", "Only what is below this object: its id or name."),
                Parameter.number("limit", "How many; default 20.", 1, Answer.ROWS)),
            this::findObjects),
        new Tool(
            "describe_object",
            "Describe an object",
            "Tells what an object is and how it does: place, health, open alerts and outliers, changes of the last 7 days, resources that fill up, properties and tags.",
            List.of(Parameter.text("object", Inventory.OBJECT).needed()),
            this::describe),
        new Tool(
            "list_metrics",
            "List metrics",
            "Lists the metrics of an object with their newest values, or those of a kind; their keys are what query_series, top_objects and compare_periods take.",
            List.of(
                Parameter.text("object", Inventory.OBJECT),
                Parameter.text("kind", "Instead of an object: a kind, such as vm or host."),
                Parameter.text("text", "Words that must occur in the key, such as cpu or latency."),
                Parameter.number("limit", "How many; default 50.", 1, Answer.ROWS)),
            this::metrics),
        new Tool(
            "list_changes",
            "List changes",
            "Lists what changed: moves of machines, properties, tags, new and removed objects, recorded changes, with who did it where that is known.",
            List.of(
                Parameter.text("object", Inventory.OBJECT + " Left out: all objects."),
                Parameter.oneOf(
                    "kind",
                    "Only changes of this kind.",
                    Arrays.stream(ChangeKind.values()).map(ChangeKind::getValue).toList()),
                TimeSpan.FROM,
                TimeSpan.TO,
                Parameter.number("limit", "How many; default 20.", 1, Answer.ROWS)),
            this::changes));
  }

  private Answer findObjects(Arguments arguments) {
    String text = arguments.text("text");
    String kindWords = arguments.text("kind");
    String tag = arguments.text("tag");
    ObjectKind kind = kindWords == null ? null : inventory.kind("kind", kindWords);
    UUID below = inventory.idOf("below", arguments.text("below"));
    ObjectPage page =
        body(
            inventory
                .objects()
                .queryObjects(
                    new ObjectQuery()
                        .q(text)
                        .adapterKind(kind == null ? null : List.of(kind.getAdapterKind()))
                        .objectKind(kind == null ? null : List.of(kind.getObjectKind()))
                        .tag(tag == null ? null : List.of(tag))
                        .ancestor(below)
                        .withPath(true)
                        .limit(arguments.number("limit", 20))));
    return new Answer()
        .summary(page.getTotal() + " objects match.")
        .put("at", clock.instant())
        .rows(
            "objects",
            page.getItems().stream().map(one -> Inventory.row(one, true)).toList(),
            page.getTotal())
        .link(links.to("/explorer", "q", text, "under", below));
  }

  private Answer describe(Arguments arguments) {
    ManagedObject object = inventory.object("object", arguments.text("object", ""));
    UUID id = object.getId();
    Instant now = clock.instant();
    List<Ancestor> above = body(inventory.objects().listAncestors(id)).getItems();
    ObjectPage below = body(inventory.objects().listChildren(id, null, 10, null));
    Findings.Found alerts = findings.openAlerts(List.of(id), FEW);
    Findings.Found outliers = findings.openOutliers(List.of(id), FEW);
    Instant week = now.minus(Duration.ofDays(7));
    ChangePage changes =
        body(inventory.objects().listObjectChanges(id, week.toString(), now.toString(), FEW, null));
    List<Forecast> forecasts = body(operations.of(ForecastsApi.class).listForecasts(id)).getItems();
    var health = body(operations.of(HealthApi.class).getObjectHealth(id));
    Map<String, Object> properties = new LinkedHashMap<>();
    object.getProperties().entrySet().stream()
        .limit(PROPERTIES)
        .forEach(one -> properties.put(one.getKey(), one.getValue()));
    return new Answer()
        .summary(
            "%d open alerts, %d open outlier events, %d changes in the last 7 days, %d objects below it."
                .formatted(alerts.total(), outliers.total(), changes.getTotal(), below.getTotal()))
        .put("at", now)
        .put("object", Inventory.row(object, false))
        .put("firstSeen", object.getFirstSeen())
        .put("lastSeen", object.getLastSeen())
        .put("removedAt", object.getRemovedAt())
        .put(
            "health",
            row(
                "health", badge(health.getHealth()),
                "risk", badge(health.getRisk()),
                "efficiency", badge(health.getEfficiency())))
        .rows("above", above.stream().map(InventoryTools::ancestor).toList())
        .rows("below", below.getItems().stream().map(Inventory::row).toList(), below.getTotal())
        .rows("openAlerts", alerts.rows(), alerts.total())
        .rows("openOutliers", outliers.rows(), outliers.total())
        .span(week, now)
        .rows(
            "changes",
            changes.getItems().stream().map(InventoryTools::change).toList(),
            changes.getTotal())
        .rows(
            "fillingUp",
            forecasts.stream().limit(FEW).map(InventoryTools::forecast).toList(),
            forecasts.size())
        .put("properties", properties)
        .put(
            "propertiesLeftOut",
            object.getProperties().size() > PROPERTIES
                ? object.getProperties().size() - PROPERTIES
                : null)
        .put("tags", object.getTags())
        .link(links.object(id));
  }

  private static Map<String, Object> ancestor(Ancestor one) {
    Map<String, Object> row = row("distance", one.getDistance());
    row.putAll(
        row(
            "id", one.getObject().getId(),
            "kind", one.getObject().getObjectKind(),
            "name", one.getObject().getName()));
    return row;
  }

  private static String badge(Badge badge) {
    return badge.getSeverity() == null ? "good" : badge.getSeverity().getValue();
  }

  private static Map<String, Object> forecast(Forecast one) {
    return row(
        "metric", one.getKey(),
        "unit", one.getUnit(),
        "level", Figures.of(one.getLevel()),
        "limit", Figures.of(one.getLimit()),
        "daysLeft", Figures.of(one.getDays()),
        "perDay", Figures.of(one.getPerDay()),
        "asOf", one.getAsOf());
  }

  private Answer metrics(Arguments arguments) {
    String words = arguments.text("object");
    String kindWords = arguments.text("kind");
    String text = arguments.text("text", "").toLowerCase(Locale.ROOT);
    int limit = arguments.number("limit", Answer.ROWS);
    if ((words == null) == (kindWords == null)) {
      throw ToolProblem.of(
          "Give either object or kind.", "Of an object there are the newest values, too.");
    }
    if (words != null) {
      ManagedObject object = inventory.object("object", words);
      List<ObjectMetric> found =
          inventory.metrics(object.getId(), true).stream()
              .filter(one -> matches(one.getKey(), text))
              .toList();
      return new Answer()
          .summary(found.size() + " metrics match.")
          .put("at", clock.instant())
          .put("object", Inventory.row(object, false))
          .rows(
              "metrics",
              found.stream()
                  .limit(limit)
                  .map(
                      one ->
                          row(
                              "key", one.getKey(),
                              "unit", one.getUnit(),
                              "newest", Figures.of(one.getNewestValue()),
                              "newestAt", one.getNewestTime()))
                  .toList(),
              found.size())
          .link(links.object(object.getId()));
    }
    ObjectKind kind = inventory.kind("kind", arguments.text("kind", ""));
    List<KindMetric> found =
        body(
                operations
                    .of(KindsApi.class)
                    .listKindMetrics(kind.getAdapterKind(), kind.getObjectKind()))
            .getItems()
            .stream()
            .filter(one -> matches(one.getKey(), text))
            .toList();
    return new Answer()
        .summary(found.size() + " metrics match.")
        .put("at", clock.instant())
        .put("kind", kind.getAdapterKind() + "/" + kind.getObjectKind())
        .rows(
            "metrics",
            found.stream()
                .limit(limit)
                .map(
                    one ->
                        row(
                            "key", one.getKey(),
                            "unit", one.getUnit(),
                            "hasInstances", one.getInstanced()))
                .toList(),
            found.size())
        .link(links.to("/explorer"));
  }

  private static boolean matches(String key, String text) {
    String lower = key.toLowerCase(Locale.ROOT);
    return Arrays.stream(text.split("\\s+")).allMatch(lower::contains);
  }

  private Answer changes(Arguments arguments) {
    TimeSpan span = TimeSpan.of(arguments, Duration.ofHours(24), clock.instant());
    String words = arguments.text("object");
    String kind = arguments.text("kind");
    int limit = arguments.number("limit", 20);
    List<ChangeKind> kinds = kind == null ? null : List.of(ChangeKind.fromValue(kind));
    UUID object = inventory.idOf("object", words);
    ChangePage page =
        object != null && kinds == null
            ? body(
                inventory
                    .objects()
                    .listObjectChanges(
                        object, span.from().toString(), span.to().toString(), limit, null))
            : body(
                operations
                    .of(ChangesApi.class)
                    .listChanges(
                        span.from().toString(), span.to().toString(), object, kinds, limit, null));
    return new Answer()
        .summary(page.getTotal() + " changes.")
        .span(span)
        .rows(
            "changes",
            page.getItems().stream().map(InventoryTools::change).toList(),
            page.getTotal())
        .link(
            object == null
                ? links.to("/", "from", span.from(), "to", span.to())
                : links.object(object, span));
  }

  static Map<String, Object> change(Change one) {
    return row(
        "id", one.getId(),
        "time", one.getTime(),
        "kind", one.getKind().getValue(),
        "object", Inventory.row(one.getObject()),
        "key", one.getKey(),
        "before", one.getBefore(),
        "after", one.getAfter(),
        "by", author(one),
        "until", one.getRecorded() == null ? null : one.getRecorded().getUntil(),
        "note", one.getRecorded() == null ? null : one.getRecorded().getNote());
  }

  private static @Nullable String author(Change one) {
    return one.getAuthor() != null || one.getRecorded() == null
        ? one.getAuthor()
        : one.getRecorded().getAuthor();
  }
}
