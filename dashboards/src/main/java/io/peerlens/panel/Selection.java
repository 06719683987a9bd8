package io.peerlens.panel;

import io.peerlens.api.model.PanelEmpty;
import io.peerlens.api.model.PanelEmptyReason;
import io.peerlens.api.model.PanelRulePart;
import io.peerlens.dashboard.file.Question;
import io.peerlens.dashboard.file.Select;
import io.peerlens.dashboard.file.Select.Direction;
import io.peerlens.dashboard.file.Select.Step;
import io.peerlens.dashboard.file.Select.Subject;
import io.peerlens.scope.Scope;
import io.peerlens.scope.ScopeCondition;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selection of the objects of a question. Relations are followed in memory; what is written on
 * objects is asked of the database, with one statement.
 */
final class Selection {

  /** The most objects that a question is about. */
  static final int MOST = 10_000;

  /** Relations of one object that are followed. */
  private static final int MOST_NEIGHBOURS = 1_000_000;

  private final PanelData data;
  private final PanelObjectQueries queries;
  private final ObjectGraph graph;
  private final VariableTexts texts;

  Selection(PanelData data, VariableTexts texts) {
    this.data = data;
    this.queries = data.objects();
    this.graph = data.graph();
    this.texts = texts;
  }

  ObjectGraph graph() {
    return graph;
  }

  /**
   * The subject of a panel, by its id within the database.
   *
   * @throws EmptyPanel if it has to be chosen, or is not there
   */
  int subject(Subject subject) {
    int[] found = subjects(subject);
    if (found.length == 0) {
      throw noMatch(
          subject instanceof Subject.Pinned pinned
              ? "There is not exactly one %s named \"%s\" here."
                  .formatted(pinned.kind().objectKind(), pinned.name())
              : "The object that $%s names is not here any more."
                  .formatted(((Subject.Variable) subject).name()),
          PanelRulePart.SUBJECT);
    }
    return found[0];
  }

  private int[] subjects(Subject subject) {
    return switch (subject) {
      case Subject.Variable variable -> {
        List<UUID> ids = new ArrayList<>();
        for (String one : texts.value(variable.name()).split(",", -1)) {
          try {
            ids.add(UUID.fromString(one.strip()));
          } catch (IllegalArgumentException e) {
            throw noMatch(
                "$%s is \"%s\", which is no object.".formatted(variable.name(), one),
                PanelRulePart.SUBJECT);
          }
        }
        yield queries.ids(ids);
      }
      case Subject.Pinned pinned ->
          queries.pinned(pinned.kind(), pinned.name(), pinned.identifiers()).stream()
              .mapToInt(Integer::intValue)
              .toArray();
    };
  }

  /**
   * The objects of a question, before its conditions on single objects.
   *
   * @param subject of the panel; null = it has none
   * @throws EmptyPanel if there are none
   */
  Selected select(Question question, @Nullable Subject subject) {
    Select select = question.select() == null ? Select.ALL : question.select();
    Select.From from = select.from();
    List<ObjectKind> kinds = question.kinds();
    Collection<ObjectKind> wanted = kinds.isEmpty() ? graph.kinds() : concrete(kinds);
    if (!kinds.isEmpty() && kinds.stream().allMatch(kind -> graph.count(kind) == 0)) {
      throw noKind(kinds);
    }
    Map<ObjectKind, int[]> found;
    if (from instanceof Select.From.All || (from == null && subject == null)) {
      found =
          select.paths().isEmpty()
              ? all(wanted)
              : walk(ids(all(graph.kinds())), select.paths(), wanted);
    } else {
      int[] start;
      if (from instanceof Select.From.Group group) {
        String name = texts.put(group.name());
        UUID id =
            queries
                .group(name)
                .orElseThrow(
                    () -> noMatch("There is no group \"" + name + "\" here.", PanelRulePart.GROUP));
        start = members(only(List.of(id)));
      } else if (subject != null) {
        start = subjects(subject);
        if (start.length == 0) {
          subject(subject); // says why
        }
      } else {
        throw noMatch("The panel has no subject.", PanelRulePart.SUBJECT);
      }
      found = select.paths().isEmpty() ? near(start, wanted) : walk(start, select.paths(), wanted);
    }
    int related = size(found);
    if (related == 0) {
      throw noMatch(
          "No %s is related to what is chosen.".formatted(names(kinds)), PanelRulePart.RELATIONS);
    }
    Select.Scope scope = select.scope();
    if (!scope.equals(Select.Scope.ALL)) {
      Scope wantedScope = scope(scope);
      found = keep(found, new HashSet<>(data.members(wantedScope)));
      if (size(found) == 0) {
        throw noMatch(
            "Of %,d %s none meets %s.".formatted(related, names(kinds), words(scope)),
            PanelRulePart.SCOPE,
            words(scope));
      }
    }
    int matched = size(found);
    return new Selected(matched > MOST ? first(found) : found, matched);
  }

