package io.peerlens.notify.context;

import io.peerlens.alert.Figures;
import io.peerlens.alert.MetricWords;
import io.peerlens.notify.context.ContextQueries.AboveRow;
import io.peerlens.notify.context.ContextQueries.AlertRow;
import io.peerlens.notify.context.ContextQueries.IncidentRow;
import io.peerlens.notify.context.ContextQueries.ObjectRow;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.threshold.Condition;
import io.peerlens.threshold.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes contexts: what templates, conditions and rules see of an alert. What is the same for all
 * receivers is made here; {@link Receiver} adds what is not. What the history says of a moment wins
 * over what the alert is like now. Thread-safe.
 */
public final class Contexts {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Values that are older say nothing of now. */
  private static final Duration METRIC_AGE = Duration.ofHours(1);

  /** So many are named; a datastore may have hundreds of VMs above it. */
  private static final int MOST_PARENTS = 50;

  private static final int MOST_SYMPTOMS = 50;
  private static final int SYMPTOMS_IN_INFO = 3;

  private static final Map<String, String> KIND_NAMES =
      Map.of(
          "VirtualMachine", "Virtual machine",
          "HostSystem", "Host",
          "ClusterComputeResource", "Cluster",
          "ResourcePool", "Resource pool");

  private final ContextQueries queries;
  private final Supplier<String> address;

  /**
   * Makes contexts from a database.
   *
   * @param address where people reach the pages, without a slash at its end; empty = links are left
   *     out
   */
  public Contexts(ContextQueries queries, Supplier<String> address) {
    this.queries = queries;
    this.address = address;
  }

  /**
   * Contexts of alerts of this installation.
   *
   * @param wanted what more has to be looked up
   * @return one for each moment, in their order; null where the alert is gone
   */
  public List<@Nullable ObjectNode> of(List<Moment> moments, Wanted wanted, Instant now) {
    if (moments.isEmpty()) {
      return List.of();
    }
    List<AlertRow> alerts = queries.alerts(moments);
    Set<Integer> subjects = new HashSet<>();
    alerts.forEach(alert -> subjects.add(alert.object()));
    Set<Integer> members = new HashSet<>();
    Map<Integer, JsonNode> symptoms = new HashMap<>();
    for (AlertRow alert : alerts) {
      JsonNode read = JSON.readTree(alert.members());
      symptoms.put(alert.place(), read);
      read.forEach(member -> members.add(member.path("object").asInt(0)));
    }
    Objects objects = objects(subjects, members, wanted, now);
    Map<Integer, Map<String, Double>> last = last(alerts, moments, symptoms, now);
    Map<UUID, List<IncidentRow>> incidents =
        queries.incidents(alerts.stream().map(AlertRow::id).collect(Collectors.toSet())).stream()
            .collect(Collectors.groupingBy(IncidentRow::alert));
    List<@Nullable ObjectNode> contexts = new ArrayList<>();
    moments.forEach(moment -> contexts.add(null));
    for (AlertRow alert : alerts) {
      Moment moment = moments.get(alert.place());
      ObjectNode context = NODES.objectNode();
      context.put("event", moment.event().name());
      context.put("change", moment.change());
      context.put("source", "peerlens");
      context.put("now", now.toEpochMilli());
      JsonNode of = symptoms.getOrDefault(alert.place(), NODES.arrayNode());
      context.set("alert", alert(alert, moment, of, objects, last, now));
      context.set("object", objects.node(alert.object()));
      context.set("incident", incident(alert, incidents.getOrDefault(alert.id(), List.of()), now));
      contexts.set(alert.place(), context);
    }
    return contexts;
  }

