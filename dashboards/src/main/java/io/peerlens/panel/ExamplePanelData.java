package io.peerlens.panel;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.dashboard.file.Bundle.Example;
import io.peerlens.dashboard.file.Bundle.ExampleObject;
import io.peerlens.dashboard.file.Bundle.Sample;
import io.peerlens.frame.KeySets;
import io.peerlens.frame.ObjectProperties;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.learning.LearnedBands;
import io.peerlens.learning.LearnedRange;
import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeCondition;
import io.peerlens.series.SeriesLines;
import io.peerlens.series.SeriesProperties;
import io.peerlens.series.SeriesService;
import io.peerlens.series.WindowStatistics;
import io.peerlens.store.Coverage;
import io.peerlens.store.Level;
import io.peerlens.store.MemorySamples;
import io.peerlens.store.SampleSource;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The inventory of an example, in memory. There are no alerts, no changes and nothing that is
 * learned; values have no units, so that a column shows them as they are. A group is an object of
 * its name; its members are the objects right below.
 */
final class ExamplePanelData implements PanelData {

  /** A sample of now; the end of a window is not part of it. */
  private static final long JUST_BEFORE = 1_000;

  private static final int MOST_NEIGHBOURS = 1_000_000;
  private static final SeriesProperties MOST_VALUES = new SeriesProperties(1_000_000);

  /** A metric of a kind, of any instance. */
  private record Measure(ObjectKind kind, String group, String metric) {}

  /** The values of an object for a measure. */
  private record Values(int object, String instance, List<Sample> samples) {}

  /** When the first and the last sample of an object were, in microseconds since 1970. */
  private record Span(long first, long last) {
    Span with(Span other) {
      return new Span(Math.min(first, other.first), Math.max(last, other.last));
    }
  }

  private final List<ExampleObject> members; // the object of id i is at i - 1
  private final long now;
  private final ObjectGraph graph;
  private final UUID[] uuids;
  private final Map<UUID, Integer> ids = new HashMap<>();
  private final Map<Measure, KeySets> sets = new LinkedHashMap<>();
  private final Map<Integer, Span> seen = new HashMap<>();
  private final Map<String, UUID> superMetrics;
  private final MemorySamples samples;
  private final SeriesService series;
  private final WindowStatistics statistics;
  private final Runnable interrupt;
  private final Inventory objects = new Inventory();

  /**
   * @param at now
   * @param superMetrics ids by name
   * @param interrupt is called again and again, and may throw to end the answer
   */
  ExamplePanelData(
      Example example, Instant at, Map<String, UUID> superMetrics, Runnable interrupt) {
    this.members = example.objects();
    this.now = Level.micros(at);
    this.superMetrics = Map.copyOf(superMetrics);
    this.interrupt = interrupt;
    this.uuids = new UUID[members.size()];
    this.graph = buildGraph();
    MemorySamples.Builder builder = MemorySamples.builder().interrupt(interrupt);
    int set = 0;
    int group = 0;
    for (Map.Entry<Measure, List<Values>> one : measures().entrySet()) {
      List<Values> values = one.getValue();
      int first = set + 1;
      for (Values of : values) {
        add(builder, ++set, of);
      }
      sets.put(
          one.getKey(),
          new KeySets(
              ++group,
              0,
              IntStream.rangeClosed(first, set).toArray(),
              values.stream().mapToInt(Values::object).toArray(),
              values.stream().map(Values::instance).toArray(String[]::new)));
    }
    this.samples = builder.build();
    this.series = new SeriesService(this::lines, this::coverage, samples, MOST_VALUES);
    this.statistics = new WindowStatistics(this::coverage, samples);
  }

  private ObjectGraph buildGraph() {
    ObjectGraph.Builder builder = ObjectGraph.builder();
    Map<String, List<Integer>> named = new HashMap<>();
    for (int id = 1; id <= members.size(); id++) {
      ExampleObject one = members.get(id - 1);
      builder.object(id, one.kind(), one.name());
      named.computeIfAbsent(one.name(), name -> new ArrayList<>()).add(id);
      UUID uuid =
          UUID.nameUUIDFromBytes(
              "%d %s %s".formatted(id, one.kind(), one.name()).getBytes(StandardCharsets.UTF_8));
      uuids[id - 1] = uuid;
      ids.put(uuid, id);
    }
    for (int id = 1; id <= members.size(); id++) {
      for (String parent : new LinkedHashSet<>(members.get(id - 1).parents())) {
        for (int above : named.getOrDefault(parent, List.of())) {
          if (above != id) {
            builder.relation(above, id);
          }
        }
      }
    }
    return builder.build();
  }

