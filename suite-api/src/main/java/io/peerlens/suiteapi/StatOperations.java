package io.peerlens.suiteapi;

import io.peerlens.api.LearningApi;
import io.peerlens.api.model.LearnedBounds;
import io.peerlens.load.HeavyWork;
import io.peerlens.load.LoadLimits;
import io.peerlens.series.Aggregation;
import io.peerlens.suiteapi.StatQueries.Points;
import io.peerlens.suiteapi.StatReads.Wanted;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Values of resources: over time, the newest, the largest, and what is usual. */
final class StatOperations {

  private static final long DAY = 24 * 3600_000L;
  private static final int MOST_QUANTIFIER = 1_000_000;
  private static final int MOST_SAMPLES = 10_000;
  private static final int MOST_BANDS = 1000;
  private static final Duration CURRENT = Duration.ofMinutes(15);
  private static final List<String> ROLL_UPS =
      List.of("SUM", "AVG", "MIN", "MAX", "NONE", "LATEST", "COUNT");

  private final ResourceQueries resources;
  private final StatQueries queries;
  private final StatReads reads;
  private final LearningApi learning;
  private final LoadLimits limits;
  private final InstantSource clock;

  StatOperations(
      ResourceQueries resources,
      StatQueries queries,
      StatReads reads,
      LearningApi learning,
      LoadLimits limits,
      InstantSource clock) {
    this.resources = resources;
    this.queries = queries;
    this.reads = reads;
    this.learning = learning;
    this.limits = limits;
    this.clock = clock;
  }

  void addTo(Routes routes) {
    routes
        .ask("/api/resources/stats/query", call -> over(call, call.json()))
        .ask("/api/resources/{id}/stats/query", call -> over(call, call.json()))
        .get("/api/resources/stats", call -> over(call, call.query()))
        .get("/api/resources/{id}/stats", call -> over(call, call.query()))
        .ask("/api/resources/stats/latest/query", call -> latest(call, call.json()))
        .get("/api/resources/stats/latest", call -> latest(call, call.query()))
        .get("/api/resources/{id}/stats/latest", call -> latest(call, call.query()))
        .get("/api/resources/stats/topn", this::top)
        .get("/api/resources/{id}/stats/topn", this::top)
        .ask("/api/resources/stats/dt/query", call -> bands(call, call.json()))
        .get("/api/resources/{id}/stats/dt", call -> bands(call, call.query()))
        .get("/api/resources/{id}/statkeys", this::keys)
        .get("/api/resources/statkeys", this::keys);
  }

  /** What is asked for: resources by id within the database, in the order of these ids. */
  private Map<Integer, UUID> objects(Call call, Given given) {
    List<UUID> ids;
    if (call.variables().containsKey("id")) {
      UUID id = call.id("resource");
      if (resources.idsOf(List.of(id)).isEmpty()) {
        throw SuiteException.notFound("resource", id);
      }
      ids = List.of(id);
    } else {
      ids = given.uuids("resourceId", "resourceIds");
      if (ids.isEmpty()) {
        throw SuiteException.invalid("resourceId", "is missing");
      }
    }
    Map<Integer, UUID> objects = new LinkedHashMap<>();
    Map<UUID, Integer> known = resources.idsOf(ids);
    for (UUID id : ids) {
      Integer found = known.get(id);
      if (found != null) {
        objects.put(found, id);
      }
    }
    return objects;
  }

  private record Window(long begin, long end) {}

  private Window window(Given given) {
    Long end = given.whole("end");
    Long begin = given.whole("begin");
    long to = end == null ? clock.millis() : end;
    long from = begin == null ? to - DAY : begin;
    if (from > to) {
      throw SuiteException.invalid("begin", "is after end");
    }
    if (from < 0 || to > 100_000_000_000_000L) {
      throw SuiteException.invalid("begin", "is no time in epoch milliseconds");
    }
    return new Window(from, to);
  }

  /**
   * How values are rolled up, for reading and for the answer.
   *
   * @param aggregation null = not at all
   */
  private record RollUp(
      String name, @Nullable Aggregation aggregation, String type, int quantifier) {}

