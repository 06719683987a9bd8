package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Objects and the relations between them, with what formulas need worked out once: which objects of
 * one kind are how far above or below those of another.
 *
 * <p>Objects are sorted by adapter kind and kind, so a kind is a range, and so is {@code *}, all
 * kinds of one adapter. Thread-safe; nothing changes but a cache.
 */
public final class ObjectGraph {

  /** Builder from objects and relations. */
  public static final class Builder {

    private record Member(int id, ObjectKind kind, String name) {}

    private final List<Member> members = new ArrayList<>();
    private final List<int[]> relations = new ArrayList<>();
    private IdentifierTest identifiers = (id, wanted) -> false;
    private long mostSteps = 50_000_000;

    /**
     * Adds an object.
     *
     * @param id unique, any number
     */
    public Builder object(int id, ObjectKind kind, String name) {
      members.add(new Member(id, kind, name));
      return this;
    }

    /** Adds a relation, by the ids of its objects; one with an unknown object is left out. */
    public Builder relation(int parentId, int childId) {
      relations.add(new int[] {parentId, childId});
      return this;
    }

    /** How identifiers of a formula are compared with an object. */
    public Builder identifiers(IdentifierTest test) {
      this.identifiers = test;
      return this;
    }

    /** How many relations may be followed for one pair of kinds and one depth. */
    public Builder mostSteps(long steps) {
      this.mostSteps = steps;
      return this;
    }

    public ObjectGraph build() {
      return new ObjectGraph(this);
    }
  }

  /**
   * An object that is new or other than before, or gone.
   *
   * @param kind null = it is gone
   * @param parents ids of the objects right above
   * @param children ids of the objects right below
   */
  public record Changed(
      int id, @Nullable ObjectKind kind, String name, int[] parents, int[] children) {}

  /** Test of the identifiers of an object, for instance {@code VMEntityObjectID=vm-12}. */
  @FunctionalInterface
  public interface IdentifierTest {
    boolean has(int id, Map<String, String> identifiers);
  }

  /**
   * Objects of one kind that are related to each object of another.
   *
   * @param offsets those of object i are from offsets[i] to below offsets[i + 1]
   * @param members numbers within the kind
   */
  public record Related(int[] offsets, int[] members) {}

  /**
   * Objects related to one object.
   *
   * @param numbers within their kind
   * @param levels how far away each is; negative = above
   */
  record Near(int[] numbers, int[] levels) {}

  /** Thrown where the relations of a formula touch too many objects. */
  @SuppressWarnings("serial")
  public static final class TooManyObjects extends RuntimeException {
    TooManyObjects(String message) {
      super(message, null, false, false);
    }
  }

  /** Objects of a kind by their places. */
  record Range(int from, int to) {
    boolean holds(int index) {
      return index >= from && index < to;
    }
  }

  private record Way(ObjectKind from, ObjectKind to, int depth) {}

  private static final Range NOTHING = new Range(0, 0);

  private final int[] ids;
  private final String[] names;
  private final List<ObjectKind> kinds;
  private final Map<ObjectKind, Range> ranges = new HashMap<>();
  private final Map<Integer, Integer> indexes;
  private final Neighbours children;
  private final Neighbours parents;
  private final IdentifierTest identifiers;
  private final long mostSteps;
  private final Map<Way, Related> related = new ConcurrentHashMap<>();
  private final Map<ObjectKind, Map<String, int[]>> byName = new ConcurrentHashMap<>();

  private ObjectGraph(Builder builder) {
    List<Builder.Member> members = new ArrayList<>(builder.members);
    members.sort(
        Comparator.comparing((Builder.Member member) -> member.kind().adapterKind())
            .thenComparing(member -> member.kind().objectKind())
            .thenComparingInt(Builder.Member::id));
    int count = members.size();
    ids = new int[count];
    names = new String[count];
    indexes = HashMap.newHashMap(count);
    TreeSet<ObjectKind> sorted =
        new TreeSet<>(
            Comparator.comparing(ObjectKind::adapterKind).thenComparing(ObjectKind::objectKind));
    for (int i = 0; i < count; i++) {
      Builder.Member member = members.get(i);
      ids[i] = member.id();
      names[i] = member.name();
      if (indexes.put(member.id(), i) != null) {
        throw new IllegalArgumentException("two objects have the id " + member.id());
      }
      sorted.add(member.kind());
      int index = i;
      Range alone = new Range(i, i + 1);
      ranges.merge(member.kind(), alone, (range, one) -> new Range(range.from(), index + 1));
      ObjectKind every = new ObjectKind(member.kind().adapterKind(), "*");
      ranges.merge(every, alone, (range, one) -> new Range(range.from(), index + 1));
    }
    kinds = List.copyOf(sorted);
    identifiers = builder.identifiers;
    mostSteps = builder.mostSteps;
    children = neighbours(count, builder.relations, 0, 1);
    parents = neighbours(count, builder.relations, 1, 0);
  }