  private static Map<ObjectKind, int[]> first(Map<ObjectKind, int[]> found) {
    Map<ObjectKind, int[]> some = new LinkedHashMap<>();
    int room = MOST;
    for (Map.Entry<ObjectKind, int[]> kind : found.entrySet()) {
      int count = Math.min(room, kind.getValue().length);
      if (count > 0) {
        some.put(kind.getKey(), Arrays.copyOf(kind.getValue(), count));
        room -= count;
      }
    }
    return some;
  }

  // ----------------------------------------------------------------------------------- relations

  private List<ObjectKind> concrete(List<ObjectKind> kinds) {
    return graph.kinds().stream()
        .filter(
            kind ->
                kinds.stream()
                    .anyMatch(
                        wanted ->
                            wanted.equals(kind)
                                || (wanted.isEvery()
                                    && wanted.adapterKind().equals(kind.adapterKind()))))
        .toList();
  }

  private Map<ObjectKind, int[]> all(Collection<ObjectKind> kinds) {
    Map<ObjectKind, int[]> all = new LinkedHashMap<>();
    for (ObjectKind kind : kinds) {
      int[] ids = new int[graph.count(kind)];
      Arrays.setAll(ids, number -> graph.id(kind, number));
      if (ids.length > 0) {
        all.put(kind, ids);
      }
    }
    return all;
  }

  /** The objects themselves if they are of the kinds, else what is below, else what is above. */
  private Map<ObjectKind, int[]> near(int[] start, Collection<ObjectKind> kinds) {
    for (Direction direction :
        List.of(Direction.SELF, Direction.DESCENDANTS, Direction.ANCESTORS)) {
      Map<ObjectKind, int[]> found = sorted(reach(start, new Step(direction, List.of(), 0)), kinds);
      if (!found.isEmpty()) {
        return found;
      }
    }
    return Map.of();
  }

  private Map<ObjectKind, int[]> walk(
      int[] start, List<List<Step>> paths, Collection<ObjectKind> kinds) {
    Set<Integer> reached = new HashSet<>();
    for (List<Step> path : paths) {
      int[] at = start;
      for (Step step : path) {
        at = reach(at, step);
      }
      Arrays.stream(at).forEach(reached::add);
    }
    return sorted(reached.stream().mapToInt(Integer::intValue).toArray(), kinds);
  }

  /** Objects that a step reaches, each once. */
  int[] reach(int[] start, Step step) {
    data.goOn();
    int most = step.depth() == 0 ? Integer.MAX_VALUE : step.depth();
    int[] reached =
        switch (step.to()) {
          case SELF -> start;
          case CHILDREN -> follow(start, true, 1);
          case PARENTS -> follow(start, false, 1);
          case DESCENDANTS -> follow(start, true, most);
          case ANCESTORS -> follow(start, false, most);
        };
    if (step.kinds().isEmpty()) {
      return reached;
    }
    List<ObjectKind> kinds = concrete(step.kinds());
    return Arrays.stream(reached)
        .filter(id -> kinds.stream().anyMatch(kind -> graph.number(kind, id) >= 0))
        .toArray();
  }

  private int[] follow(int[] start, boolean down, int levels) {
    if (start.length == 1 && levels == 1) {
      int[] near =
          down
              ? graph.children(start[0], MOST_NEIGHBOURS)
              : graph.parents(start[0], MOST_NEIGHBOURS);
      return Arrays.stream(near).distinct().sorted().toArray();
    }
    BitSet seen = new BitSet();
    BitSet found = new BitSet();
    int[] at = start;
    for (int level = 0; level < levels && at.length > 0; level++) {
      BitSet next = new BitSet();
      for (int id : at) {
        int[] near =
            down ? graph.children(id, MOST_NEIGHBOURS) : graph.parents(id, MOST_NEIGHBOURS);
        for (int one : near) {
          if (!seen.get(one)) {
            seen.set(one);
            next.set(one);
          }
        }
      }
      found.or(next);
      at = next.stream().toArray();
    }
    return found.stream().toArray();
  }

