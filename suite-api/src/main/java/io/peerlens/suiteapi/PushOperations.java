package io.peerlens.suiteapi;

import io.peerlens.audit.AuditedWork;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReport;
import io.peerlens.node.KafkaWriter.Message;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Values, properties and resources that programs send. They travel through Kafka like all samples,
 * and a request is answered once Kafka has them.
 */
final class PushOperations {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** So many elements a Kafka record holds. */
  private static final int ELEMENTS = 500;

  private static final int MOST_POINTS = 200_000;

  /**
   * The contract's name of a list of properties of many, and the one that follows that of stats.
   */
  private static final List<String> PROPERTIES = List.of("values", "resource-property-content");

  private final ResourceQueries resources;
  private final ResourceForm form;
  private final ObjectRecordStore records;
  private final AuditedWork audit;
  private final InstantSource clock;

  PushOperations(
      ResourceQueries resources,
      ResourceForm form,
      ObjectRecordStore records,
      AuditedWork audit,
      InstantSource clock) {
    this.resources = resources;
    this.form = form;
    this.records = records;
    this.audit = audit;
    this.clock = clock;
  }

  void addTo(Routes routes) {
    routes
        .push("/api/resources/{id}/stats", call -> ofOne(call, "stat-content", false))
        .push(
            "/api/resources/{id}/stats/adapterkinds/{ak}",
            call -> ofOne(call, "stat-content", false))
        .push("/api/resources/{id}/properties", call -> ofOne(call, "property-content", true))
        .push(
            "/api/resources/{id}/properties/adapterkinds/{ak}",
            call -> ofOne(call, "property-content", true))
        .push(
            "/api/resources/stats",
            call -> ofMany(call, List.of("resource-stat-content"), "stat-contents", false))
        .push(
            "/api/resources/stats/adapterkinds/{ak}",
            call -> ofMany(call, List.of("resource-stat-content"), "stat-contents", false))
        .push(
            "/api/resources/properties",
            call -> ofMany(call, PROPERTIES, "property-contents", true))
        .push(
            "/api/resources/properties/adapterkinds/{ak}",
            call -> ofMany(call, PROPERTIES, "property-contents", true))
        .push("/api/resources/adapterkinds/{ak}", this::create);
  }

  private Answer ofOne(Call call, String member, boolean properties) {
    UUID id = call.id("resource");
    Resource resource =
        resources.get(id).orElseThrow(() -> SuiteException.notFound("resource", id));
    Elements elements = new Elements();
    elements.add(resource, contents(call.json(), member), properties);
    elements.send();
    return Answer.empty(200);
  }

  private Answer ofMany(Call call, List<String> lists, String member, boolean properties) {
    Given body = call.json();
    List<Given> all =
        lists.stream()
            .map(body::list)
            .filter(list -> !list.isEmpty())
            .findFirst()
            .orElseThrow(() -> SuiteException.invalid(lists.getFirst(), "is missing"));
    List<UUID> ids = new ArrayList<>();
    for (Given one : all) {
      String id = properties ? one.text("resourceId", "id") : one.need("id");
      ids.add(Given.uuid(one.place() + "id", id == null ? one.need("resourceId") : id));
    }
    Map<UUID, Resource> known =
        resources.byUuids(ids).stream().collect(Collectors.toMap(Resource::uuid, one -> one));
    Elements elements = new Elements();
    for (int i = 0; i < all.size(); i++) {
      Resource resource = known.get(ids.get(i));
      if (resource == null) {
        throw SuiteException.notFound("resource", ids.get(i));
      }
      elements.add(resource, contents(all.get(i), member), properties);
    }
    elements.send();
    return Answer.empty(200);
  }

  private static List<Given> contents(Given given, String member) {
    List<Given> contents = given.list(member);
    if (contents.size() == 1 && contents.getFirst().has("property-content")) {
      contents = contents.getFirst().list("property-content");
    }
    if (contents.isEmpty()) {
      throw SuiteException.invalid(given.place() + member, "is missing");
    }
    return contents;
  }

  /** Elements of records by resource. */
  private final class Elements {

    private final Map<UUID, List<ObjectNode>> byResource = new TreeMap<>();
    private int points;

    void add(Resource resource, List<Given> contents, boolean properties) {
      Map<Long, ObjectNode> byTime = new TreeMap<>();
      Map<String, String> newest = new TreeMap<>();
      for (Given one : contents) {
        String key = one.need("statKey");
        List<Long> times = times(one);
        JsonNode data = one.node("data");
        boolean numbers = data != null && data.isArray() && !data.isEmpty();
        JsonNode values = numbers ? data : one.node("values");
        if (values == null || !values.isArray() || values.size() != times.size()) {
          throw SuiteException.invalid(
              one.place() + (numbers ? "data" : "values"),
              "does not have one value for each of the %d timestamps".formatted(times.size()));
        }
        points += times.size();
        if (points > MOST_POINTS) {
          throw SuiteException.of(
              413, "More than %,d values are too many for one request.".formatted(MOST_POINTS));
        }
        List<Integer> oldestFirst =
            IntStream.range(0, times.size())
                .boxed()
                .sorted(Comparator.comparing(times::get))
                .toList();
        for (int i : oldestFirst) {
          value(
              element(resource, byTime, times.get(i)),
              newest,
              key,
              values.get(i),
              properties,
              numbers,
              one);
        }
      }
      if (!newest.isEmpty()) {
        // What is told of an object counts from now on, however old the program says it is: what
        // is older than what is known would be passed over.
        ObjectNode told = element(resource, new TreeMap<>(), clock.millis());
        newest.forEach((key, value) -> told.withObjectProperty("properties").put(key, value));
        byTime.put(Long.MAX_VALUE, told);
      }
      byResource.computeIfAbsent(resource.uuid(), id -> new ArrayList<>()).addAll(byTime.values());
    }