  /**
   * The incident that an alert was in at its moment. What is over stays with the incident that it
   * was in when that was closed.
   */
  private JsonNode incident(AlertRow alert, List<IncidentRow> incidents, Instant now) {
    Instant at = alert.at() == null ? now : alert.at();
    IncidentRow of = null;
    for (IncidentRow one : incidents) {
      Instant left = one.leftAt();
      if (!one.joinedAt().isAfter(at) && (left == null || left.isAfter(at) || one.wasAtEnd())) {
        of = one;
      }
    }
    if (of == null) {
      return NODES.nullNode();
    }
    ObjectNode node = NODES.objectNode();
    node.put("id", of.id().toString());
    node.put("number", of.number());
    node.put("name", "I-" + of.number());
    node.put("title", of.title());
    node.put("status", of.closed() ? "CLOSED" : "OPEN");
    node.put("criticality", Severity.values()[of.severity() - 1].name());
    node.put("since", of.since().toEpochMilli());
    node.put("owner", of.owner());
    node.put("alertCount", of.alertCount());
    node.put("objectCount", of.objectCount());
    node.put("confidence", of.confidence());
    if (of.causeId() == null || of.causeName() == null) {
      node.putNull("cause");
    } else {
      node.putObject("cause")
          .put("alertId", of.causeId().toString())
          .put("name", of.causeName())
          .put("object", of.causeObject());
    }
    node.put("sentence", sentence(of));
    String url = address.get();
    node.put("url", url.isEmpty() ? null : url + "/incidents/" + of.number());
    return node;
  }

  private static String sentence(IncidentRow of) {
    String size =
        "%,d alerts of %,d %s"
            .formatted(
                of.alertCount(), of.objectCount(), of.objectCount() == 1 ? "object" : "objects");
    return of.causeName() == null
        ? "I-%d: %s that began together; no alert explains them.".formatted(of.number(), size)
        : "I-%d: %s. %s cause: %s on %s."
            .formatted(
                of.number(),
                size,
                of.confidence().equals("low") ? "Possible" : "Likely",
                of.causeName(),
                of.causeObject());
  }

  /**
   * The context of an alert for an event, for previews: as it was when that happened, or as it is
   * now if it has not happened yet.
   *
   * @return empty = there is no such alert
   */
  public Optional<ObjectNode> preview(UUID alert, EventType event, Wanted wanted, Instant now) {
    String change =
        switch (event) {
          case NEW -> "opened";
          case CANCEL -> "canceled";
          default -> "severity";
        };
    Moment moment = queries.step(alert, event).orElse(Moment.now(alert, event, change));
    return Optional.ofNullable(of(List.of(moment), wanted, now).getFirst());
  }

  /**
   * Adds what the inventory knows of the objects of contexts that came from elsewhere. An object is
   * known by its id, or by its name, and kind where that is given; a name that several have says
   * nothing.
   */
  public void enrich(List<ObjectNode> contexts, Wanted wanted, Instant now) {
    Set<String> names = new HashSet<>();
    Set<UUID> uuids = new HashSet<>();
    for (ObjectNode context : contexts) {
      String name = context.path("object").path("name").asString("");
      if (!name.isEmpty()) {
        names.add(name);
      }
      UUID uuid = uuid(context);
      if (uuid != null) {
        uuids.add(uuid);
      }
    }
    Map<String, List<ContextQueries.NamedRow>> byName = new HashMap<>();
    for (ContextQueries.NamedRow row : queries.named(names)) {
      byName.computeIfAbsent(row.name(), name -> new ArrayList<>()).add(row);
    }
    Map<UUID, Integer> byUuid = queries.identified(uuids);
    Map<ObjectNode, Integer> found = new IdentityHashMap<>();
    for (ObjectNode context : contexts) {
      UUID uuid = uuid(context);
      Integer id = uuid == null ? null : byUuid.get(uuid);
      if (id == null) {
        JsonNode object = context.path("object");
        id = onlyOne(byName.getOrDefault(object.path("name").asString(""), List.of()), object);
      }
      if (id != null) {
        found.put(context, id);
      }
    }
    Objects objects = objects(Set.copyOf(found.values()), Set.of(), wanted, now);
    found.forEach(
        (context, id) -> {
          if (objects.node(id) instanceof ObjectNode known) {
            context.set("object", merged(context.path("object"), known));
          }
        });
  }

