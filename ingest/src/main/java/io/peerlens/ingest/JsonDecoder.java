package io.peerlens.ingest;

import io.peerlens.ingest.mapping.MappedSeries;
import io.peerlens.ingest.mapping.Mappings;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads JSON records: our own form (docs/sample.schema.json), one object or an array of them, and
 * what Telegraf writes with {@code data_format = "json"}. Not thread-safe.
 */
final class JsonDecoder {

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(20).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final Mappings mappings;
  private final Registry registry;

  /** One element of a record: the rows it makes, or why it makes none. */
  record Element(Line.Outcome outcome, List<Line> lines, Line rejection) {}

  JsonDecoder(Mappings mappings, Registry registry) {
    this.mappings = mappings;
    this.registry = registry;
  }

  /**
   * Takes a record apart.
   *
   * @throws JacksonException when it is no JSON
   */
  static List<JsonNode> elements(byte[] record) {
    JsonNode root = JSON.readTree(record);
    if (!root.isArray()) {
      return List.of(root);
    }
    List<JsonNode> elements = new ArrayList<>(root.size());
    root.forEach(elements::add);
    return elements;
  }

  static byte[] bytes(JsonNode element) {
    return JSON.writeValueAsBytes(element);
  }

  Element read(JsonNode element, long defaultTimeMicros, boolean settled, Limits limits) {
    Line rejection = new Line();
    List<Line> lines = new ArrayList<>();
    Line.Outcome outcome;
    if (!element.isObject()) {
      outcome =
          rejection.reject(RejectReason.JSON, "expected an object, found " + element.getNodeType());
    } else if (element.has("fields") && element.has("tags")) {
      outcome = telegraf(element, defaultTimeMicros, settled, limits, lines, rejection);
    } else {
      outcome = own(element, defaultTimeMicros, settled, limits, lines, rejection);
    }
    return new Element(outcome, lines, rejection);
  }

