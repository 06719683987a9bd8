package io.peerlens.ingest;

import io.peerlens.ingest.key.GroupKey;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReference;
import io.peerlens.ingest.key.ObjectReport;
import io.peerlens.ingest.key.SetKey;
import io.peerlens.ingest.mapping.FieldUse;
import io.peerlens.ingest.mapping.FieldUses;
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
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Decoder of JSON records: our own form (docs/sample.schema.json), one object or an array of them,
 * and what Telegraf writes with {@code data_format = "json"}. Not thread-safe.
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

  private static final int MAX_UNIT_LENGTH = 40;

  /** The members, besides metrics, of which a record must have one that says something. */
  private static final String SAYING =
      "'name', 'locator', 'properties', 'tags', 'parents', 'children', 'gone'";

  private final Mappings mappings;
  private final Registry registry;

  /** What a record in our own form tells of its object. */
  record News(ObjectState object, ObjectReport report, long timeMicros) {}

  /**
   * One element of a record: its news and the rows it makes, or why it makes none.
   *
   * @param news null = nothing but what the rows tell
   */
  record Element(Line.Outcome outcome, @Nullable News news, List<Line> lines, Line rejection) {}

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
    if (root.isObject() && root.size() == 1 && root.path("metrics").isArray()) {
      root = root.path("metrics"); // Telegraf's batch format
    }
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
    if (element.isObject() && !(element.has("fields") && element.has("tags"))) {
      return own(element, defaultTimeMicros, settled, limits, lines, rejection);
    }
    Line.Outcome outcome;
    if (!element.isObject()) {
      outcome =
          rejection.reject(
              RejectReason.JSON,
              "expected an object, found " + element.getNodeType().name().toLowerCase(Locale.ROOT));
    } else {
      outcome = telegraf(element, defaultTimeMicros, settled, limits, lines, rejection);
    }
    return new Element(outcome, null, lines, rejection);
  }

  private Element own(
      JsonNode element,
      long defaultTimeMicros,
      boolean settled,
      Limits limits,
      List<Line> lines,
      Line rejection) {
    OwnRecord read = ownRecord(element, defaultTimeMicros, rejection);
    if (read == null) {
      return new Element(Line.Outcome.REJECTED, null, lines, rejection);
    }
    rejection.timeMicros = read.timeMicros;
    if (limits.checkTime(rejection) == Line.Outcome.REJECTED
        || !isStorable(read.object, read.report, limits, rejection)) {
      return new Element(Line.Outcome.REJECTED, null, lines, rejection);
    }
    ObjectState object = registry.object(read.object);
    if (object == null) {
      if (settled && read.report.gone()) {
        return new Element(Line.Outcome.READ, null, lines, rejection); // nobody ever knew it
      }
      if (settled) {
        Line.Outcome outcome = limits.tooMany(rejection, Catalog.TooMany.OBJECTS);
        return new Element(outcome, null, lines, rejection);
      }
      registry.wantObject(read.object, read.report, read.timeMicros);
    }
    Line.Outcome outcome =
        rows(
            read.bySet,
            ObjectAttributes.NONE,
            null,
            read.timeMicros,
            settled,
            limits,
            lines,
            rejection);
    if (outcome == Line.Outcome.REJECTED) {
      return new Element(outcome, null, lines, rejection);
    }
    read.units.forEach(
        (key, unit) ->
            registry.unit(
                new GroupKey(read.object.adapterKind(), read.object.objectKind(), key.group()),
                key.metric(),
                unit));
    return object == null || outcome == Line.Outcome.DEFERRED
        ? new Element(Line.Outcome.DEFERRED, null, lines, rejection)
        : new Element(
            Line.Outcome.READ, new News(object, read.report, read.timeMicros), lines, rejection);
  }

  /** A record in our own form, taken apart. */
  private record OwnRecord(
      ObjectKey object,
      long timeMicros,
      ObjectReport report,
      Map<SetKey, Map<String, Double>> bySet,
      Map<MetricKey, String> units) {}

  /** Takes a record in our own form apart; null when it is rejected. */
  private static @Nullable OwnRecord ownRecord(
      JsonNode element, long defaultTimeMicros, Line rejection) {
    for (String member : List.of("adapterKind", "objectKind", "id")) {
      if (!element.path(member).isString() || element.path(member).stringValue().isBlank()) {
        return refused(
            rejection, "'%s' is missing: expected text that is not blank".formatted(member));
      }
    }
    Long time = time(element.path("time"), defaultTimeMicros);
    if (time == null) {
      rejection.reject(
          RejectReason.TIMESTAMP,
          "'time' is %s: expected RFC 3339 text or milliseconds since 1970"
              .formatted(shown(element.path("time"))));
      return null;
    }
    ObjectKey object =
        new ObjectKey(
            element.path("adapterKind").stringValue(),
            element.path("objectKind").stringValue(),
            element.path("id").stringValue());
    ObjectReport report = report(element, object, rejection);
    if (report == null) {
      return null;
    }
    Map<MetricKey, String> units = new LinkedHashMap<>();
    Map<SetKey, Map<String, Double>> bySet = new LinkedHashMap<>();
    if (!metrics(element, object, bySet, units, rejection)) {
      return null;
    }
    if (element.path("metrics").isMissingNode()) {
      for (String member : element.propertyNames()) {
        if (member.toLowerCase(Locale.ROOT).startsWith("metric")) {
          return refused(
              rejection, "'%s' is no member of a record: write 'metrics'".formatted(shown(member)));
        }
      }
    }
    if (report.gone() && !element.path("metrics").isEmpty()) {
      return refused(
          rejection,
          "'gone' is true and 'metrics' holds values: an object that is gone has none; send them in a record before");
    }
    if (bySet.isEmpty() && report.isEmpty()) {
      if (element.path("metrics").isEmpty()) {
        return refused(
            rejection,
            "nothing is said of the object: expected 'metrics', an object of numbers by metric key like {\"cpu|usage_average\": 12.5}, or any of %s"
                .formatted(SAYING));
      }
      rejection.reject(RejectReason.NO_VALUE, "nothing to store: no metric is a number or boolean");
      return null;
    }
    return new OwnRecord(object, time, report, bySet, units);
  }

  /** What a record says of its object; null when it is rejected. */
  private static @Nullable ObjectReport report(JsonNode element, ObjectKey object, Line rejection) {
    for (String member : List.of("properties", "tags", "units")) {
      if (!isNothing(element.path(member)) && !element.path(member).isObject()) {
        return refused(
            rejection,
            "'%s' is %s: expected an object of texts"
                .formatted(member, shown(element.path(member))));
      }
    }
    for (String member : List.of("name", "locator", "instance")) {
      if (!isNothing(element.path(member)) && !element.path(member).isString()) {
        return refused(
            rejection, "'%s' is %s: expected text".formatted(member, shown(element.path(member))));
      }
    }
    if (!isNothing(element.path("gone")) && !element.path("gone").isBoolean()) {
      return refused(
          rejection,
          "'gone' is %s: expected true once the object was removed"
              .formatted(shown(element.path("gone"))));
    }
    Relatives parents = relatives(element, ObjectReference.Role.PARENT, object, rejection);
    Relatives children = relatives(element, ObjectReference.Role.CHILD, object, rejection);
    if (parents == null || children == null) {
      return null;
    }
    Set<ObjectReference> references = new HashSet<>(parents.named);
    references.addAll(children.named);
    String name = element.path("name").stringValue("");
    String locator = element.path("locator").stringValue("");
    return new ObjectReport(
        ObjectReport.Source.RECORD,
        new ObjectAttributes(
            name.isBlank() ? "" : name,
            locator.isBlank() ? null : locator,
            texts(element.path("properties")),
            texts(element.path("tags")),
            references),
        nulls(element.path("properties")),
        nulls(element.path("tags")),
        parents.without,
        children.without,
        element.path("gone").booleanValue(false));
  }

  /**
   * Objects above or below one, as a record names them.
   *
   * @param without kinds of which there are none
   */
  private record Relatives(Set<ObjectReference> named, Set<String> without) {}

  /** Reads the parents or the children; null when the record is rejected. */
  private static @Nullable Relatives relatives(
      JsonNode element, ObjectReference.Role role, ObjectKey object, Line rejection) {
    String member = role == ObjectReference.Role.PARENT ? "parents" : "children";
    if (!isNothing(element.path(member)) && !element.path(member).isArray()) {
      return refused(
          rejection,
          "'%s' is %s: expected an array of {\"objectKind\": ..., \"id\": ...}"
              .formatted(member, shown(element.path(member))));
    }
    Set<ObjectReference> named = new HashSet<>();
    Set<String> without = new HashSet<>();
    for (JsonNode relative : element.path(member)) {
      String kind = relative.path("objectKind").stringValue("");
      String id = relative.path("id").stringValue("");
      if (!kind.isEmpty() && relative.path("id").isNull()) {
        without.add(kind);
        continue;
      }
      if (kind.isEmpty() || id.isEmpty()) {
        return refused(
            rejection,
            "an element of '%s' is %s: expected {\"objectKind\": ..., \"id\": ...}"
                .formatted(member, shown(relative)));
      }
      named.add(
          new ObjectReference(
              role, relative.path("adapterKind").stringValue(object.adapterKind()), kind, id));
    }
    named.forEach(relative -> without.remove(relative.objectKind()));
    return new Relatives(named, without);
  }

  /** Reads values and units by metric; says no when the record is rejected. */
  private static boolean metrics(
      JsonNode element,
      ObjectKey object,
      Map<SetKey, Map<String, Double>> bySet,
      Map<MetricKey, String> units,
      Line rejection) {
    if (!isNothing(element.path("metrics")) && !element.path("metrics").isObject()) {
      refused(
          rejection,
          "'metrics' is %s: expected an object of numbers by metric key, like {\"cpu|usage_average\": 12.5}"
              .formatted(shown(element.path("metrics"))));
      return false;
    }
    String instance = aggregated(element.path("instance").stringValue(""));
    for (Map.Entry<String, JsonNode> metric : element.path("metrics").properties()) {
      JsonNode value = metric.getValue();
      if (value.isNull()) {
        continue;
      }
      if (!isValue(value)) {
        rejection.reject(
            RejectReason.NUMBER,
            "metric '%s' is %s: expected a number that fits 64 bits, or a boolean"
                .formatted(shown(metric.getKey()), shown(value)));
        return false;
      }
      MetricKey named = MetricKey.parse(metric.getKey());
      MetricKey key = named.ofAggregate();
      JsonNode unit = unit(element.path("units"), metric.getKey(), key);
      if (!isNothing(unit)) {
        if (!unit.isString()
            || unit.stringValue().isBlank()
            || unit.stringValue().length() > MAX_UNIT_LENGTH
            || !SeriesKey.isText(unit.stringValue())) {
          rejection.reject(
              RejectReason.TEXT,
              "the unit of '%s' is no text of 1 to %d characters"
                  .formatted(shown(metric.getKey()), MAX_UNIT_LENGTH));
          return false;
        }
        units.put(key, unit.stringValue());
      }
      if (key.metric().isEmpty()) {
        refused(
            rejection,
            "metric '%s' has no name after the last '|'".formatted(shown(metric.getKey())));
        return false;
      }
      bySet
          .computeIfAbsent(
              new SetKey(
                  object,
                  key.group(),
                  key.isAggregate() && named.isAggregate() ? instance : key.instance()),
              k -> new LinkedHashMap<>())
          .put(key.metric(), number(value));
    }
    return true;
  }

  /** Rejects a record whose form is wrong; the answer is always null. */
  private static <T> @Nullable T refused(Line rejection, String what) {
    rejection.reject(RejectReason.JSON, what);
    return null;
  }

  /** Whether the texts that a record tells of its object are texts, and short enough. */
  private static boolean isStorable(
      ObjectKey object, ObjectReport report, Limits limits, Line rejection) {
    String tooLong = TooLong.find(object, report, limits.maxNameLength());
    if (tooLong != null) {
      rejection.reject(RejectReason.TOO_LONG, tooLong);
      return false;
    }
    ObjectAttributes said = report.attributes();
    boolean texts =
        Stream.of(
                Stream.of(object.adapterKind(), object.objectKind(), object.externalId()),
                Stream.of(said.name(), said.locator() == null ? "" : said.locator()),
                said.properties().keySet().stream(),
                said.properties().values().stream(),
                said.tags().keySet().stream(),
                said.tags().values().stream(),
                said.references().stream()
                    .flatMap(r -> Stream.of(r.adapterKind(), r.objectKind(), r.locator())))
            .flatMap(each -> each)
            .allMatch(SeriesKey::isText);
    if (!texts) {
      rejection.reject(RejectReason.TEXT, "a text of the object " + NOT_TEXT);
    }
    return texts;
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
          "'timestamp' is %s: expected a whole number".formatted(shown(element.path("timestamp"))));
    }
    if (!element.path("fields").isObject() || !element.path("tags").isObject()) {
      return rejection.reject(RejectReason.JSON, "expected objects as 'fields' and 'tags'");
    }
    MappedSeries mapped = mappings.map(measurement, texts(element.path("tags")));
    FieldUses uses = Objects.requireNonNull(mapped.fields());
    Map<String, Double> numbers = new LinkedHashMap<>();
    Map<String, String> properties = new HashMap<>(mapped.attributes().properties());
    for (Map.Entry<String, JsonNode> field : element.path("fields").properties()) {
      JsonNode value = field.getValue();
      if (value.isNull()) {
        continue;
      }
      if (!value.isString() && !isValue(value)) {
        return rejection.reject(
            RejectReason.NUMBER,
            "field '%s' is %s: expected a number that fits 64 bits, a boolean or text"
                .formatted(shown(field.getKey()), shown(value)));
      }
      FieldUse use = value.isString() ? uses.text(field.getKey()) : uses.number(field.getKey());
      if (use instanceof FieldUse.Property(String property, double multiply)) {
        String text = value.isString() ? value.stringValue() : value.toString();
        properties.put(property, PropertyText.of(text, multiply));
      } else if (!value.isString() && !(use instanceof FieldUse.Drop)) {
        numbers.put(field.getKey(), number(value));
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
    if (mapped != null && bySet.values().stream().allMatch(Map::isEmpty)) {
      return Line.Outcome.TEXT_ONLY;
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
      for (String metric : entry.getValue().keySet()) {
        if (metric.length() > limits.maxNameLength()) {
          return rejection.reject(
              RejectReason.TOO_LONG,
              "metric '%s' is longer than %d characters: shorten it, or raise the guard maxNameLength"
                  .formatted(shown(metric), limits.maxNameLength()));
        }
        if (!SeriesKey.isText(metric)) {
          return rejection.reject(
              RejectReason.TEXT, "metric '%s' %s".formatted(shown(metric), NOT_TEXT));
        }
      }
      byte[] key = SeriesKey.of('\0', series);
      if (key == null) {
        return rejection.reject(RejectReason.TEXT, "a text of the object " + NOT_TEXT);
      }
      Series known = registry.find(key, 0, key.length);
      if (known == null) {
        if (settled) {
          return limits.tooMany(rejection, registry.refusal(key, 0, key.length));
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
                "metric '%s' would be more than %d new metric names in this minute: raise the guard newMetricNamesPerMinute and replay, or correct the producer"
                    .formatted(shown(value.getKey()), limits.guards().newMetricsPerMinute()));
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

  /** Infinite when the number is beyond 64 bits: Jackson throws for whole numbers there. */
  private static double number(JsonNode value) {
    if (value.isBoolean()) {
      return value.booleanValue() ? 1 : 0;
    }
    return value.isBigInteger() ? value.bigIntegerValue().doubleValue() : value.doubleValue();
  }

  private static JsonNode unit(JsonNode units, String written, MetricKey key) {
    JsonNode unit = units.path(written);
    return isNothing(unit)
        ? units.path(new MetricKey(key.group(), "", key.metric()).toString())
        : unit;
  }

  private static String aggregated(String instance) {
    return instance.equals(MetricKey.AGGREGATE_INSTANCE) ? "" : instance;
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      JsonNode value = entry.getValue();
      String text = value.isString() ? value.stringValue() : value.isNull() ? "" : value.toString();
      if (!text.isEmpty()) {
        texts.put(entry.getKey(), text);
      }
    }
    return texts;
  }

  /** The names that are there to say that there is no such thing. */
  private static Set<String> nulls(JsonNode object) {
    Set<String> names = new HashSet<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      if (entry.getValue().isNull()) {
        names.add(entry.getKey());
      }
    }
    return names;
  }

  private static final String NOT_TEXT = "holds a NUL character or half of a surrogate pair";

  private static boolean isValue(JsonNode value) {
    return value.isBoolean() || (value.isNumber() && Double.isFinite(number(value)));
  }

  private static boolean isNothing(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }

  /** For messages, which stay short whatever was sent. */
  private static String shown(JsonNode value) {
    return shown(value.toString());
  }

  private static String shown(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "...";
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
    if (size >= 0 && size < 100_000_000_000L) {
      return value * 1_000_000;
    }
    if (size >= 0 && size < 100_000_000_000_000L) {
      return value * 1_000;
    }
    return size >= 0 && size < 100_000_000_000_000_000L ? value : Math.floorDiv(value, 1_000L);
  }
}