  private static @Nullable UUID uuid(JsonNode context) {
    String id = context.path("object").path("id").asString("");
    try {
      return id.length() == 36 ? UUID.fromString(id) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Two systems may use one name for the kind and another for the adapter: the kind decides. */
  private static @Nullable Integer onlyOne(List<ContextQueries.NamedRow> rows, JsonNode object) {
    String kind = object.path("kind").asString("");
    String adapter = object.path("adapterKind").asString("");
    List<ContextQueries.NamedRow> fitting =
        rows.stream().filter(row -> kind.isEmpty() || row.kind().equals(kind)).toList();
    List<ContextQueries.NamedRow> exact =
        fitting.stream().filter(row -> row.adapterKind().equals(adapter)).toList();
    List<ContextQueries.NamedRow> left = exact.isEmpty() ? fitting : exact;
    return left.size() == 1 && left.getFirst().count() == 1 ? left.getFirst().id() : null;
  }

  /**
   * What the sender says of its object stays, the inventory adds to it. Of tags and properties that
   * both have, those of the inventory are taken.
   */
  private static ObjectNode merged(JsonNode given, ObjectNode known) {
    given
        .properties()
        .forEach(
            entry -> {
              JsonNode value = entry.getValue();
              if (entry.getKey().equals("id")) {
                return;
              }
              if (value.isString() && !value.asString("").isEmpty()) {
                known.set(entry.getKey(), value);
              } else if (value instanceof ObjectNode members
                  && known.get(entry.getKey()) instanceof ObjectNode ours) {
                members
                    .properties()
                    .forEach(member -> ours.putIfAbsent(member.getKey(), member.getValue()));
              }
            });
    return known;
  }

  /** The newest values of what led to alerts that are over, by object and metric. */
  private Map<Integer, Map<String, Double>> last(
      List<AlertRow> alerts, List<Moment> moments, Map<Integer, JsonNode> members, Instant now) {
    Set<Integer> ids = new HashSet<>();
    Set<String> keys = new HashSet<>();
    for (AlertRow alert : alerts) {
      if (isOver(moments.get(alert.place()))) {
        for (JsonNode member : members.getOrDefault(alert.place(), NODES.arrayNode())) {
          ids.add(member.path("object").asInt(0));
          keys.add(member.path("key").asString(""));
        }
      }
    }
    keys.remove("");
    return queries.newest(ids, keys, now, METRIC_AGE);
  }

  private static boolean isOver(Moment moment) {
    return moment.event() == EventType.CANCEL;
  }

  private ObjectNode alert(
      AlertRow row,
      Moment moment,
      JsonNode members,
      Objects objects,
      Map<Integer, Map<String, Double>> last,
      Instant now) {
    boolean over = isOver(moment);
    Instant end = row.at() != null ? row.at() : row.canceledAt() != null ? row.canceledAt() : now;
    ObjectNode alert = NODES.objectNode();
    alert.put("id", row.id().toString());
    alert.put("number", row.number());
    alert.put("name", row.name());
    alert.put("title", title(row));
    alert.put("definitionId", row.definition().toString());
    alert.put("definitionDescription", row.description());
    alert.put("status", over ? "CANCELED" : "ACTIVE");
    alert.put("controlState", controlState(row.controlState()));
    alert.put("criticality", Severity.values()[row.severity() - 1].name());
    alert.put("type", type(row, objects.row(row.object())));
    alert.put("subType", subType(row, members));
    alert.put("impact", row.impact().toUpperCase(Locale.ROOT));
    alert.put("since", row.since().toEpochMilli());
    alert.put("startTime", row.openedAt().toEpochMilli());
    alert.put("updateTime", (row.at() == null ? row.updatedAt() : row.at()).toEpochMilli());
    if (over) {
      alert.put("cancelTime", end.toEpochMilli());
      alert.put("duration", Math.max(0, Duration.between(row.since(), end).toMillis()));
    } else {
      alert.putNull("cancelTime");
      alert.putNull("duration");
    }
    alert.put("cancelReason", over ? row.cancelReason() : null);
    String said = over ? wasSaid(row, end) : row.said();
    ArrayNode symptoms = symptoms(row, members, objects, over ? last : null);
    alert.put("info", info(symptoms, said));
    alert.put("explanation", said);
    String url = address.get();
    if (url.isEmpty()) {
      alert.putNull("url");
    } else {
      alert.put("url", url + "/alerts/" + row.id());
    }
    alert.set("symptoms", symptoms);
    ArrayNode recommendations = alert.putArray("recommendations");
    row.recommendations().forEach(recommendations::add);
    alert.put("health", objects.badge(row.object(), "health"));
    alert.put("risk", objects.badge(row.object(), "risk"));
    alert.put("efficiency", objects.badge(row.object(), "efficiency"));
    alert.put("owner", row.owner());
    alert.put("by", row.by());
    alert.put("note", row.note());
    alert.put("notificationCount", 0);
    alert.putObject("externalIds");
    return alert;
  }

  /** An alert about an outlier has the name of its group, which does not say what is the matter. */
  private static String title(AlertRow row) {
    return row.source().equals("outlier-group") ? "Outlier in " + row.name() : row.name();
  }

  /** In the words of vRealize Operations, which says assigned. */
  private static String controlState(String state) {
    return state.equals("acknowledged") ? "ASSIGNED" : state.toUpperCase(Locale.ROOT);
  }

  /** As the rule says; else by the kind of the object. */
  private static String type(AlertRow row, @Nullable ObjectRow object) {
    if (row.type() != null) {
      return AlertTypes.type(row.type());
    }
    if (object == null || !object.adapterKind().equals("VMWARE")) {
      return "APPLICATION";
    }
    return object.kind().equals("Datastore") ? "STORAGE" : "VIRTUALIZATION";
  }

  /** As the rule says; else by what it watches. */
  private static String subType(AlertRow row, JsonNode members) {
    if (row.subType() != null) {
      return AlertTypes.subType(row.subType());
    }
    boolean silent = members.path(0).path("operator").asString("").equals(Condition.NO_DATA);
    return silent ? "AVAILABILITY" : row.impact().equals("health") ? "PERFORMANCE" : "CAPACITY";
  }

  /** What is said of an alert that is over: that it is, how long it lasted, and what it was. */
  private static String wasSaid(AlertRow row, Instant end) {
    double lasted = Math.max(0, Duration.between(row.since(), end).toSeconds());
    String reason =
        switch (row.cancelReason() == null ? "" : row.cancelReason()) {
          case "definition-changed" -> ", because its definition was changed";
          case "definition-deleted" -> ", because its definition was deleted";
          case "definition-disabled" -> ", because its definition was switched off";
          case "out-of-scope" -> ", because the object is no longer in scope";
          case "object-gone" -> ", because nothing was heard of the object any more";
          default -> "";
        };
    String over =
        "It is over after %s, from %s to %s%s."
            .formatted(
                Figures.duration(lasted),
                Figures.time(row.since(), end),
                Figures.time(end, end),
                reason);
    return row.said() == null ? over : over + " While it lasted: " + row.said();
  }

  /**
   * The worst one as it was at the moment, the others as they are.
   *
   * @param last newest values by object and metric, if it is over; null = it goes on
   */
  private static ArrayNode symptoms(
      AlertRow row,
      JsonNode members,
      Objects objects,
      @Nullable Map<Integer, Map<String, Double>> last) {
    ArrayNode symptoms = NODES.arrayNode();
    for (JsonNode member : members) {
      if (symptoms.size() == MOST_SYMPTOMS) {
        break;
      }
      boolean then = symptoms.isEmpty() && row.past();
      Symptom one =
          new Symptom(
              member.path("operator").asString(""),
              then ? row.value() : number(member.path("value")),
              then ? row.text() : member.path("text").asString(null),
              then ? row.bound() : number(member.path("bound")),
              then ? row.upper() : number(member.path("upper")));
      int id = member.path("object").asInt(0);
      String key = member.path("key").asString("");
      Double newest = last == null ? null : last.getOrDefault(id, Map.of()).get(key);
      ObjectRow object = objects.row(id);
      String name = object == null ? null : object.name();
      ObjectNode symptom = symptoms.addObject();
      symptom.put("message", message(member, one, newest, last != null, row.object(), name));
      symptom.put("metric", member.path("key").asString(null));
      symptom.put("value", one.value());
      symptom.put("bound", one.crossed());
      symptom.put("lower", one.isRange() ? one.bound() : null);
      symptom.put("upper", one.isRange() ? one.upper() : null);
      symptom.put("lastValue", newest);
      symptom.put("objectName", name);
    }
    return symptoms;
  }

  /**
   * A symptom's value and what it was compared with.
   *
   * @param bound the lower end of a range
   * @param upper null = no range
   */
  private record Symptom(
      String operator,
      @Nullable Double value,
      @Nullable String text,
      @Nullable Double bound,
      @Nullable Double upper) {

    boolean isRange() {
      return upper != null && bound != null;
    }

    /** The end of the range that the value is beyond, or the bound; null = beyond neither. */
    @Nullable Double crossed() {
      if (upper == null || bound == null) {
        return bound;
      }
      return value == null || operator.equals("inside")
          ? null
          : value > upper ? upper : value < bound ? bound : null;
    }
  }

  private static @Nullable Double number(JsonNode node) {
    return node.isNumber() ? node.asDouble() : null;
  }

  private static String message(
      JsonNode member,
      Symptom symptom,
      @Nullable Double newest,
      boolean over,
      int subject,
      @Nullable String objectName) {
    StringBuilder message = new StringBuilder(member.path("name").asString(""));
    if (objectName != null && member.path("object").asInt(0) != subject) {
      message.append(" on ").append(objectName);
    }
    String unit = member.path("unit").asString("");
    String key = member.path("key").asString("");
    boolean network = key.startsWith("net");
    message
        .append(": ")
        .append(Keys.superMetric(key) == null ? MetricWords.of(key) : "its super metric");
    Double value = symptom.value();
    String verb = over ? " was " : " is ";
    if (symptom.text() != null) {
      message.append(verb).append(symptom.text());
    } else if (value != null) {
      message.append(verb).append(Figures.withUnit(value, unit, network));
    } else {
      message.append(over ? " had no value" : " has no value");
    }
    Double crossed = symptom.crossed();
    if (crossed != null) {
      message.append(", limit ").append(Figures.withUnit(crossed, unit, network));
    }
    Double lower = symptom.bound();
    Double upper = symptom.upper();
    if (lower != null && upper != null) {
      message
          .append(crossed == null ? ", " : " (")
          .append(Figures.withUnit(lower, unit, network))
          .append(" to ")
          .append(Figures.withUnit(upper, unit, network))
          .append(
              symptom.operator().endsWith("-usual")
                  ? " is usual"
                  : symptom.operator().equals("inside") ? " is not accepted" : " is accepted")
          .append(crossed == null ? "" : ")");
    }
    if (newest != null && !member.path("operator").asString("").equals(Condition.NO_DATA)) {
      message.append(", now ").append(Figures.withUnit(newest, unit, network));
    }
    return message.toString();
  }

  private static @Nullable String info(ArrayNode symptoms, @Nullable String said) {
    List<String> messages = new ArrayList<>();
    for (JsonNode symptom : symptoms) {
      if (messages.size() == SYMPTOMS_IN_INFO) {
        messages.add("and " + (symptoms.size() - SYMPTOMS_IN_INFO) + " more");
        break;
      }
      messages.add(symptom.path("message").asString(""));
    }
    return messages.isEmpty() ? said : String.join("; ", messages);
  }

  private Objects objects(Set<Integer> subjects, Set<Integer> named, Wanted wanted, Instant now) {
    Map<Integer, List<AboveRow>> above = queries.above(subjects);
    Set<Integer> all = new HashSet<>(subjects);
    all.addAll(named);
    above.values().forEach(rows -> nearest(rows).values().forEach(row -> all.add(row.id())));
    Map<String, String> superMetrics = queries.superMetrics(wanted.superMetrics());
    Set<String> keys = new HashSet<>(wanted.metrics());
    keys.addAll(superMetrics.values());
    return new Objects(
        queries.objects(all),
        above,
        queries.badges(subjects),
        queries.newest(subjects, keys, now, METRIC_AGE),
        wanted,
        superMetrics);
  }

  /** The nearest of each kind, by kind. */
  private static Map<String, AboveRow> nearest(List<AboveRow> above) {
    Map<String, AboveRow> nearest = new HashMap<>();
    above.forEach(row -> nearest.putIfAbsent(row.kind(), row));
    return nearest;
  }

  /** {@code VirtualMachine} is "Virtual machine". */
  static String kindName(String kind) {
    String known = KIND_NAMES.get(kind);
    if (known != null) {
      return known;
    }
    String spaced = kind.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
    return spaced.isEmpty()
        ? kind
        : spaced.substring(0, 1).toUpperCase(Locale.ROOT) + spaced.substring(1);
  }

  /** What was read of the objects of a batch. */
  private record Objects(
      Map<Integer, ObjectRow> rows,
      Map<Integer, List<AboveRow>> above,
      Map<Integer, Map<String, Integer>> badges,
      Map<Integer, Map<String, Double>> values,
      Wanted wanted,
      Map<String, String> superMetrics) {

    @Nullable ObjectRow row(int id) {
      return rows.get(id);
    }

    /** 1 = good to 4 = critical, as badges count. */
    int badge(int id, String impact) {
      return Math.max(1, badges.getOrDefault(id, Map.of()).getOrDefault(impact, 1));
    }

    JsonNode node(int id) {
      ObjectRow row = rows.get(id);
      if (row == null) {
        return NODES.nullNode();
      }
      ObjectNode object = NODES.objectNode();
      object.put("id", row.uuid().toString());
      object.put("name", row.name());
      object.put("kind", row.kind());
      object.put("kindName", kindName(row.kind()));
      object.put("adapterKind", row.adapterKind());
      int slash = row.externalId().lastIndexOf('/');
      object.put("adapterInstance", slash < 0 ? null : row.externalId().substring(0, slash));
      object.set("properties", JSON.readTree(row.properties()));
      object.set("tags", JSON.readTree(row.tags()));
      Map<String, Double> known = values.getOrDefault(id, Map.of());
      ObjectNode metrics = object.putObject("metrics");
      wanted.metrics().forEach(key -> put(metrics, key, known.get(key)));
      ObjectNode supers = object.putObject("superMetrics");
      superMetrics.forEach((name, key) -> put(supers, name, known.get(key)));
      List<AboveRow> up = above.getOrDefault(id, List.of());
      ArrayNode parents = object.putArray("parents");
      up.stream()
          .filter(parent -> parent.depth() == 1)
          .limit(MOST_PARENTS)
          .forEach(
              parent ->
                  parents
                      .addObject()
                      .put("kind", parent.kind())
                      .put("name", parent.name())
                      .put("id", parent.uuid().toString()));
      ObjectNode ancestors = object.putObject("ancestors");
      nearest(up).values().stream()
          .sorted(Comparator.comparing(AboveRow::kind))
          .forEach(
              ancestor -> {
                ObjectRow of = rows.get(ancestor.id());
                ObjectNode node = ancestors.putObject(ancestor.kind());
                node.put("id", ancestor.uuid().toString());
                node.put("name", ancestor.name());
                node.set("tags", of == null ? NODES.objectNode() : JSON.readTree(of.tags()));
                node.set(
                    "properties", of == null ? NODES.objectNode() : JSON.readTree(of.properties()));
              });
      return object;
    }

    private static void put(ObjectNode node, String name, @Nullable Double value) {
      if (value != null) {
        node.put(name, value);
      }
    }
  }
}