  private static RollUp rollUp(Given given, String otherwise) {
    boolean intervals = given.text("intervalType") != null;
    String name =
        given.word(
            "rollUpType", intervals && otherwise.equals("NONE") ? "AVG" : otherwise, ROLL_UPS);
    return new RollUp(
        name,
        switch (name) {
          case "SUM" -> Aggregation.SUM;
          case "AVG" -> Aggregation.AVG;
          case "MIN" -> Aggregation.MIN;
          case "MAX" -> Aggregation.MAX;
          case "LATEST" -> Aggregation.LAST;
          case "COUNT" -> Aggregation.COUNT;
          default -> null;
        },
        given.word("intervalType", "MINUTES", StatGrid.TYPES),
        (int) given.whole("intervalQuantifier", intervals ? 1 : 5, 1, MOST_QUANTIFIER));
  }

  private Answer over(Call call, Given given) {
    Map<Integer, UUID> objects = objects(call, given);
    Window window = window(given);
    RollUp rollUp = rollUp(given, "NONE");
    List<String> keys = given.texts("statKey", "statKeys").stream().distinct().toList();
    Wanted wanted = wanted(keys, window, rollUp);
    boolean current = given.flag("currentOnly", false);
    boolean dt = given.flag("dt", false);
    UUID caller = call.caller().tokenId();
    Shape shape = Shape.of(given);
    Long newest = given.whole("latestMaxSamples");
    if (newest != null && (newest < 1 || newest > MOST_SAMPLES)) {
      throw SuiteException.invalid(
          "latestMaxSamples", newest + " is not between 1 and " + MOST_SAMPLES);
    }
    int most = newest == null ? Integer.MAX_VALUE : newest.intValue();
    if (dt) {
      return bands(objects, keys, window, rollUp, true, caller);
    }
    return new Answer.Streamed(
        json -> {
          try (LoadLimits.Place place = limits.enter(HeavyWork.SERIES, caller)) {
            begin(json);
            List<Integer> ids = new ArrayList<>(objects.keySet());
            if (current) {
              reads.newest(
                  ids,
                  keys,
                  newest == null ? 1 : most,
                  CURRENT,
                  (id, stats) -> write(json, objects.get(id), shape.of(stats, most), rollUp));
            } else {
              reads.read(
                  ids,
                  wanted,
                  (id, stats) -> write(json, objects.get(id), shape.of(stats, most), rollUp));
            }
            end(json);
          }
        });
  }

  private static Wanted wanted(List<String> keys, Window window, RollUp rollUp) {
    return new Wanted(
        keys,
        window.begin(),
        window.end(),
        rollUp.aggregation(),
        rollUp.aggregation() == null
            ? null
            : StatGrid.of(window.begin(), window.end(), rollUp.type(), rollUp.quantifier()));
  }

  private Answer latest(Call call, Given given) {
    Map<Integer, UUID> objects = objects(call, given);
    if (objects.isEmpty()) {
      throw SuiteException.of(404, "None of the resources exists.");
    }
    List<String> keys = given.texts("statKey", "statKeys").stream().distinct().toList();
    int most = (int) given.whole("maxSamples", 1, 1, MOST_SAMPLES);
    Duration since = given.flag("currentOnly", false) ? CURRENT : null;
    RollUp rollUp = new RollUp("NONE", null, "MINUTES", 5);
    UUID caller = call.caller().tokenId();
    Shape shape = Shape.of(given);
    return new Answer.Streamed(
        json -> {
          try (LoadLimits.Place place = limits.enter(HeavyWork.SERIES, caller)) {
            begin(json);
            reads.newest(
                new ArrayList<>(objects.keySet()),
                keys,
                most,
                since,
                (id, stats) -> write(json, objects.get(id), shape.of(stats, most), rollUp));
            end(json);
          }
        });
  }

  // ------------------------------------------------------------------------------------------ form

  /**
   * What an answer holds.
   *
   * @param plain without values of instances
   */
  private record Shape(boolean plain) {

    /** The flag {@code wrapStatValues} is about texts, of which there are none. */
    static Shape of(Given given) {
      return new Shape(given.flag("metrics", false));
    }

    /** Values by key, of each the newest at most. */
    Map<String, Points> of(Map<String, Points> stats, int most) {
      Map<String, Points> all = new LinkedHashMap<>();
      stats.forEach(
          (key, points) -> {
            if (!plain || !isOfInstance(key)) {
              int size = points.times().size();
              int from = Math.max(0, size - most);
              all.put(
                  key,
                  from == 0
                      ? points
                      : new Points(
                          points.times().subList(from, size), points.values().subList(from, size)));
            }
          });
      return all;
    }

