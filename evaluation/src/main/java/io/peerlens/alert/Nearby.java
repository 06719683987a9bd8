package io.peerlens.alert;

import io.peerlens.alert.Around.Beside;
import io.peerlens.alert.Around.Relation;
import io.peerlens.alert.NearbyQueries.Found;
import io.peerlens.alert.NearbyQueries.Window;
import io.peerlens.learning.UnusualPeriodStore;
import io.peerlens.learning.UnusualPeriodStore.Unusual;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.threshold.Symptom;
import io.peerlens.threshold.Symptoms;
import io.peerlens.threshold.Threshold;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Surroundings of the alerts that a tick opens or changes: symptoms of this moment that the shard
 * has in memory, and by one query for all alerts those that other shards have stored and what was
 * recently changed.
 */
final class Nearby {

  /** Changes are looked for so long before the first sample that violated. */
  private static final Duration BEFORE = Duration.ofHours(1);

  /**
   * Whoever is switched off or loses its network has sent a sample shortly before; so long after
   * the last sample of a silent object changes are looked for.
   */
  private static final Duration AFTER_LAST_SAMPLE = Duration.ofMinutes(5);

  /** So many are shown. */
  private static final int SHOWN = 5;

  /** So many objects right above an object are looked at, and as many right below. */
  private static final int MOST_NEIGHBOURS = 200;

  /** For so many objects it is asked; there are more only when everything breaks at once. */
  private static final int MOST_ASKED = 20_000;

  private static final String NO_DATA = "no-data";

  private static final Comparator<Beside> WORST_FIRST =
      Comparator.comparing((Beside one) -> one.symptom().severity(), Comparator.reverseOrder())
          .thenComparing(Beside::relation)
          .thenComparing(one -> one.symptom().unknown())
          .thenComparing(one -> one.symptom().since(), Comparator.reverseOrder())
          .thenComparing(one -> one.symptom().threshold())
          .thenComparing(one -> one.symptom().object())
          .thenComparing(one -> one.symptom().instance());

  /** What carries an anomaly score is known from so long before the score first violated. */
  private static final Duration CARRIED = Duration.ofHours(1);

  private final NearbyQueries queries;
  private final UnusualPeriodStore periods;

  Nearby(NearbyQueries queries, UnusualPeriodStore periods) {
    this.queries = queries;
    this.periods = periods;
  }

  /**
   * What else goes on, by id of the alert.
   *
   * @param explained with what fires now
   * @param thresholds those of the shard
   */
  Map<UUID, Around> of(
      List<Transition> explained,
      ObjectGraph graph,
      Symptoms symptoms,
      Map<UUID, Threshold> thresholds) {
    if (explained.isEmpty()) {
      return Map.of();
    }
    Map<UUID, Map<Integer, Relation>> near = new HashMap<>();
    Set<Integer> objects = new HashSet<>();
    Set<Window> windows = new LinkedHashSet<>();
    for (Transition transition : explained) {
      AlertState alert = transition.after();
      Map<Integer, Relation> neighbours = neighbours(alert.key().objectId(), graph);
      near.put(alert.id(), neighbours);
      objects.addAll(neighbours.keySet());
      for (int object : neighbours.keySet()) {
        if (windows.size() < MOST_ASKED) {
          windows.add(new Window(object, alert.since().minus(BEFORE), latest(transition)));
        }
      }
    }
    Map<Integer, List<Symptom>> mine = symptoms.on(objects);
    Found stored = queries.of(windows, thresholds.keySet());
    Map<UUID, Around> around = new HashMap<>();
    for (Transition transition : explained) {
      UUID id = transition.after().id();
      around.put(id, around(transition, near.getOrDefault(id, Map.of()), mine, stored, thresholds));
    }
    addCarriers(explained, around);
    return around;
  }

  /** Where the worst member is an anomaly score, the metrics that carry it. */
  private void addCarriers(List<Transition> explained, Map<UUID, Around> around) {
    Map<UUID, Integer> scored = new HashMap<>();
    Instant after = Instant.MAX;
    for (Transition transition : explained) {
      Finding finding = transition.finding();
      if (finding != null
          && !finding.members().isEmpty()
          && finding.members().getFirst().key().equals(UnusualPeriodStore.SCORE_KEY)) {
        scored.put(transition.after().id(), finding.members().getFirst().objectId());
        Instant since = transition.after().since().minus(CARRIED);
        after = since.isBefore(after) ? since : after;
      }
    }
    if (scored.isEmpty()) {
      return;
    }
    Map<Integer, Unusual> newest = periods.newest(new HashSet<>(scored.values()), after);
    scored.forEach(
        (alert, object) -> {
          Unusual unusual = newest.get(object);
          if (unusual != null) {
            around.computeIfPresent(alert, (id, of) -> of.carriedBy(unusual.carriers()));
          }
        });
  }

  /** The object itself, those right above it, and those right below it. */
  private static Map<Integer, Relation> neighbours(int object, ObjectGraph graph) {
    Map<Integer, Relation> near = new LinkedHashMap<>();
    near.put(object, Relation.SELF);
    for (int parent : graph.parents(object, MOST_NEIGHBOURS)) {
      near.putIfAbsent(parent, Relation.PARENT);
    }
    for (int child : graph.children(object, MOST_NEIGHBOURS)) {
      near.putIfAbsent(child, Relation.CHILD);
    }
    return near;
  }

  private static Around around(
      Transition transition,
      Map<Integer, Relation> near,
      Map<Integer, List<Symptom>> mine,
      Found stored,
      Map<UUID, Threshold> thresholds) {
    Set<Member.Key> members = new HashSet<>();
    Finding finding = transition.finding();
    if (finding != null) {
      finding.members().forEach(member -> members.add(member.identity()));
    }
    List<Beside> symptoms = new ArrayList<>();
    List<StoredChange> changes = new ArrayList<>();
    near.forEach(
        (object, relation) -> {
          for (Symptom symptom : mine.getOrDefault(object, List.of())) {
            Threshold threshold = thresholds.get(symptom.threshold());
            if (threshold != null) {
              symptoms.add(new Beside(relation, StoredMember.of(Members.of(threshold, symptom))));
            }
          }
          for (StoredMember symptom : stored.symptoms().getOrDefault(object, List.of())) {
            symptoms.add(new Beside(relation, symptom));
          }
          for (StoredChange change : stored.changes().getOrDefault(object, Set.of())) {
            if (isBefore(change, transition)) {
              changes.add(change);
            }
          }
        });
    symptoms.removeIf(one -> members.contains(one.symptom().identity()));
    symptoms.sort(WORST_FIRST);
    changes.sort(Comparator.comparing(StoredChange::time).reversed());
    return new Around(
        symptoms.size(),
        symptoms.stream().limit(SHOWN).toList(),
        changes.size(),
        changes.stream().limit(SHOWN).toList());
  }

  /** When a change may have been made at the latest to be a cause. */
  private static Instant latest(Transition transition) {
    Finding finding = transition.finding();
    boolean silent =
        finding != null
            && !finding.members().isEmpty()
            && finding.members().stream().allMatch(member -> member.operator().equals(NO_DATA));
    Instant since = transition.after().since();
    return silent ? since.plus(AFTER_LAST_SAMPLE) : since;
  }

  /** Another alert may have asked for another time. */
  private static boolean isBefore(StoredChange change, Transition transition) {
    return !change.time().isAfter(latest(transition))
        && !change.time().isBefore(transition.after().since().minus(BEFORE));
  }
}