  private Map<Measure, List<Values>> measures() {
    Map<Measure, List<Values>> measures = new LinkedHashMap<>();
    for (int id = 1; id <= members.size(); id++) {
      ExampleObject one = members.get(id - 1);
      for (Map.Entry<String, List<Sample>> metric : new TreeMap<>(one.metrics()).entrySet()) {
        MetricKey key = parse(ColumnReads.key(metric.getKey(), this::superMetric));
        measures
            .computeIfAbsent(
                new Measure(one.kind(), key.group(), key.metric()), of -> new ArrayList<>())
            .add(new Values(id, key.instance(), metric.getValue()));
      }
    }
    return measures;
  }

  private static MetricKey parse(String key) {
    return MetricKey.parse(key).ofAggregate();
  }

  private void add(MemorySamples.Builder builder, int set, Values of) {
    Sample first = of.samples().isEmpty() ? null : of.samples().getFirst();
    if (first == null) {
      return;
    }
    if (first.before() == null) {
      builder.holding(set, first.value(), now);
      long last = now - MemorySamples.EVERY;
      seen.merge(of.object(), new Span(last, last), Span::with);
      return;
    }
    long[] times = of.samples().stream().mapToLong(this::time).toArray();
    builder.samples(set, times, of.samples().stream().mapToDouble(Sample::value).toArray());
    seen.merge(
        of.object(),
        new Span(
            Arrays.stream(times).min().orElseThrow(), Arrays.stream(times).max().orElseThrow()),
        Span::with);
  }

  private long time(Sample sample) {
    Duration before = sample.before();
    long micros = before == null ? 0 : before.toMillis() * 1000;
    return now - Math.max(JUST_BEFORE, micros);
  }

  /**
   * The id of the object of a name.
   *
   * @param kinds of any of these; empty = of any kind
   */
  Optional<UUID> find(String name, List<ObjectKind> kinds) {
    for (int id = 1; id <= members.size(); id++) {
      ExampleObject one = members.get(id - 1);
      if (one.name().equals(name) && (kinds.isEmpty() || isAny(kinds, one.kind()))) {
        return Optional.of(uuids[id - 1]);
      }
    }
    return Optional.empty();
  }

  private static boolean isAny(List<ObjectKind> kinds, ObjectKind kind) {
    return kinds.stream()
        .anyMatch(
            one ->
                one.equals(kind)
                    || (one.isEvery() && one.adapterKind().equals(kind.adapterKind())));
  }

  @Override
  public void goOn() {
    interrupt.run();
  }

  // ---------------------------------------------------------------------------------- the objects

  @Override
  public ObjectGraph graph() {
    return graph;
  }

  @Override
  public ObjectProperties properties() {
    return new Properties();
  }

  private final class Properties implements ObjectProperties {

    @Override
    public ObjectGraph graph() {
      return graph;
    }

    @Override
    public List<String> propertyKeys(ObjectKind kind) {
      return members.stream()
          .filter(one -> isAny(List.of(kind), one.kind()))
          .flatMap(one -> one.properties().keySet().stream())
          .distinct()
          .toList();
    }

    @Override
    public Map<String, Column> columns(ObjectKind kind, Collection<String> keys) {
      Map<String, Column> found = new HashMap<>();
      for (String key : keys) {
        @Nullable String[] texts = new @Nullable String[graph.count(kind)];
        boolean any = false;
        for (int number = 0; number < texts.length; number++) {
          texts[number] = member(graph.id(kind, number)).properties().get(key);
          any |= texts[number] != null;
        }
        if (any) {
          found.put(key, Column.of(texts));
        }
      }
      return found;
    }
  }

  private ExampleObject member(int id) {
    return members.get(id - 1);
  }

  @Override
  public Set<Integer> members(Scope scope) {
    IntPredicate only = test(scope.only());
    List<IntPredicate> exclude = scope.exclude().stream().map(this::test).toList();
    Set<Integer> found = new HashSet<>();
    for (int id = 1; id <= members.size(); id++) {
      int one = id;
      if (only.test(id) && exclude.stream().noneMatch(without -> without.test(one))) {
        found.add(id);
      }
    }
    return found;
  }