    private static List<Long> times(Given given) {
      List<Long> times = new ArrayList<>();
      for (String text : given.texts("timestamps")) {
        try {
          times.add(Long.valueOf(text.strip()));
        } catch (NumberFormatException e) {
          throw SuiteException.invalid(
              given.place() + "timestamps", "\"" + text + "\" is no time in epoch milliseconds");
        }
      }
      if (times.isEmpty()) {
        throw SuiteException.invalid(given.place() + "timestamps", "is missing");
      }
      return times;
    }

    private ObjectNode element(Resource resource, Map<Long, ObjectNode> byTime, long time) {
      return byTime.computeIfAbsent(
          time,
          t ->
              JSON.createObjectNode()
                  .put("adapterKind", resource.adapterKind())
                  .put("objectKind", resource.objectKind())
                  .put("id", resource.externalId())
                  .put("time", t));
    }

    /** A text that is no number is a property, whatever it was sent as. */
    private static void value(
        ObjectNode element,
        Map<String, String> newest,
        String key,
        JsonNode value,
        boolean property,
        boolean number,
        Given of) {
      if (value.isNull()) {
        return;
      }
      if (!value.isNumber() && !value.isString() && !value.isBoolean()) {
        throw SuiteException.invalid(
            of.place() + "data", "of " + key + " is no number and no text");
      }
      Double read = property ? null : number(value);
      if (read != null) {
        element.withObjectProperty("metrics").put(key, read);
      } else if (number && !property) {
        throw SuiteException.invalid(
            of.place() + "data",
            "of " + key + " has \"" + value.asString() + "\", which is no number");
      } else {
        newest.put(key, value.asString());
      }
    }

    private static @Nullable Double number(JsonNode value) {
      if (value.isBoolean()) {
        return value.booleanValue() ? 1.0 : 0.0;
      }
      try {
        Double number = Double.valueOf(value.asString().strip());
        return Double.isFinite(number) ? number : null;
      } catch (NumberFormatException e) {
        return null;
      }
    }

    void send() {
      List<Message> messages = new ArrayList<>();
      byResource.forEach(
          (id, elements) -> {
            for (int from = 0; from < elements.size(); from += ELEMENTS) {
              ArrayNode value = JSON.createArrayNode();
              elements.subList(from, Math.min(elements.size(), from + ELEMENTS)).stream()
                  .filter(one -> one.has("metrics") || one.has("properties"))
                  .forEach(value::add);
              if (!value.isEmpty()) {
                messages.add(ObjectRecordStore.message(id, value));
              }
            }
          });
      records.deliver(messages);
    }
  }

  /**
   * Creates a resource. Its id follows from its kind and its identifiers, so whoever creates it
   * again gets the same.
   */
  private Answer create(Call call) {
    Given body = call.json();
    Given key = body.in("resourceKey");
    String name = key.need("name").strip();
    String adapterKind = call.variable("ak");
    String kind = key.need("resourceKindKey");
    Map<String, String> identifiers = new TreeMap<>();
    Set<String> others = new HashSet<>();
    for (Given one : key.list("resourceIdentifiers")) {
      Given type = one.in("identifierType");
      String of = type.need("name");
      String value = one.text("value");
      if (value != null) {
        identifiers.put(of, value);
        if (!type.flag("isPartOfUniqueness", true)) {
          others.add(of);
        }
      }
    }
    String externalId =
        identifiers.entrySet().stream()
            .filter(entry -> !others.contains(entry.getKey()))
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining(","));
    ObjectKey object = new ObjectKey(adapterKind, kind, externalId.isEmpty() ? name : externalId);
    Map<String, String> properties = new TreeMap<>();
    identifiers.forEach((of, value) -> properties.put(Resource.IDENTIFIER + of, value));
    String description = body.text("description");
    if (description != null) {
      properties.put("description", description);
    }
    Object created =
        audit.run(
            call.request(),
            "createResource",
            "objects",
            null,
            () -> {
              records.tell(
                  object,
                  new ObjectReport(
                      ObjectReport.Source.RECORD,
                      new ObjectAttributes(name, null, properties, Map.of(), Set.of()),
                      Set.of(),
                      Set.of(),
                      Set.of(),
                      Set.of(),
                      false));
              return form.one(
                  resources
                      .get(object.uuid())
                      .orElseThrow(
                          () ->
                              SuiteException.later(
                                  503, "The resource could not be stored; try again.", 5)));
            });
    return Answer.created(created);
  }
}