    private static boolean isOfInstance(String key) {
      int bar = key.indexOf('|');
      return bar >= 0 && key.substring(0, bar).contains(":");
    }
  }

  private static void begin(JsonGenerator json) {
    json.writeStartObject();
    json.writeArrayPropertyStart("values");
  }

  private static void end(JsonGenerator json) {
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Writes the values of one resource; clients read the members in this order. */
  private static void write(
      JsonGenerator json, @Nullable UUID id, Map<String, Points> stats, RollUp rollUp) {
    if (stats.isEmpty()) {
      return; // a resource without values is left out
    }
    json.writeStartObject();
    json.writeStringProperty("resourceId", String.valueOf(id));
    json.writeObjectPropertyStart("stat-list");
    json.writeArrayPropertyStart("stat");
    stats.forEach((key, points) -> stat(json, key, points, rollUp, null));
    json.writeEndArray();
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void stat(
      JsonGenerator json, String key, Points points, RollUp rollUp, @Nullable Bands bands) {
    json.writeStartObject();
    Times.write(json, "timestamps", points.times());
    json.writeObjectPropertyStart("statKey");
    json.writeStringProperty("key", key);
    json.writeEndObject();
    json.writeStringProperty("rollUpType", rollUp.name());
    json.writeObjectPropertyStart("intervalUnit");
    json.writeNumberProperty("quantifier", rollUp.quantifier());
    json.writeStringProperty("intervalType", rollUp.type());
    json.writeEndObject();
    numbers(json, "data", points.values());
    if (bands != null) {
      json.writeArrayPropertyStart("dtTimestamps");
      for (long time : bands.times()) {
        json.writeNumber(time);
      }
      json.writeEndArray();
      numbers(json, "minThresholdData", bands.lower());
      numbers(json, "maxThresholdData", bands.upper());
      if (bands.smooth() != null) {
        numbers(json, "smoothValues", bands.smooth());
      }
    }
    json.writeEndObject();
  }

  private static void numbers(JsonGenerator json, String name, List<Double> values) {
    json.writeArrayPropertyStart(name);
    for (double value : values) {
      json.writeNumber(value);
    }
    json.writeEndArray();
  }

  // ------------------------------------------------------------------------------------------
  // bands

  /**
   * What is usual, hour by hour.
   *
   * @param smooth the middle of it; null = not wanted
   */
  private record Bands(
      List<Long> times, List<Double> lower, List<Double> upper, @Nullable List<Double> smooth) {}

  private Answer bands(Call call, Given given) {
    List<String> keys = given.texts("statKeys", "statKey", "statkey").stream().distinct().toList();
    if (keys.isEmpty()) {
      throw SuiteException.invalid("statKeys", "is missing");
    }
    return bands(
        objects(call, given),
        keys,
        window(given),
        new RollUp("NONE", null, "MINUTES", 5),
        given.flag("showSmooth", true),
        call.caller().tokenId());
  }

  private Answer bands(
      Map<Integer, UUID> objects,
      List<String> keys,
      Window window,
      RollUp rollUp,
      boolean smooth,
      UUID caller) {
    if (keys.isEmpty() || (long) objects.size() * keys.size() > MOST_BANDS) {
      throw SuiteException.invalid(
          "statKey",
          "with dynamic thresholds at most %,d pairs of a resource and a key are answered"
              .formatted(MOST_BANDS));
    }
    Wanted wanted = wanted(keys, window, rollUp);
    return new Answer.Streamed(
        json -> {
          try (LoadLimits.Place place = limits.enter(HeavyWork.SERIES, caller)) {
            begin(json);
            reads.read(
                new ArrayList<>(objects.keySet()),
                wanted,
                (object, stats) -> {
                  UUID id = objects.get(object);
                  Map<String, Bands> bands = new HashMap<>();
                  if (id != null) {
                    stats.keySet().forEach(key -> bands.put(key, learned(id, key, window, smooth)));
                  }
                  json.writeStartObject();
                  json.writeStringProperty("resourceId", String.valueOf(id));
                  json.writeObjectPropertyStart("stat-list");
                  json.writeArrayPropertyStart("stat");
                  stats.forEach((key, points) -> stat(json, key, points, rollUp, bands.get(key)));
                  json.writeEndArray();
                  json.writeEndObject();
                  json.writeEndObject();
                });
            end(json);
          }
        });
  }

  private Bands learned(UUID id, String key, Window window, boolean smooth) {
    LearnedBounds bounds =
        learning
            .getLearnedBounds(
                id, key, String.valueOf(window.begin()), String.valueOf(window.end()), null)
            .getBody();
    List<Long> times = new ArrayList<>();
    List<Double> lower = new ArrayList<>();
    List<Double> upper = new ArrayList<>();
    List<Double> usual = new ArrayList<>();
    if (bounds != null) {
      for (int i = 0; i < bounds.getTimes().size(); i++) {
        Double low = bounds.getLower().get(i);
        Double high = bounds.getUpper().get(i);
        if (low != null && high != null) {
          times.add(bounds.getTimes().get(i));
          lower.add(low);
          upper.add(high);
          usual.add((low + high) / 2);
        }
      }
    }
    return new Bands(times, lower, upper, smooth ? usual : null);
  }

  // ------------------------------------------------------------------------------------------- top

  private record Ranked(String key, UUID resource, String stat, double value, long time) {}

  private Answer top(Call call) {
    Given given = call.query();
    Long n = given.whole("topN");
    if (n == null || n < 1) {
      throw SuiteException.invalid("topN", "is missing or below 1");
    }
    String groupBy = given.word("groupBy", "RESOURCE", List.of("RESOURCE", "STATKEY"));
    String order = given.word("sortOrder", "ASCENDING", List.of("ASCENDING", "DESCENDING"));
    Map<Integer, UUID> objects = objects(call, given);
    Window window = window(given);
    RollUp rollUp = rollUp(given, "AVG");
    List<Ranked> all = new ArrayList<>();
    Aggregation how = rollUp.aggregation() == null ? Aggregation.LAST : rollUp.aggregation();
    try (LoadLimits.Place place = limits.enter(HeavyWork.RANKING, call.caller().tokenId())) {
      reads.read(
          new ArrayList<>(objects.keySet()),
          new Wanted(
              given.texts("statKey"),
              window.begin(),
              window.end(),
              how,
              StatGrid.whole(window.begin(), Math.max(window.end(), window.begin() + 1))),
          (object, stats) ->
              stats.forEach(
                  (key, points) -> {
                    UUID id = objects.getOrDefault(object, new UUID(0, 0));
                    all.add(
                        new Ranked(
                            groupBy.equals("RESOURCE") ? id.toString() : key,
                            id,
                            key,
                            points.values().getLast(),
                            points.times().getLast()));
                  }));
    }
    Comparator<Ranked> by = Comparator.comparingDouble(Ranked::value);
    all.sort(order.equals("ASCENDING") ? by : by.reversed());
    Map<String, List<Ranked>> groups = new LinkedHashMap<>();
    all.forEach(one -> groups.computeIfAbsent(one.key(), k -> new ArrayList<>()).add(one));
    List<Object> fitting = new ArrayList<>();
    long left = n;
    for (Map.Entry<String, List<Ranked>> group : groups.entrySet()) {
      if (group.getValue().size() <= left) {
        left -= group.getValue().size();
        fitting.add(
            Json.object(
                "groupKey",
                group.getKey(),
                "resourceStats",
                group.getValue().stream().map(one -> ranked(one, rollUp)).toList()));
      }
    }
    return Answer.ok(
        Json.object("groupBy", groupBy, "sortOrder", order, "resourceStatGroups", fitting));
  }

  private static Object ranked(Ranked one, RollUp rollUp) {
    return Json.object(
        "resourceId",
        one.resource(),
        "stat",
        Json.object(
            "timestamps",
            List.of(one.time()),
            "statKey",
            Json.object("key", one.stat()),
            "rollUpType",
            rollUp.name(),
            "intervalUnit",
            Json.object("quantifier", rollUp.quantifier(), "intervalType", rollUp.type()),
            "data",
            List.of(one.value())));
  }

  // ------------------------------------------------------------------------------------------ keys

  private Answer keys(Call call) {
    Map<Integer, UUID> objects = objects(call, call.query());
    String search = call.query().text("searchstring", "searchString");
    return Answer.ok(
        Json.object(
            "stat-key",
            queries.keys(objects.keySet()).stream()
                .filter(
                    key ->
                        search == null
                            || key.toLowerCase(Locale.ROOT)
                                .contains(search.toLowerCase(Locale.ROOT)))
                .map(key -> Json.object("key", key))
                .toList()));
  }
}