  private IntPredicate test(ScopeCondition condition) {
    Set<Integer> inGroups = new HashSet<>();
    for (int group : objects.ids(condition.groups())) {
      inGroups.addAll(children(group));
    }
    Set<Integer> below = below(objects.ids(condition.ancestors()));
    Set<UUID> wanted = new HashSet<>(condition.objects());
    String name = condition.name();
    Glob glob = name == null ? null : new Glob(name);
    return id -> {
      ExampleObject one = member(id);
      return (condition.objectKinds().isEmpty() || isAny(condition.objectKinds(), one.kind()))
          && (condition.groups().isEmpty() || inGroups.contains(id))
          && condition.tags().stream().allMatch(pair -> has(one.tags(), pair))
          && condition.properties().stream().allMatch(pair -> has(one.properties(), pair))
          && (glob == null || glob.matches(one.name()))
          && (condition.ancestors().isEmpty() || below.contains(id))
          && (wanted.isEmpty() || wanted.contains(uuids[id - 1]));
    };
  }

  /** Whether there is a pair {@code key=value}, or a {@code key}. */
  private static boolean has(Map<String, String> values, String pair) {
    int equals = pair.indexOf('=');
    return equals < 0
        ? values.containsKey(pair)
        : pair.substring(equals + 1).equals(values.get(pair.substring(0, equals)));
  }

  private static boolean agrees(Map<String, String> properties, Map<String, String> identifiers) {
    return identifiers.entrySet().stream()
        .allMatch(
            one -> one.getValue().equals(properties.getOrDefault(one.getKey(), one.getValue())));
  }

  private List<Integer> children(int id) {
    return Arrays.stream(graph.children(id, MOST_NEIGHBOURS)).boxed().toList();
  }

  private Set<Integer> below(int[] start) {
    Set<Integer> found = new HashSet<>();
    Deque<Integer> open = new ArrayDeque<>(Arrays.stream(start).boxed().toList());
    while (!open.isEmpty()) {
      for (int one : children(open.remove())) {
        if (found.add(one)) {
          open.add(one);
        }
      }
    }
    return found;
  }

  @Override
  public PanelObjectQueries objects() {
    return objects;
  }

  private final class Inventory implements PanelObjectQueries {

    @Override
    public Map<Integer, ObjectRef> references(int[] of) {
      Map<Integer, ObjectRef> found = HashMap.newHashMap(of.length);
      for (int id : of) {
        ExampleObject one = member(id);
        found.put(
            id,
            new ObjectRef(
                uuids[id - 1], one.kind().adapterKind(), one.kind().objectKind(), one.name()));
      }
      return found;
    }