  /** The same objects and relations with other names. */
  private ObjectGraph(ObjectGraph before, String[] names) {
    this.names = names;
    ids = before.ids;
    kinds = before.kinds;
    ranges.putAll(before.ranges);
    indexes = before.indexes;
    children = before.children;
    parents = before.parents;
    identifiers = before.identifiers;
    mostSteps = before.mostSteps;
    related.putAll(before.related);
  }

  /**
   * The graph after some objects have changed: this one if nothing of them is other than before.
   * Objects of a kind keep their numbers unless one of it came or went.
   */
  public ObjectGraph with(Collection<Changed> changes) {
    Map<Integer, Changed> byId = HashMap.newHashMap(changes.size());
    changes.forEach(change -> byId.put(change.id(), change));
    boolean renamed = false;
    boolean rebuilt = false;
    for (Changed change : byId.values()) {
      Integer index = indexes.get(change.id());
      ObjectKind kind = change.kind();
      if (kind == null || index == null) {
        rebuilt |= kind != null || index != null;
      } else {
        rebuilt |=
            !kind.equals(kindOf(change.id()))
                || !isSame(parents, index, change.parents(), byId)
                || !isSame(children, index, change.children(), byId);
        renamed |= !names[index].equals(change.name());
      }
    }
    if (rebuilt) {
      return rebuilt(byId);
    }
    if (!renamed) {
      return this;
    }
    String[] now = names.clone();
    for (Changed change : byId.values()) {
      Integer index = indexes.get(change.id());
      if (index != null) {
        now[index] = change.name();
      }
    }
    return new ObjectGraph(this, now);
  }

  /** Whether an object has the same neighbours as before; unknown ones do not count. */
  private boolean isSame(
      Neighbours neighbours, int index, int[] now, Map<Integer, Changed> changes) {
    Set<Integer> before = new HashSet<>();
    neighbours.of(index).forEach(neighbour -> before.add(ids[neighbour]));
    Set<Integer> known = new HashSet<>();
    for (int id : now) {
      Changed change = changes.get(id);
      if (change == null ? indexes.containsKey(id) : change.kind() != null) {
        known.add(id);
      }
    }
    return before.equals(known);
  }

  private ObjectGraph rebuilt(Map<Integer, Changed> changes) {
    Builder builder = new Builder().identifiers(identifiers).mostSteps(mostSteps);
    for (ObjectKind kind : kinds) {
      Range range = range(kind);
      for (int i = range.from(); i < range.to(); i++) {
        if (!changes.containsKey(ids[i])) {
          int parent = ids[i];
          builder.object(parent, kind, names[i]);
          children
              .of(i)
              .map(child -> ids[child])
              .filter(child -> !changes.containsKey(child))
              .forEach(child -> builder.relation(parent, child));
        }
      }
    }
    for (Changed change : changes.values()) {
      ObjectKind kind = change.kind();
      if (kind != null) {
        builder.object(change.id(), kind, change.name());
        for (int child : change.children()) {
          builder.relation(change.id(), child);
        }
        for (int parent : change.parents()) {
          if (!changes.containsKey(parent)) {
            builder.relation(parent, change.id());
          }
        }
      }
    }
    return builder.build();
  }

  private Neighbours neighbours(int count, List<int[]> relations, int from, int to) {
    int[] begins = new int[relations.size()];
    int[] ends = new int[relations.size()];
    int known = 0;
    for (int[] relation : relations) {
      Integer begin = indexes.get(relation[from]);
      Integer end = indexes.get(relation[to]);
      if (begin != null && end != null) {
        begins[known] = begin;
        ends[known++] = end;
      }
    }
    return Neighbours.of(count, Arrays.copyOf(begins, known), ends);
  }

  /** Whether it has the same objects with the same numbers as another one. */
  public boolean hasNumbersOf(ObjectGraph other) {
    return this == other
        || ((ids == other.ids || Arrays.equals(ids, other.ids)) && ranges.equals(other.ranges));
  }

  public static Builder builder() {
    return new Builder();
  }

  /** How many objects there are. */
  public int size() {
    return ids.length;
  }

  /** Kinds that have objects, sorted. */
  public List<ObjectKind> kinds() {
    return kinds;
  }

  /** How many objects there are of a kind. */
  public int count(ObjectKind kind) {
    Range range = range(kind);
    return range.to() - range.from();
  }

  /** Id of an object. */
  public int id(ObjectKind kind, int number) {
    return ids[range(kind).from() + number];
  }

  /** Ids of all objects of a kind. */
  int[] ids(ObjectKind kind) {
    Range range = range(kind);
    return Arrays.copyOfRange(ids, range.from(), range.to());
  }

  /** Name of an object. */
  public String name(ObjectKind kind, int number) {
    return names[range(kind).from() + number];
  }

  /** Number of an object within its kind; -1 = it is not of this kind. */
  public int number(ObjectKind kind, int id) {
    Integer index = indexes.get(id);
    Range range = range(kind);
    return index == null || index < range.from() || index >= range.to() ? -1 : index - range.from();
  }

