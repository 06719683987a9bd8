package io.peerlens.incident;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Root cause analysis: which open alert explains which others. A cause is at least as severe as
 * what it explains, did not begin after it, and is related to it in place and kind: the memory of a
 * host and the ballooning, swapping and waiting of its machines, a datastore and the disk waits of
 * the machines that use it. What sums up members is a consequence of theirs and never a cause. An
 * object that sends nothing is explained by its silent host or by the network of its host alone.
 *
 * <p>The answer depends on the alerts and the topology only, not on their order. It takes time in
 * proportion to the alerts, times the alerts of what each depends on.
 */
final class CauseJudge {

  /** An incident has so many alerts, or alerts of so many objects. */
  private static final int ALERTS = 3;

  private static final int OBJECTS = 2;

  /** So many hosts do not fall silent at once by themselves. */
  private static final int HOSTS = 3;

  /** Alerts without a cause that begin within this time of the first may have one in common. */
  static final Duration TOGETHER = Duration.ofMinutes(10);

  private static final Duration STEP = Duration.ofMinutes(30);

  /** Which part of the alerts of the same rules lies elsewhere at most. */
  private static final double ELSEWHERE = 0.2;

  private static final String OWN_COUNTS = "System Attributes|";

  private static final Comparator<OpenAlert> WORST_FIRST =
      Comparator.comparingInt((OpenAlert one) -> -one.severity())
          .thenComparing(OpenAlert::since)
          .thenComparingLong(OpenAlert::number);

  private final Topology topology;
  private final Duration tolerance;

  /**
   * @param tolerance how much later than what it explains a cause may have begun: the time between
   *     two samples
   */
  CauseJudge(Topology topology, Duration tolerance) {
    this.topology = topology;
    this.tolerance = tolerance;
  }

  /** An alert that may explain another, and how well it fits. */
  private record Candidate(OpenAlert alert, int fit) {}

  /** Incidents among open alerts, the worst first; alerts that stand alone are in none. */
  List<CauseJudgement> judge(Collection<OpenAlert> open) {
    List<OpenAlert> alerts = open.stream().sorted(WORST_FIRST).toList();
    Map<Integer, List<OpenAlert>> byObject =
        alerts.stream().collect(Collectors.groupingBy(OpenAlert::object));
    Map<Integer, List<OpenAlert>> busyByHost = busyByHost(alerts);
    Set<UUID> away = silentTogether(alerts);
    Map<UUID, OpenAlert> causeOf = new HashMap<>();
    for (OpenAlert one : alerts) {
      OpenAlert cause = isSum(one) ? null : cause(one, byObject, busyByHost, away);
      if (cause != null) {
        causeOf.put(one.id(), cause);
      }
    }
    Map<UUID, List<OpenAlert>> groups = new LinkedHashMap<>();
    for (OpenAlert one : alerts) {
      OpenAlert root = root(one, causeOf);
      if (root != one) {
        groups.computeIfAbsent(root.id(), id -> new ArrayList<>(List.of(root))).add(one);
      }
    }
    for (OpenAlert sum : alerts.stream().filter(this::isSum).toList()) {
      List<OpenAlert> group = explained(sum, alerts, causeOf.keySet(), groups);
      if (group != null) {
        group.add(sum);
      }
    }
    List<CauseJudgement> judged = new ArrayList<>();
    Set<UUID> taken = new HashSet<>();
    for (List<OpenAlert> group : groups.values()) {
      if (isIncident(group)) {
        group.forEach(one -> taken.add(one.id()));
        judged.add(judgement(group, alerts));
      }
    }
    judged.addAll(inCommon(alerts.stream().filter(one -> !taken.contains(one.id())).toList()));
    judged.sort(
        Comparator.comparing((CauseJudgement one) -> one.alerts().getFirst(), WORST_FIRST)
            .thenComparingInt(one -> -one.effects().size()));
    return judged;
  }

  /**
   * Whether an alert sums up others: all its symptoms are those of other objects, or its object is
   * a container whose metric comes from what lies in it.
   */
  boolean isSum(OpenAlert alert) {
    boolean ofOthers = !alert.members().isEmpty() && !alert.members().contains(alert.object());
    return ofOthers
        || (topology.isContainer(alert.object())
            && (alert.resource() == Resource.CPU
                || alert.resource() == Resource.CPU_WAIT
                || alert.resource() == Resource.MEMORY
                || alert.resource() == Resource.NETWORK
                || alert.resource() == Resource.OTHER));
  }

  /** Machines that use much CPU, by their host. */
  private Map<Integer, List<OpenAlert>> busyByHost(List<OpenAlert> alerts) {
    Map<Integer, List<OpenAlert>> busy = new HashMap<>();
    for (OpenAlert one : alerts) {
      Integer host = one.resource() == Resource.CPU && !isSum(one) ? hostOf(one) : null;
      if (host != null) {
        busy.computeIfAbsent(host, id -> new ArrayList<>()).add(one);
      }
    }
    return busy;
  }