    @Override
    public int[] ids(Collection<UUID> of) {
      List<Integer> found = new ArrayList<>();
      for (UUID uuid : of) {
        Integer id = ids.get(uuid);
        if (id != null) {
          found.add(id);
        }
      }
      return found.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Objects of an example have no ids, so only their properties tell those of a name apart. */
    @Override
    public Optional<Integer> pinned(ObjectKind kind, String name, Map<String, String> identifiers) {
      List<Integer> found =
          IntStream.rangeClosed(1, members.size())
              .filter(id -> member(id).kind().equals(kind) && member(id).name().equals(name))
              .filter(id -> agrees(member(id).properties(), identifiers))
              .boxed()
              .toList();
      return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    @Override
    public Optional<UUID> group(String name) {
      return find(name, List.of());
    }

    @Override
    public Map<Integer, String> tags(int[] of, String key) {
      Map<Integer, String> found = new HashMap<>();
      for (int id : of) {
        String value = member(id).tags().get(key);
        if (value != null) {
          found.put(id, value);
        }
      }
      return found;
    }

    /** An object without samples is there since now. */
    @Override
    public Map<Integer, Seen> seen(int[] of) {
      Map<Integer, Seen> found = new HashMap<>();
      for (int id : of) {
        Span span = seen.get(id);
        found.put(
            id,
            new Seen(
                Level.instant(span == null ? now : span.first()),
                span == null ? null : Level.instant(span.last())));
      }
      return found;
    }

    @Override
    public @Nullable Instant lastSeen(int[] of) {
      Long last = null;
      for (int id : of) {
        Span span = seen.get(id);
        if (span != null && (last == null || span.last() > last)) {
          last = span.last();
        }
      }
      return last == null ? null : Level.instant(last);
    }

    @Override
    public @Nullable String unit(int group, int position) {
      return null;
    }

    @Override
    public Map<Integer, Map<String, @Nullable String>> former(
        int[] of, String kind, Collection<String> keys, Instant at) {
      return Map.of();
    }

    @Override
    public List<Property> properties(int id, Instant at) {
      List<Property> found = new ArrayList<>();
      new TreeMap<>(member(id).properties())
          .forEach((key, value) -> found.add(new Property(key, value, null)));
      return found;
    }

    @Override
    public List<Changed> changes(int[] of, Instant from, Instant to, int limit) {
      return List.of();
    }
  }

  @Override
  public PanelAlertQueries alerts() {
    return NoAlerts.NONE;
  }

  private enum NoAlerts implements PanelAlertQueries {
    NONE;

    @Override
    public Map<Integer, Open> worst(int[] ids, Instant at, @Nullable Instant past) {
      return Map.of();
    }

    @Override
    public List<Listed> list(
        int @Nullable [] ids, int severity, Instant at, @Nullable Instant past, int limit) {
      return List.of();
    }

    @Override
    public List<Stretch> during(int[] ids, Instant from, Instant to) {
      return List.of();
    }
  }

  // ----------------------------------------------------------------------------------- the values

  @Override
  public @Nullable KeySets keySets(ObjectKind kind, String key, boolean allInstances) {
    goOn();
    MetricKey wanted = parse(key);
    KeySets found = sets.get(new Measure(kind, wanted.group(), wanted.metric()));
    if (found == null) {
      found =
          sets.entrySet().stream()
              .filter(
                  one ->
                      one.getKey().kind().equals(kind)
                          && one.getKey().group().equalsIgnoreCase(wanted.group())
                          && one.getKey().metric().equalsIgnoreCase(wanted.metric()))
              .map(Map.Entry::getValue)
              .findFirst()
              .orElse(null);
    }
    return found == null || allInstances ? found : only(found, wanted.instance());
  }

  private static KeySets only(KeySets all, String instance) {
    int[] places =
        IntStream.range(0, all.sets().length)
            .filter(i -> all.instances()[i].equals(instance))
            .toArray();
    String[] instances = new String[places.length];
    Arrays.fill(instances, instance);
    return new KeySets(
        all.group(),
        all.position(),
        Arrays.stream(places).map(i -> all.sets()[i]).toArray(),
        Arrays.stream(places).map(i -> all.objects()[i]).toArray(),
        instances);
  }

  private List<SeriesLines.Line> lines(List<UUID> of, List<MetricKey> metrics) {
    List<SeriesLines.Line> lines = new ArrayList<>();
    for (UUID object : new LinkedHashSet<>(of)) {
      Integer id = ids.get(object);
      if (id == null) {
        continue;
      }
      for (MetricKey key : new LinkedHashSet<>(metrics)) {
        KeySets all = sets.get(new Measure(member(id).kind(), key.group(), key.metric()));
        for (int i = 0; all != null && i < all.sets().length; i++) {
          if (all.objects()[i] == id && all.instances()[i].equals(key.instance())) {
            lines.add(new SeriesLines.Line(object, key, null, all.group(), all.sets()[i], 0));
          }
        }
      }
    }
    return lines;
  }

  /** That of an installation with the usual configuration. */
  @Override
  public Duration metricAge() {
    return Duration.ofDays(1);
  }

  @Override
  public Coverage coverage() {
    return Coverage.RAW_ONLY;
  }

  @Override
  public SampleSource samples() {
    return samples;
  }

  @Override
  public WindowStatistics statistics() {
    return statistics;
  }

  @Override
  public SeriesService series() {
    return series;
  }

  @Override
  public LearnedBands bands(Instant from, Instant to, IntPredicate of) {
    return NothingLearned.NOTHING;
  }

  private enum NothingLearned implements LearnedBands {
    NOTHING;

    @Override
    public @Nullable LearnedRange at(
        ObjectKind kind, String key, ObjectGraph objects, long millis) {
      return null;
    }

    @Override
    public @Nullable LearnedRange at(
        ObjectKind kind, Instances instances, ObjectGraph objects, long millis) {
      return null;
    }
  }

  // --------------------------------------------------------------------------------- super metrics

  @Override
  public @Nullable UUID superMetric(String name) {
    return superMetrics.get(name);
  }

  @Override
  public Optional<String> superMetricName(UUID id) {
    return superMetrics.entrySet().stream()
        .filter(one -> one.getValue().equals(id))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  @Override
  public boolean isOn(UUID superMetric, ObjectKind kind, ObjectGraph of) {
    return true;
  }
}