  /** The kind of an object; null = there is none with this id. */
  public @Nullable ObjectKind kindOf(int id) {
    Integer index = indexes.get(id);
    if (index != null) {
      for (ObjectKind concrete : kinds) {
        Range range = range(concrete);
        if (index >= range.from() && index < range.to()) {
          return concrete;
        }
      }
    }
    return null;
  }

  /** The concrete kind of an object of a kind that may be {@code *}. */
  ObjectKind kindOf(ObjectKind kind, int number) {
    if (!kind.isEvery()) {
      return kind;
    }
    int index = range(kind).from() + number;
    for (ObjectKind concrete : kindsOf(kind)) {
      Range range = range(concrete);
      if (index >= range.from() && index < range.to()) {
        return concrete;
      }
    }
    throw new IllegalArgumentException("no object " + number + " of " + kind);
  }

  /**
   * Ids of the objects right above an object; none if there is no such object.
   *
   * @param most more are left out
   */
  public int[] parents(int id, int most) {
    return next(parents, id, most);
  }

  /**
   * Ids of the objects right below an object; none if there is no such object.
   *
   * @param most more are left out
   */
  public int[] children(int id, int most) {
    return next(children, id, most);
  }

  private int[] next(Neighbours neighbours, int id, int most) {
    Integer index = indexes.get(id);
    return index == null
        ? new int[0]
        : neighbours.of(index).limit(most).map(neighbour -> ids[neighbour]).toArray();
  }

  /** Concrete kinds in the order in which their objects are numbered in a {@code *}. */
  List<ObjectKind> kindsOf(ObjectKind kind) {
    return kind.isEvery()
        ? kinds.stream().filter(one -> one.adapterKind().equals(kind.adapterKind())).toList()
        : List.of(kind);
  }

  private Range range(ObjectKind kind) {
    return ranges.getOrDefault(kind, NOTHING);
  }

  /**
   * The one object of a name.
   *
   * @param wanted identifiers that tell objects of one name apart; empty = the name is unique
   * @return its number; -1 = there is none, or several
   */
  int find(ObjectKind kind, String name, Map<String, String> wanted) {
    int[] found = byName.computeIfAbsent(kind, this::names).getOrDefault(name, new int[0]);
    int match = -1;
    for (int number : found) {
      if (wanted.isEmpty() || identifiers.has(id(kind, number), wanted)) {
        if (match >= 0) {
          return -1;
        }
        match = number;
      }
    }
    return match;
  }

  private Map<String, int[]> names(ObjectKind kind) {
    Map<String, int[]> numbers = new HashMap<>();
    for (int i = 0; i < count(kind); i++) {
      int[] one = {i};
      numbers.merge(
          name(kind, i),
          one,
          (before, more) -> {
            int[] both = Arrays.copyOf(before, before.length + 1);
            both[before.length] = more[0];
            return both;
          });
    }
    return numbers;
  }

  /**
   * Objects of a kind at most so many levels away, each once however many ways lead to it.
   *
   * @param depth levels down, or up if negative; 0 = the object itself
   * @throws TooManyObjects if more relations would have to be followed than allowed
   */
  public Related related(ObjectKind from, ObjectKind to, int depth) {
    Way way = new Way(from, to, depth);
    Related known = related.get(way);
    if (known == null) {
      known = follow(way);
      related.put(way, known);
    }
    return known;
  }

  /**
   * The same for a formula.
   *
   * @param budget that it is counted to, if nobody has asked before
   */
  Related related(ObjectKind from, ObjectKind to, int depth, Budget budget) {
    Way way = new Way(from, to, depth);
    Related known = related.get(way);
    if (known == null) {
      known = follow(way, budget);
      related.put(way, known);
    }
    return known;
  }

  /**
   * As {@link #related}, of one object, nearest first; nothing is remembered.
   *
   * @param depth levels down, or up if negative; not 0
   */
  Near near(ObjectKind from, int number, ObjectKind to, int depth) {
    Neighbours next = depth > 0 ? children : parents;
    return next.near(range(from).from() + number, range(to), depth, mostSteps);
  }

  private Related follow(Way way) {
    return follow(way, Budget.unlimited());
  }

  private Related follow(Way way, Budget budget) {
    Range from = range(way.from());
    if (way.depth() == 0) {
      int rows = from.to() - from.from();
      int[] offsets = new int[rows + 1];
      Arrays.setAll(offsets, i -> i);
      int[] itself = new int[rows];
      Arrays.setAll(itself, i -> i);
      return new Related(offsets, itself);
    }
    Neighbours next = way.depth() > 0 ? children : parents;
    Related found = next.follow(from, range(way.to()), Math.abs(way.depth()), budget, mostSteps);
    if (found == null) {
      throw new TooManyObjects(
          "more than "
              + mostSteps
              + " relations lie between "
              + way.from()
              + " and "
              + way.to()
              + " at depth "
              + way.depth());
    }
    return found;
  }
}