  private Line.Outcome own(
      JsonNode element,
      long defaultTimeMicros,
      boolean settled,
      Limits limits,
      List<Line> lines,
      Line rejection) {
    for (String member : List.of("adapterKind", "objectKind", "id")) {
      if (!element.path(member).isString() || element.path(member).stringValue().isBlank()) {
        return rejection.reject(
            RejectReason.JSON,
            "'%s' is missing: expected text that is not blank".formatted(member));
      }
    }
    if (!element.path("metrics").isObject() || element.path("metrics").isEmpty()) {
      return rejection.reject(
          RejectReason.JSON,
          "'metrics' is missing: expected an object of numbers by metric key, like {\"cpu|usage_average\": 12.5}");
    }
    Long time = time(element.path("time"), defaultTimeMicros);
    if (time == null) {
      return rejection.reject(
          RejectReason.TIMESTAMP,
          "'time' is %s: expected RFC 3339 text or milliseconds since 1970"
              .formatted(element.path("time")));
    }
    ObjectKey object =
        new ObjectKey(
            element.path("adapterKind").stringValue(),
            element.path("objectKind").stringValue(),
            element.path("id").stringValue());
    Map<String, String> properties = texts(element.path("properties"));
    Map<String, String> tags = texts(element.path("tags"));
    Set<ObjectReference> parents = new HashSet<>();
    for (JsonNode parent : element.path("parents")) {
      // A parent is named by its id, or by kind and id when it is of another kind than "parent".
      String kind = parent.path("objectKind").stringValue("");
      String id = parent.path("id").stringValue("");
      if (kind.isEmpty() || id.isEmpty()) {
        return rejection.reject(
            RejectReason.JSON,
            "an element of 'parents' is %s: expected {\"objectKind\": ..., \"id\": ...}"
                .formatted(parent));
      }
      parents.add(
          new ObjectReference(
              ObjectReference.Role.PARENT,
              parent.path("adapterKind").stringValue(object.adapterKind()),
              kind,
              id));
    }
    ObjectAttributes attributes =
        new ObjectAttributes(
            element.path("name").stringValue(object.externalId()),
            object.externalId(),
            properties,
            tags,
            parents);
    if (hasNul(object, attributes)) {
      return rejection.reject(RejectReason.TEXT, "a text holds a NUL character");
    }
    String instance = element.path("instance").stringValue("");
    Map<SetKey, Map<String, Double>> bySet = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> metric : element.path("metrics").properties()) {
      JsonNode value = metric.getValue();
      if (value.isNull()) {
        continue;
      }
      if (!value.isNumber() && !value.isBoolean()) {
        return rejection.reject(
            RejectReason.NUMBER,
            "metric '%s' is %s: expected a number or boolean".formatted(metric.getKey(), value));
      }
      MetricKey key = MetricKey.parse(metric.getKey());
      if (metric.getKey().indexOf('\0') >= 0) {
        return rejection.reject(RejectReason.TEXT, "a metric key holds a NUL character");
      }
      if (metric.getKey().length() > limits.maxNameLength()) {
        return rejection.reject(
            RejectReason.TOO_LONG,
            "a metric key is longer than %d characters".formatted(limits.maxNameLength()));
      }
      bySet
          .computeIfAbsent(
              new SetKey(object, key.group(), key.isAggregate() ? instance : key.instance()),
              k -> new LinkedHashMap<>())
          .put(key.metric(), number(value));
    }
    return rows(bySet, attributes, null, time, settled, limits, lines, rejection);
  }

  private Line.Outcome telegraf(
      JsonNode element,
      long defaultTimeMicros,
      boolean settled,
      Limits limits,
      List<Line> lines,
      Line rejection) {
    String measurement = element.path("name").stringValue("");
    if (measurement.isEmpty()) {
      return rejection.reject(RejectReason.JSON, "'name' is missing: expected the measurement");
    }
    Long time = telegrafTime(element.path("timestamp"), defaultTimeMicros);
    if (time == null) {
      return rejection.reject(
          RejectReason.TIMESTAMP,
          "'timestamp' is %s: expected a whole number".formatted(element.path("timestamp")));
    }
    MappedSeries mapped = mappings.map(measurement, texts(element.path("tags")));
    Map<String, Double> numbers = new LinkedHashMap<>();
    Map<String, String> properties = new HashMap<>(mapped.attributes().properties());
    for (Map.Entry<String, JsonNode> field : element.path("fields").properties()) {
      JsonNode value = field.getValue();
      if (value.isNumber() || value.isBoolean()) {
        numbers.put(field.getKey(), number(value));
      } else if (value.isString()
          && mapped.fields() != null
          && mapped.fields().text(field.getKey())
              instanceof
              io.peerlens.ingest.mapping.FieldUse.Property(String property, double multiply)) {
        properties.put(property, PropertyText.of(value.stringValue(), multiply));
      }
    }
    ObjectAttributes a = mapped.attributes();
    return rows(
        Map.of(mapped.key(), numbers),
        new ObjectAttributes(a.name(), a.locator(), properties, a.tags(), a.references()),
        mapped,
        time,
        settled,
        limits,
        lines,
        rejection);
  }

  private Line.Outcome rows(
      Map<SetKey, Map<String, Double>> bySet,
      ObjectAttributes attributes,
      @Nullable MappedSeries mapped,
      long time,
      boolean settled,
      Limits limits,
      List<Line> lines,
      Line rejection) {
    rejection.timeMicros = time;
    if (limits.checkTime(rejection) == Line.Outcome.REJECTED) {
      return Line.Outcome.REJECTED;
    }
    if (bySet.values().stream().allMatch(Map::isEmpty)) {
      return rejection.reject(
          RejectReason.NO_VALUE, "nothing to store: no metric is a number or boolean");
    }
    boolean deferred = false;
    for (Map.Entry<SetKey, Map<String, Double>> entry : bySet.entrySet()) {
      if (entry.getValue().isEmpty()) {
        continue;
      }
      MappedSeries series =
          new MappedSeries(entry.getKey(), attributes, mapped == null ? null : mapped.fields());
      String tooLong = TooLong.find(series, limits.maxNameLength());
      if (tooLong != null) {
        return rejection.reject(RejectReason.TOO_LONG, tooLong);
      }
      byte[] key = key(series);
      Series known = registry.find(key, 0, key.length);
      if (known == null) {
        if (settled) {
          return rejection.reject(
              RejectReason.NEW_OBJECTS,
              "more than %d new objects in this minute"
                  .formatted(limits.guards().newObjectsPerMinute()));
        }
        registry.want(key, series, time);
        deferred = true;
        continue;
      }
      Line line = new Line();
      line.series = known;
      line.timeMicros = time;
      for (Map.Entry<String, Double> value : entry.getValue().entrySet()) {
        FieldSlot slot = known.fields.find(value.getKey());
        if (slot == null) {
          slot =
              registry.field(
                  known.fields, value.getKey().getBytes(StandardCharsets.UTF_8), value.getKey());
        }
        if (slot == null) {
          if (settled) {
            return rejection.reject(
                RejectReason.NEW_METRICS,
                "metric '%s' would be more than %d new metric names in this minute"
                    .formatted(value.getKey(), limits.guards().newMetricsPerMinute()));
          }
          deferred = true;
        } else if (slot.position != FieldSlot.NONE) {
          line.value(slot, value.getValue());
        }
      }
      lines.add(line);
    }
    return deferred ? Line.Outcome.DEFERRED : Line.Outcome.READ;
  }

  /** Cannot be the bytes of line protocol, which hold no NUL. */
  private static byte[] key(MappedSeries series) {
    ObjectAttributes a = series.attributes();
    return ("\0"
            + String.join(
                "\0",
                series.key().object().adapterKind(),
                series.key().object().objectKind(),
                series.key().object().externalId(),
                series.key().group(),
                series.key().instance(),
                a.name(),
                String.valueOf(a.locator()),
                new TreeMap<>(a.properties()).toString(),
                new TreeMap<>(a.tags()).toString(),
                a.references().stream()
                    .map(ObjectReference::toString)
                    .sorted()
                    .toList()
                    .toString()))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static double number(JsonNode value) {
    return value.isBoolean() ? (value.booleanValue() ? 1 : 0) : value.doubleValue();
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      JsonNode value = entry.getValue();
      String text = value.isString() ? value.stringValue() : value.isNull() ? "" : value.toString();
      if (!text.isEmpty()) {
        texts.put(entry.getKey().replace("\0", ""), text.replace("\0", ""));
      }
    }
    return texts;
  }

  private static boolean hasNul(ObjectKey object, ObjectAttributes attributes) {
    return (object.toString() + attributes.name()).indexOf('\0') >= 0;
  }

  private static @Nullable Long time(JsonNode time, long defaultTimeMicros) {
    if (time.isMissingNode() || time.isNull()) {
      return defaultTimeMicros;
    }
    try {
      if (time.isString()) {
        Instant instant = OffsetDateTime.parse(time.stringValue()).toInstant();
        return Math.addExact(
            Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
      }
      return time.isNumber() ? Math.multiplyExact(time.asLong(), 1_000L) : null;
    } catch (DateTimeException | ArithmeticException | JacksonException e) {
      return null;
    }
  }

  /** Telegraf's json_timestamp_units is not in the record: the size of the number tells. */
  private static @Nullable Long telegrafTime(JsonNode time, long defaultTimeMicros) {
    if (time.isMissingNode()) {
      return defaultTimeMicros;
    }
    if (!time.isIntegralNumber() || !time.canConvertToLong()) {
      return null;
    }
    long value = time.longValue();
    long size = Math.abs(value);
    if (size < 100_000_000_000L) {
      return value * 1_000_000;
    }
    if (size < 100_000_000_000_000L) {
      return value * 1_000;
    }
    return size < 100_000_000_000_000_000L ? value : Math.floorDiv(value, 1_000L);
  }
}
