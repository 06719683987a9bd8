package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A few objects with values and relations, written down by hand: a frame for tests. */
public final class World implements Frame {

  /** An object; values are numbers or texts. */
  private static final class Thing {
    final int id;
    final ObjectKind kind;
    final String name;
    final Map<String, Object> values = new LinkedHashMap<>();
    final Map<String, String> identifiers = new HashMap<>();
    final List<String> stale = new ArrayList<>();
    final Map<String, Long> times = new HashMap<>();

    Thing(int id, ObjectKind kind, String name) {
      this.id = id;
      this.kind = kind;
      this.name = name;
    }
  }

  private final Map<String, Thing> byName = new LinkedHashMap<>();
  private final List<String[]> relations = new ArrayList<>();
  private @Nullable ObjectGraph graph;

  public static ObjectKind kind(String objectKind) {
    return new ObjectKind("VMWARE", objectKind);
  }

  /**
   * Adds an object.
   *
   * @param name unique
   * @param values key, value, key, value; a value is a number or a text
   */
  public World add(String objectKind, String name, Object... values) {
    return add(kind(objectKind), name, name, values);
  }

  World add(ObjectKind kind, String handle, String name, Object... values) {
    Thing thing = new Thing(byName.size() + 1, kind, name);
    for (int i = 0; i < values.length; i += 2) {
      thing.values.put((String) values[i], values[i + 1]);
    }
    byName.put(handle, thing);
    graph = null;
    return this;
  }

  World identifiers(String handle, Map<String, String> identifiers) {
    byName.get(handle).identifiers.putAll(identifiers);
    return this;
  }

  World stale(String name, String key) {
    byName.get(name).stale.add(key);
    return this;
  }

  /** Says when the newest sample of a key was taken. */
  World sampled(String name, String key, long time) {
    byName.get(name).times.put(key, time);
    return this;
  }

  public World relate(String parent, String... children) {
    for (String child : children) {
      relations.add(new String[] {parent, child});
    }
    graph = null;
    return this;
  }

  @Override
  public long time() {
    return 1_763_683_200_000L;
  }

  @Override
  public ObjectGraph objects() {
    if (graph == null) {
      ObjectGraph.Builder builder = ObjectGraph.builder();
      byName.values().forEach(thing -> builder.object(thing.id, thing.kind, thing.name));
      for (String[] relation : relations) {
        builder.relation(byName.get(relation[0]).id, byName.get(relation[1]).id);
      }
      builder.identifiers(
          (id, wanted) ->
              byName.values().stream()
                  .anyMatch(
                      thing ->
                          thing.id == id
                              && thing.identifiers.entrySet().containsAll(wanted.entrySet())));
      graph = builder.build();
    }
    return graph;
  }

  private List<Thing> of(ObjectKind kind) {
    return byName.values().stream().filter(thing -> thing.kind.equals(kind)).toList();
  }

  @Override
  public @Nullable Column column(ObjectKind kind, String key) {
    List<Thing> things = of(kind);
    if (things.stream().noneMatch(thing -> thing.values.containsKey(key))) {
      return null;
    }
    double[] numbers = new double[things.size()];
    String[] texts = new String[things.size()];
    boolean[] fresh = new boolean[things.size()];
    long[] times = new long[things.size()];
    boolean anyText = false;
    for (int i = 0; i < things.size(); i++) {
      Object value = things.get(i).values.get(key);
      fresh[i] = !things.get(i).stale.contains(key);
      times[i] = things.get(i).times.getOrDefault(key, 0L);
      if (value instanceof Number number) {
        numbers[i] = number.doubleValue();
      } else {
        texts[i] = (String) value;
        numbers[i] = Column.number(texts[i]);
        anyText |= value != null;
      }
    }
    return new Column(numbers, anyText ? texts : null, fresh, times);
  }

  @Override
  public @Nullable Instances instances(ObjectKind kind, String attribute) {
    TreeSet<String> keys = new TreeSet<>();
    of(kind).forEach(thing -> keys.addAll(thing.values.keySet()));
    keys.removeIf(key -> !Keys.isInstanceOf(attribute, key));
    if (keys.isEmpty()) {
      return null;
    }
    return Instances.of(
        of(kind).size(),
        keys.stream()
            .map(key -> new Instances.Keyed(key, key.equals(attribute), column(kind, key)))
            .toList());
  }

  /** What a formula yields for an object; NaN = no value. */
  public double value(String formula, String object) {
    return value(formula, object, Program.Options.DEFAULT);
  }

  double value(String formula, String object, Program.Options options) {
    Thing thing = byName.get(object);
    return values(formula, thing.kind, options)[objects().number(thing.kind, thing.id)];
  }

  /** What a formula yields for all objects of a kind, in the order in which they were added. */
  double[] values(String formula, ObjectKind kind, Program.Options options) {
    Formula parsed = Formula.parse(formula);
    if (!parsed.isValid()) {
      throw new IllegalArgumentException(parsed.render());
    }
    UUID id = new UUID(0, 1);
    Program program = Program.of(List.of(new Definition(id, parsed, List.of(kind))), options);
    Results.Result result = program.run(this, Program.Enabled.ALL).columns().getFirst();
    if (result.error() != null) {
      throw new IllegalStateException(result.error());
    }
    return result.values();
  }
}