  /** The host that a machine runs on; null for what is no machine. */
  private @Nullable Integer hostOf(OpenAlert alert) {
    return topology.kind(alert.object()).equals("VirtualMachine")
        ? topology.host(alert.object())
        : null;
  }

  /**
   * Alerts of hosts of one place that went silent at the same time: what hears of them is away, as
   * a vCenter or a collector, and none of them is the cause of anything.
   */
  private Set<UUID> silentTogether(List<OpenAlert> alerts) {
    Map<Integer, List<OpenAlert>> byPlace = new HashMap<>();
    for (OpenAlert one : alerts) {
      Integer place =
          one.resource() == Resource.SILENCE
                  && topology.kind(one.object()).equals("HostSystem")
                  && !isSum(one)
              ? container(one)
              : null;
      if (place != null) {
        byPlace.computeIfAbsent(place, id -> new ArrayList<>()).add(one);
      }
    }
    Set<UUID> away = new HashSet<>();
    for (List<OpenAlert> hosts : byPlace.values()) {
      for (List<OpenAlert> some : runs(hosts, tolerance)) {
        if (some.stream().mapToInt(OpenAlert::object).distinct().count() >= HOSTS) {
          some.forEach(one -> away.add(one.id()));
        }
      }
    }
    return away;
  }

  /** Alerts by time, parted where the next began more than {@code apart} after the last. */
  private static List<List<OpenAlert>> runs(List<OpenAlert> alerts, Duration apart) {
    List<OpenAlert> byTime =
        alerts.stream().sorted(Comparator.comparing(OpenAlert::since)).toList();
    List<List<OpenAlert>> runs = new ArrayList<>();
    int from = 0;
    for (int to = 1; to <= byTime.size(); to++) {
      if (to == byTime.size()
          || byTime.get(to).since().isAfter(byTime.get(to - 1).since().plus(apart))) {
        runs.add(byTime.subList(from, to));
        from = to;
      }
    }
    return runs;
  }

  private @Nullable OpenAlert cause(
      OpenAlert one,
      Map<Integer, List<OpenAlert>> byObject,
      Map<Integer, List<OpenAlert>> busyByHost,
      Set<UUID> away) {
    List<Candidate> candidates = new ArrayList<>();
    for (OpenAlert other : byObject.getOrDefault(one.object(), List.of())) {
      int fit = onSameObject(other, one);
      if (fit > 0 && WORST_FIRST.compare(other, one) < 0) {
        candidates.add(new Candidate(other, fit));
      }
    }
    topology
        .dependsOn(one.object())
        .forEach(
            (above, steps) -> {
              for (OpenAlert other : byObject.getOrDefault(above, List.of())) {
                if (other.resource().leadsTo(one.resource()) && !away.contains(other.id())) {
                  candidates.add(new Candidate(other, fit(other, one)));
                }
              }
            });
    if (one.resource() == Resource.CPU_WAIT && hostOf(one) != null) {
      for (OpenAlert other : busyByHost.getOrDefault(hostOf(one), List.of())) {
        if (other.object() != one.object()) {
          candidates.add(new Candidate(other, 3));
        }
      }
    }
    return candidates.stream()
        .filter(candidate -> mayExplain(candidate.alert(), one))
        .min(
            Comparator.comparingInt((Candidate candidate) -> -candidate.fit())
                .thenComparing(Candidate::alert, WORST_FIRST))
        .map(Candidate::alert)
        .orElse(null);
  }

  private boolean mayExplain(OpenAlert cause, OpenAlert effect) {
    return cause.severity() >= effect.severity()
        && !isSum(cause)
        && !cause.since().isAfter(effect.since().plus(tolerance));
  }

  /** 0 = it does not explain it. */
  private static int onSameObject(OpenAlert cause, OpenAlert effect) {
    if (cause.resource() == Resource.SILENCE || effect.resource() == Resource.SILENCE) {
      return 0;
    }
    if (effect.key().startsWith(OWN_COUNTS)) {
      return cause.key().startsWith(OWN_COUNTS) ? 0 : 1;
    }
    if (cause.resource() == effect.resource()) {
      boolean same = cause.resource() != Resource.OTHER || cause.key().equals(effect.key());
      return same ? 2 : 0;
    }
    // On one object a worse trouble speaks for the milder one that leads to it, too.
    return cause.resource().leadsTo(effect.resource())
            || effect.resource().leadsTo(cause.resource())
        ? 2
        : 0;
  }

  /** A datastore fits disk waits better than a host that swaps, and so on. */
  private int fit(OpenAlert cause, OpenAlert effect) {
    if (cause.resource() == effect.resource()) {
      return topology.kind(cause.object()).equals(Topology.DATASTORE) ? 5 : 4;
    }
    return cause.resource() == Resource.CPU ? 4 : 3;
  }

  private static OpenAlert root(OpenAlert one, Map<UUID, OpenAlert> causeOf) {
    OpenAlert root = one;
    Set<UUID> passed = new HashSet<>();
    for (OpenAlert next = causeOf.get(root.id());
        next != null && passed.add(root.id());
        next = causeOf.get(root.id())) {
      root = next;
    }
    return root;
  }

