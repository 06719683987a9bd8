package io.peerlens.outlier.suggest;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierSuggestion;
import io.peerlens.api.model.OutlierSuggestionList;
import io.peerlens.frame.Frames;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.OutlierGroupStore;
import io.peerlens.scope.ScopeFlags;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Offers groups that do not exist yet. They are looked for at most once an hour, or when many
 * objects came; nothing is applied by itself. Thread-safe.
 */
public final class SuggestionService {

  private static final Duration EVERY = Duration.ofHours(1);
  private static final int MOST = 50;
  private static final int EXAMPLES = 12;

  private final SuggestionStore store;
  private final SuggestionFinder suggesting;
  private final OutlierGroupStore groups;
  private final Frames frames;
  private final ScopeFlags scopes;
  private final ObjectLookup objects;
  private final InstantSource clock;

  public SuggestionService(
      SuggestionStore store,
      SuggestionFinder suggesting,
      OutlierGroupStore groups,
      Frames frames,
      ScopeFlags scopes,
      ObjectLookup objects,
      InstantSource clock) {
    this.store = store;
    this.suggesting = suggesting;
    this.groups = groups;
    this.frames = frames;
    this.scopes = scopes;
    this.objects = objects;
    this.clock = clock;
  }

  /** Looks for groups if it is time to. */
  public void refresh() {
    Instant now = clock.instant();
    SuggestionStore.Run last = store.run();
    long count = store.objects();
    Instant at = last.at();
    boolean grown = Math.abs(count - last.objects()) > last.objects() / 10;
    if (at != null && at.plus(EVERY).isAfter(now) && !grown) {
      return;
    }
    List<SuggestionStore.Known> known = store.known();
    Set<UUID> taken = new HashSet<>();
    List<Suggestion> found = new ArrayList<>();
    for (Suggestion one : suggesting.find(now)) {
      // Found again, with nearly the same members, it is the same suggestion.
      UUID id =
          known.stream()
              .filter(before -> before.id().equals(one.id()) || one.isLike(before.members()))
              .filter(before -> !taken.contains(before.id()))
              .min(Comparator.comparing(before -> !before.id().equals(one.id())))
              .map(SuggestionStore.Known::id)
              .orElse(one.id());
      if (taken.add(id)) {
        found.add(one.withId(id));
      }
    }
    store.replace(found, new SuggestionStore.Run(now, count));
  }

  /** Those that no group covers by now. */
  OutlierSuggestionList list() {
    List<int[]> covered = covered();
    List<Suggestion> uncovered =
        store.all().stream().filter(one -> covered.stream().noneMatch(one::isCoveredBy)).toList();
    List<int[]> groups = new ArrayList<>(covered);
    uncovered.forEach(one -> groups.add(one.members()));
    List<Suggestion> open =
        uncovered.stream()
            .filter(one -> !one.isMixtureOf(groups))
            .filter(one -> uncovered.stream().noneMatch(one::isSaidBetterBy))
            .limit(MOST)
            .toList();
    Map<Integer, ObjectRef> names =
        objects.references(
            open.stream().flatMap(one -> Arrays.stream(one.members()).boxed()).distinct().toList());
    List<OutlierSuggestion> answers = new ArrayList<>();
    for (Suggestion one : open) {
      List<ObjectRef> members =
          Arrays.stream(one.members())
              .boxed()
              .flatMap(id -> Stream.ofNullable(names.get(id)))
              .sorted(Comparator.comparing(ObjectRef::getName))
              .toList();
      if (members.size() >= OutlierGroup.FEWEST_MEMBERS) {
        answers.add(
            new OutlierSuggestion(
                one.id(),
                one.kind(),
                one.reason(),
                members.size(),
                members.subList(0, Math.min(EXAMPLES, members.size())),
                one.correlation(),
                one.group()));
      }
    }
    return new OutlierSuggestionList(answers, store.run().at());
  }

  /** Hides one for good; false = it is not known. */
  boolean dismiss(UUID id, String by) {
    return store.dismiss(id, by, clock.instant());
  }

  /** Members of each group that exists, ascending. */
  private List<int[]> covered() {
    ObjectGraph graph = frames.objects();
    List<int[]> covered = new ArrayList<>();
    groups
        .byId()
        .values()
        .forEach(
            stored -> {
              OutlierGroup group = stored.rule();
              boolean[] flags = scopes.flags(group.scope(), group.kind(), graph);
              covered.add(
                  IntStream.range(0, graph.count(group.kind()))
                      .filter(number -> flags == null || flags[number])
                      .map(number -> graph.id(group.kind(), number))
                      .sorted()
                      .toArray());
            });
    return covered;
  }
}