  private Map<ObjectKind, int[]> sorted(int[] ids, Collection<ObjectKind> kinds) {
    Map<ObjectKind, int[]> sorted = new LinkedHashMap<>();
    for (ObjectKind kind : kinds) {
      int[] of =
          Arrays.stream(ids)
              .filter(id -> graph.number(kind, id) >= 0)
              .distinct()
              .sorted()
              .toArray();
      if (of.length > 0) {
        sorted.put(kind, of);
      }
    }
    return sorted;
  }

  private static Map<ObjectKind, int[]> keep(Map<ObjectKind, int[]> found, Set<Integer> members) {
    Map<ObjectKind, int[]> kept = new LinkedHashMap<>();
    found.forEach(
        (kind, ids) -> {
          int[] of = Arrays.stream(ids).filter(members::contains).toArray();
          if (of.length > 0) {
            kept.put(kind, of);
          }
        });
    return kept;
  }

  private static int[] ids(Map<ObjectKind, int[]> found) {
    return found.values().stream().flatMapToInt(Arrays::stream).toArray();
  }

  private static int size(Map<ObjectKind, int[]> found) {
    return found.values().stream().mapToInt(ids -> ids.length).sum();
  }

  // --------------------------------------------------------------------------------------- scopes

  private int[] members(ScopeCondition condition) {
    return data.members(new Scope(condition, List.of())).stream()
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static ScopeCondition only(List<UUID> groups) {
    return new ScopeCondition(List.of(), groups, List.of(), List.of(), null, List.of(), List.of());
  }

  private Scope scope(Select.Scope scope) {
    return new Scope(condition(scope), scope.exclude().stream().map(this::condition).toList());
  }

  private ScopeCondition condition(Select.Scope scope) {
    List<UUID> groups = new ArrayList<>();
    for (String group : scope.groups()) {
      String name = texts.put(group);
      groups.add(
          queries
              .group(name)
              .orElseThrow(
                  () -> noMatch("There is no group \"" + name + "\" here.", PanelRulePart.GROUP)));
    }
    List<UUID> ancestors = new ArrayList<>();
    for (Subject ancestor : scope.ancestors()) {
      int[] ids = subjects(ancestor);
      if (ids.length == 0) {
        subject(ancestor); // says why
      }
      queries.references(ids).values().forEach(reference -> ancestors.add(reference.getId()));
    }
    String name = scope.name();
    return new ScopeCondition(
        List.of(),
        groups,
        scope.tags().stream().map(texts::put).toList(),
        scope.properties().stream().map(texts::put).toList(),
        name == null ? null : texts.put(name),
        ancestors,
        List.of());
  }

  private String words(Select.Scope scope) {
    List<String> parts = new ArrayList<>();
    if (scope.name() != null) {
      parts.add("the name " + texts.show(scope.name()));
    }
    scope.tags().forEach(tag -> parts.add("the tag " + texts.show(tag)));
    scope.properties().forEach(property -> parts.add("the property " + texts.show(property)));
    scope.groups().forEach(group -> parts.add("the group " + texts.show(group)));
    if (!scope.ancestors().isEmpty()) {
      parts.add("the place");
    }
    if (!scope.exclude().isEmpty()) {
      parts.add("what is excluded");
    }
    return String.join(" and ", parts);
  }

  // ----------------------------------------------------------------------------------- empty ones

  static EmptyPanel noMatch(String text, PanelRulePart part) {
    return new EmptyPanel(
        new PanelEmpty(PanelEmptyReason.NO_MATCH, "No object matches", text).part(part), 0);
  }

  /**
   * The same with the condition that no object meets.
   *
   * @param condition as people say it
   */
  static EmptyPanel noMatch(String text, PanelRulePart part, String condition) {
    EmptyPanel empty = noMatch(text, part);
    empty.empty().setCondition(condition);
    return empty;
  }

  private static EmptyPanel noKind(List<ObjectKind> kinds) {
    String source = KeySources.ofKind(kinds.getFirst());
    PanelEmpty empty =
        new PanelEmpty(
            PanelEmptyReason.NO_KIND,
            "No object of this kind is known",
            "Nothing here is of the kind %s%s."
                .formatted(
                    kinds.stream().map(ObjectKind::toString).collect(Collectors.joining(" or ")),
                    source == null ? "" : "; " + KeySources.words(source) + " has them"));
    if (source != null) {
      empty.setSource(source);
    }
    return new EmptyPanel(empty, 0);
  }

  private static String names(List<ObjectKind> kinds) {
    return kinds.size() == 1 ? kinds.getFirst().objectKind() + " objects" : "objects";
  }
}