  /**
   * The group that a sum follows from: one with the most alerts below its object, the cause of
   * which is at least as severe. An alert that stands alone below it makes one too.
   *
   * @param effects alerts that another explains: they are in a group already
   * @return null = it stands alone
   */
  private @Nullable List<OpenAlert> explained(
      OpenAlert sum, List<OpenAlert> alerts, Set<UUID> effects, Map<UUID, List<OpenAlert>> groups) {
    List<OpenAlert> best = null;
    long most = 0;
    for (List<OpenAlert> group : groups.values()) {
      OpenAlert cause = group.getFirst();
      long below =
          cause.severity() >= sum.severity() && !cause.since().isAfter(sum.since().plus(tolerance))
              ? group.stream().filter(one -> isPartOf(one, sum)).count()
              : 0;
      if (below > most) {
        best = group;
        most = below;
      }
    }
    if (best != null) {
      return best;
    }
    for (OpenAlert one : alerts) {
      if (!groups.containsKey(one.id())
          && !effects.contains(one.id())
          && !isSum(one)
          && isPartOf(one, sum)
          && mayExplain(one, sum)) {
        List<OpenAlert> group = new ArrayList<>(List.of(one));
        groups.put(one.id(), group);
        return group;
      }
    }
    return null;
  }

  /** Whether an alert is one of those that a sum adds up. */
  private boolean isPartOf(OpenAlert one, OpenAlert sum) {
    boolean kind =
        one.resource() == sum.resource()
            || one.resource().leadsTo(sum.resource())
            || sum.resource() == Resource.OTHER;
    return kind
        && one.resource() != Resource.SILENCE
        && (sum.members().contains(one.object())
            || one.object() == sum.object()
            || topology.isAbove(sum.object(), one.object()));
  }

  private static boolean isIncident(List<OpenAlert> alerts) {
    return alerts.size() >= ALERTS
        || alerts.stream().mapToInt(OpenAlert::object).distinct().count() >= OBJECTS;
  }

  private CauseJudgement judgement(List<OpenAlert> group, List<OpenAlert> all) {
    OpenAlert cause = group.getFirst();
    List<OpenAlert> effects = group.subList(1, group.size()).stream().sorted(WORST_FIRST).toList();
    EnumSet<CauseJudgement.Sign> signs = EnumSet.of(CauseJudgement.Sign.FITS);
    Instant first = effects.stream().map(OpenAlert::since).min(Comparator.naturalOrder()).get();
    if (!cause.since().isAfter(first)) {
      signs.add(CauseJudgement.Sign.BEFORE);
    }
    Instant late = cause.since().plus(STEP);
    if (effects.stream().filter(one -> !one.since().isAfter(late)).count() * 2 > effects.size()) {
      signs.add(CauseJudgement.Sign.IN_STEP);
    }
    Set<UUID> rules = effects.stream().map(OpenAlert::definition).collect(Collectors.toSet());
    long same = all.stream().filter(one -> rules.contains(one.definition())).count();
    if (same - effects.size() <= ELSEWHERE * same) {
      signs.add(CauseJudgement.Sign.ONLY_HERE);
    }
    if (effects.stream().mapToInt(OpenAlert::object).distinct().count() >= ALERTS) {
      signs.add(CauseJudgement.Sign.SPREAD);
    }
    return new CauseJudgement(cause, null, effects, signs);
  }

  /**
   * Alerts of one rule, or of silent objects whatever their rule, that began together in one place,
   * without an alert that explains them: the smallest place that holds three of them, where the
   * rest lies there too.
   */
  private List<CauseJudgement> inCommon(List<OpenAlert> alone) {
    record Place(@Nullable UUID definition, @Nullable Integer container) {}
    Map<Place, List<OpenAlert>> together = new LinkedHashMap<>();
    for (OpenAlert one : alone) {
      together
          .computeIfAbsent(
              new Place(
                  one.resource() == Resource.SILENCE ? null : one.definition(), container(one)),
              place -> new ArrayList<>())
          .add(one);
    }
    List<CauseJudgement> judged = new ArrayList<>();
    together.forEach(
        (place, all) -> {
          for (List<OpenAlert> some : runs(all, TOGETHER)) {
            if (some.size() >= ALERTS && place.container() != null) {
              judged.add(
                  new CauseJudgement(
                      null,
                      place.container(),
                      some.stream().sorted(WORST_FIRST).toList(),
                      Set.of()));
            }
          }
        });
    return judged;
  }

  /** What an object lies in: what is silent together shares the outermost, all else the next. */
  private @Nullable Integer container(OpenAlert one) {
    Map<Integer, Integer> above = topology.dependsOn(one.object());
    Comparator<Map.Entry<Integer, Integer>> near = Map.Entry.comparingByValue();
    Comparator<Map.Entry<Integer, Integer>> wanted =
        one.resource() == Resource.SILENCE ? near.reversed() : near;
    return above.entrySet().stream()
        .filter(entry -> topology.isPlace(entry.getKey()))
        .min(wanted.thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .orElse(null);
  }
}
