package io.peerlens.scope;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Cache of the objects that scopes hold. An answer is kept for {@code peerlens.scopes.age}, since
 * finding it asks the database, and comes as one flag for each object, so that a rule costs nothing
 * more for being about some objects only. Thread-safe.
 */
public final class Scopes implements ScopeFlags {

  private record Asked(Scope scope, ObjectKind kind) {}

  /**
   * An answer.
   *
   * @param flags nobody changes them
   */
  private record Answer(
      int[] ids, boolean[] flags, WeakReference<ObjectGraph> graph, Instant at, Instant used) {}

  /** An answer that nobody asked for during this time is forgotten, however short its age is. */
  private static final Duration KEPT_UNUSED = Duration.ofMinutes(1);

  private final ScopeQueries queries;
  private final InstantSource clock;
  private final Duration age;
  private final Map<Asked, Answer> answers = new ConcurrentHashMap<>();

  Scopes(ScopeQueries queries, InstantSource clock, Duration age) {
    this.queries = queries;
    this.clock = clock;
    this.age = age;
  }

  @Override
  public boolean @Nullable [] flags(Scope scope, ObjectKind kind, ObjectGraph graph) {
    boolean all = scope.exclude().stream().noneMatch(condition -> condition.isAbout(kind));
    if (!scope.only().isAbout(kind)) {
      return new boolean[graph.count(kind)];
    }
    if (all && scope.only().isUnconditional()) {
      return null;
    }
    Instant now = clock.instant();
    forgetUnused(now);
    return answers
        .compute(new Asked(scope, kind), (asked, known) -> answer(scope, kind, graph, now, known))
        .flags();
  }

  /** Those of some objects that are in a scope now; asks the database. */
  public Set<UUID> holding(Scope scope, Collection<UUID> objects) {
    return objects.isEmpty() ? Set.of() : queries.holding(scope, objects);
  }

  /** Ids within the database of all objects in a scope now; asks the database. */
  public Set<Integer> members(Scope scope) {
    return queries.members(scope);
  }

  /** Groups that a scope names and that do not exist, one by one. */
  public List<UUID> unknownGroups(Scope scope) {
    Set<UUID> known = queries.groups();
    return scope.groups().stream().filter(group -> !known.contains(group)).toList();
  }

  /**
   * The first group that a scope names, itself or through other groups, and that is not there or
   * cannot be read, so that nobody knows whom the scope holds; null = none.
   */
  public @Nullable UUID missingGroup(Scope scope) {
    return scope.groups().isEmpty() ? null : queries.missingGroup(scope);
  }

  private Answer answer(
      Scope scope, ObjectKind kind, ObjectGraph graph, Instant now, @Nullable Answer known) {
    boolean old = known == null || known.at().plus(age).isBefore(now);
    if (known != null && !old && known.graph().get() == graph) {
      return new Answer(known.ids(), known.flags(), known.graph(), known.at(), now);
    }
    int[] ids = known == null || old ? queries.matching(scope, kind) : known.ids();
    boolean[] flags = new boolean[graph.count(kind)];
    for (int id : ids) {
      int number = graph.number(kind, id);
      if (number >= 0) {
        flags[number] = true;
      }
    }
    boolean same = known != null && Arrays.equals(known.flags(), flags);
    return new Answer(
        ids,
        same && known != null ? known.flags() : flags,
        new WeakReference<>(graph),
        old || known == null ? now : known.at(),
        now);
  }

  private void forgetUnused(Instant now) {
    Duration unused = age.multipliedBy(10);
    Instant oldest = now.minus(unused.compareTo(KEPT_UNUSED) > 0 ? unused : KEPT_UNUSED);
    answers.values().removeIf(answer -> answer.used().isBefore(oldest));
  }
}
