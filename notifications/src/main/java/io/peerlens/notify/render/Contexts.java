package io.peerlens.notify.render;

import io.peerlens.notify.render.ContextQueries.AboveRow;
import io.peerlens.notify.render.ContextQueries.AlertRow;
import io.peerlens.notify.render.ContextQueries.IncidentRow;
import io.peerlens.notify.render.ContextQueries.ObjectRow;
import io.peerlens.threshold.Severity;
import io.peerlens.words.Figures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Contexts of alerts, read from the database: what templates, conditions and rules see. What is the
 * same for all receivers is made here; {@link Receiver} adds what is not. What the history says of
 * a moment wins over what the alert is like now. Thread-safe.
 */
public final class Contexts {

  /** Nodes of other versions may store more, or less. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private static final TypeReference<List<StoredSymptom>> MEMBERS = new TypeReference<>() {};

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
    Map<Integer, List<StoredSymptom>> symptoms = new HashMap<>();
    for (AlertRow alert : alerts) {
      List<StoredSymptom> read = JSON.readValue(alert.members(), MEMBERS);
      symptoms.put(alert.place(), read);
      read.forEach(member -> members.add(member.object()));
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
      List<StoredSymptom> of = symptoms.getOrDefault(alert.place(), List.of());
      contexts.set(
          alert.place(),
          new OwnContext(
                  moment.event().name(),
                  moment.change(),
                  "peerlens",
                  now.toEpochMilli(),
                  alert(alert, moment, of, objects, last, now),
                  objects.subject(alert.object()),
                  incident(alert, incidents.getOrDefault(alert.id(), List.of()), now))
              .tree());
    }
    return contexts;
  }

  /**
   * The incident that an alert was in at its moment. What is over stays with the incident that it
   * was in when that was closed.
   */
  private OwnContext.@Nullable Incident incident(
      AlertRow alert, List<IncidentRow> incidents, Instant now) {
    Instant at = alert.at() == null ? now : alert.at();
    IncidentRow of = null;
    for (IncidentRow one : incidents) {
      Instant left = one.leftAt();
      if (!one.joinedAt().isAfter(at) && (left == null || left.isAfter(at) || one.wasAtEnd())) {
        of = one;
      }
    }
    if (of == null) {
      return null;
    }
    String url = address.get();
    return new OwnContext.Incident(
        of.id().toString(),
        of.number(),
        "I-" + of.number(),
        of.title(),
        of.closed() ? "CLOSED" : "OPEN",
        Severity.values()[of.severity() - 1].name(),
        of.since().toEpochMilli(),
        of.owner(),
        of.alertCount(),
        of.objectCount(),
        of.confidence(),
        of.causeId() == null || of.causeName() == null
            ? null
            : new OwnContext.Cause(of.causeId().toString(), of.causeName(), of.causeObject()),
        sentence(of),
        url.isEmpty() ? null : url + "/incidents/" + of.number());
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
          OwnContext.Subject known = objects.subject(id);
          if (known != null) {
            context.set("object", merged(context.path("object"), known.tree()));
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
      List<AlertRow> alerts,
      List<Moment> moments,
      Map<Integer, List<StoredSymptom>> members,
      Instant now) {
    Set<Integer> ids = new HashSet<>();
    Set<String> keys = new HashSet<>();
    for (AlertRow alert : alerts) {
      if (isOver(moments.get(alert.place()))) {
        for (StoredSymptom member : members.getOrDefault(alert.place(), List.of())) {
          ids.add(member.object());
          keys.add(member.keyOrEmpty());
        }
      }
    }
    keys.remove("");
    return queries.newest(ids, keys, now, METRIC_AGE);
  }

  private static boolean isOver(Moment moment) {
    return moment.event() == EventType.CANCEL;
  }

  private OwnContext.Alert alert(
      AlertRow row,
      Moment moment,
      List<StoredSymptom> members,
      Objects objects,
      Map<Integer, Map<String, Double>> last,
      Instant now) {
    boolean over = isOver(moment);
    Instant end = row.at() != null ? row.at() : row.canceledAt() != null ? row.canceledAt() : now;
    String said = over ? wasSaid(row, end) : row.said();
    List<OwnContext.Symptom> symptoms = symptoms(row, members, objects, over ? last : null);
    String url = address.get();
    return new OwnContext.Alert(
        row.id().toString(),
        row.number(),
        row.name(),
        title(row),
        row.definition().toString(),
        row.description(),
        over ? "CANCELED" : "ACTIVE",
        controlState(row.controlState()),
        Severity.values()[row.severity() - 1].name(),
        type(row, objects.row(row.object())),
        subType(row, members),
        row.impact().toUpperCase(Locale.ROOT),
        row.since().toEpochMilli(),
        row.openedAt().toEpochMilli(),
        (row.at() == null ? row.updatedAt() : row.at()).toEpochMilli(),
        over ? end.toEpochMilli() : null,
        over ? Math.max(0, Duration.between(row.since(), end).toMillis()) : null,
        over ? row.cancelReason() : null,
        info(symptoms, said),
        said,
        url.isEmpty() ? null : url + "/alerts/" + row.id(),
        symptoms,
        row.recommendations(),
        objects.badge(row.object(), "health"),
        objects.badge(row.object(), "risk"),
        objects.badge(row.object(), "efficiency"),
        row.owner(),
        row.by(),
        row.note(),
        0,
        Map.of());
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
  private static String subType(AlertRow row, List<StoredSymptom> members) {
    if (row.subType() != null) {
      return AlertTypes.subType(row.subType());
    }
    boolean silent = !members.isEmpty() && members.getFirst().isNoData();
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
          case "object-removed" -> ", because the object was removed at its source";
          case "by-hand" -> ", because somebody canceled it";
          case "object-gone" -> ", because the object no longer sends data";
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
  private static List<OwnContext.Symptom> symptoms(
      AlertRow row,
      List<StoredSymptom> members,
      Objects objects,
      @Nullable Map<Integer, Map<String, Double>> last) {
    List<OwnContext.Symptom> symptoms = new ArrayList<>();
    for (StoredSymptom stored : members.subList(0, Math.min(MOST_SYMPTOMS, members.size()))) {
      StoredSymptom one =
          symptoms.isEmpty() && row.past()
              ? stored.was(row.value(), row.text(), row.bound(), row.upper())
              : stored;
      Double newest =
          last == null ? null : last.getOrDefault(one.object(), Map.of()).get(one.keyOrEmpty());
      ObjectRow object = objects.row(one.object());
      String name = object == null ? null : object.name();
      symptoms.add(
          new OwnContext.Symptom(
              one.message(newest, last != null, row.object(), name),
              one.key(),
              one.value(),
              one.crossed(),
              one.isRange() ? one.bound() : null,
              one.isRange() ? one.upper() : null,
              newest,
              name));
    }
    return symptoms;
  }

  private static @Nullable String info(List<OwnContext.Symptom> symptoms, @Nullable String said) {
    if (symptoms.isEmpty()) {
      return said;
    }
    String info =
        symptoms.stream()
            .limit(SYMPTOMS_IN_INFO)
            .map(OwnContext.Symptom::message)
            .collect(Collectors.joining("; "));
    return symptoms.size() > SYMPTOMS_IN_INFO
        ? info + "; and " + (symptoms.size() - SYMPTOMS_IN_INFO) + " more"
        : info;
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

  /** Objects of a batch, as they were read. */
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

    OwnContext.@Nullable Subject subject(int id) {
      ObjectRow row = rows.get(id);
      if (row == null) {
        return null;
      }
      int slash = row.externalId().lastIndexOf('/');
      List<AboveRow> up = above.getOrDefault(id, List.of());
      Map<String, Double> known = values.getOrDefault(id, Map.of());
      Map<String, Double> metrics = new LinkedHashMap<>();
      wanted.metrics().forEach(key -> put(metrics, key, known.get(key)));
      Map<String, Double> supers = new LinkedHashMap<>();
      superMetrics.forEach((name, key) -> put(supers, name, known.get(key)));
      Map<String, OwnContext.Ancestor> ancestors = new TreeMap<>();
      nearest(up).values().forEach(one -> ancestors.put(one.kind(), ancestor(one)));
      return new OwnContext.Subject(
          row.uuid().toString(),
          row.name(),
          row.kind(),
          kindName(row.kind()),
          row.adapterKind(),
          slash < 0 ? null : row.externalId().substring(0, slash),
          JSON.readTree(row.properties()),
          JSON.readTree(row.tags()),
          metrics,
          supers,
          up.stream()
              .filter(parent -> parent.depth() == 1)
              .limit(MOST_PARENTS)
              .map(one -> new OwnContext.Parent(one.kind(), one.name(), one.uuid().toString()))
              .toList(),
          ancestors);
    }

    private OwnContext.Ancestor ancestor(AboveRow one) {
      ObjectRow of = rows.get(one.id());
      return new OwnContext.Ancestor(
          one.uuid().toString(),
          one.name(),
          of == null ? JSON.createObjectNode() : JSON.readTree(of.tags()),
          of == null ? JSON.createObjectNode() : JSON.readTree(of.properties()));
    }

    private static void put(Map<String, Double> into, String name, @Nullable Double value) {
      if (value != null) {
        into.put(name, value);
      }
    }
  }
}
