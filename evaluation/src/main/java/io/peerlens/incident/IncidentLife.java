package io.peerlens.incident;

import io.peerlens.incident.IncidentState.End;
import io.peerlens.incident.IncidentState.Kind;
import io.peerlens.incident.IncidentState.Member;
import io.peerlens.incident.IncidentState.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Life of incidents: which begins, which alerts join, leave or move, which is over. It looks at
 * nothing but its arguments, so the same alerts at the same moments give the same incidents,
 * whichever process asks.
 *
 * <p>An alert stays where it is while the cause of its incident is open, whatever else might
 * explain it by now; it moves with that cause when something deeper explains both. Without an open
 * cause it moves to an incident that explains it, unless somebody put it where it is.
 */
final class IncidentLife {

  /** An incident is over when none of its alerts was open for this long. */
  static final Duration QUIET = Duration.ofMinutes(10);

  /** What is still open so long after the cause was over leaves. */
  static final Duration LEFT_OVER = Duration.ofMinutes(30);

  private static final int ALERTS = 3;
  private static final int OBJECTS = 2;

  private static final List<String> SEVERITIES =
      List.of("information", "warning", "immediate", "critical");

  private final Function<CauseJudgement, IncidentTitle> titles;
  private final Function<CauseJudgement, @Nullable Integer> places;
  private final Function<Instant, UUID> ids;

  /**
   * A life.
   *
   * @param titles of what was judged
   * @param places object of the cause, or what all alerts lie in
   * @param ids new ids
   */
  IncidentLife(
      Function<CauseJudgement, IncidentTitle> titles,
      Function<CauseJudgement, @Nullable Integer> places,
      Function<Instant, UUID> ids) {
    this.titles = titles;
    this.places = places;
    this.ids = ids;
  }

  /**
   * Goes on to a moment.
   *
   * @param stored incidents that are open; changed in place
   * @param judged what belongs together now, the worst first
   * @return new incidents
   */
  List<IncidentState> next(
      Collection<IncidentState> stored, List<CauseJudgement> judged, Instant now) {
    List<IncidentState> all = new ArrayList<>(stored);
    Map<UUID, IncidentState> homes = new HashMap<>();
    all.forEach(one -> one.members.keySet().forEach(alert -> homes.put(alert, one)));
    Map<CauseJudgement, IncidentState> matched = match(judged, all, homes);
    List<IncidentState> begun = new ArrayList<>();
    Set<IncidentState> known = java.util.Collections.newSetFromMap(new IdentityHashMap<>());
    known.addAll(matched.values());
    for (CauseJudgement one : judged) {
      IncidentState incident = matched.get(one);
      if (incident == null) {
        incident = begin(one, homes, now);
        if (incident == null) {
          continue;
        }
        begun.add(incident);
        known.add(incident);
      }
      gather(incident, one, homes, known, now);
      explain(incident, one, now);
    }
    all.addAll(begun);
    all.stream().filter(IncidentState::isOpen).forEach(one -> settle(one, now));
    return begun;
  }

  /** Which incident goes on with which judgement: that of the same cause, else most in common. */
  private static Map<CauseJudgement, IncidentState> match(
      List<CauseJudgement> judged, List<IncidentState> all, Map<UUID, IncidentState> homes) {
    Map<CauseJudgement, IncidentState> matched = new IdentityHashMap<>();
    Set<IncidentState> taken = java.util.Collections.newSetFromMap(new IdentityHashMap<>());
    for (CauseJudgement one : judged) {
      OpenAlert cause = one.cause();
      if (cause != null) {
        IncidentState same = homes.get(cause.id());
        if (same != null && same.isCause(cause.id()) && taken.add(same)) {
          matched.put(one, same);
        }
      }
    }
    for (CauseJudgement one : judged) {
      if (!matched.containsKey(one)) {
        Map<IncidentState, Integer> shared = new IdentityHashMap<>();
        one.alerts()
            .forEach(
                alert -> {
                  IncidentState home = homes.get(alert.id());
                  if (home != null && !taken.contains(home)) {
                    shared.merge(home, 1, Integer::sum);
                  }
                });
        all.stream()
            .filter(incident -> continues(incident, one, shared.getOrDefault(incident, 0)))
            .max(
                Comparator.comparingInt((IncidentState incident) -> shared.get(incident))
                    .thenComparing(IncidentState::isCauseOpen)
                    .thenComparingLong(incident -> -incident.number))
            .ifPresent(
                incident -> {
                  taken.add(incident);
                  matched.put(one, incident);
                });
      }
    }
    return matched;
  }

  /** Whether a judgement is about an incident: it holds its cause, or most of what has none. */
  private static boolean continues(IncidentState incident, CauseJudgement one, int shared) {
    return shared > 0
        && (incident.isCauseOpen()
            ? one.alerts().stream().anyMatch(alert -> incident.isCause(alert.id()))
            : 2 * shared >= incident.open().size());
  }

  private @Nullable IncidentState begin(
      CauseJudgement one, Map<UUID, IncidentState> homes, Instant now) {
    List<OpenAlert> free =
        one.alerts().stream()
            .filter(alert -> mayMove(homes.get(alert.id()), alert.id(), one))
            .toList();
    boolean enough =
        free.size() >= ALERTS
            || free.stream().mapToInt(OpenAlert::object).distinct().count() >= OBJECTS;
    OpenAlert cause = one.cause();
    if (!enough || cause != null && !free.contains(cause)) {
      return null;
    }
    IncidentState incident =
        new IncidentState(
            ids.apply(now),
            now,
            titles.apply(one),
            one.confidence(),
            one.signs(),
            free.stream().mapToInt(OpenAlert::severity).max().orElseThrow(),
            free.stream().map(OpenAlert::since).min(Comparator.naturalOrder()).orElseThrow());
    incident.place = places.apply(one);
    if (cause != null) {
      incident.cause = cause.id();
      incident.causeRule = cause.definition();
    }
    incident.note(
        now,
        Kind.OPENED,
        null,
        "Opened with %,d alerts of %,d objects"
            .formatted(free.size(), free.stream().mapToInt(OpenAlert::object).distinct().count()),
        List.of());
    return incident;
  }

  private static boolean mayMove(@Nullable IncidentState home, UUID alert, CauseJudgement to) {
    if (home == null) {
      return true;
    }
    if (to.cause() == null || Objects.requireNonNull(home.members.get(alert)).byHand()) {
      return false;
    }
    return !home.isCauseOpen() || to.alerts().stream().anyMatch(one -> home.isCause(one.id()));
  }

  /** Brings the alerts of a judgement into its incident. */
  private static void gather(
      IncidentState incident,
      CauseJudgement one,
      Map<UUID, IncidentState> homes,
      Set<IncidentState> known,
      Instant now) {
    List<UUID> came = new ArrayList<>();
    Map<IncidentState, List<UUID>> moved = new IdentityHashMap<>();
    for (OpenAlert alert : one.alerts()) {
      IncidentState home = homes.get(alert.id());
      if (home == incident
          || incident.split.contains(alert.id())
          || !mayMove(home, alert.id(), one)) {
        continue;
      }
      if (home != null) {
        home.leave(alert.id(), Reason.MOVED);
        moved.computeIfAbsent(home, of -> new ArrayList<>()).add(alert.id());
      }
      incident.join(
          new Member(alert.id(), alert.object(), alert.severity(), alert.since(), true, false));
      homes.put(alert.id(), incident);
      came.add(alert.id());
    }
    if (!came.isEmpty() && incident.number > 0) {
      incident.note(now, Kind.JOINED, null, alerts(came.size()) + " joined", came);
    }
    moved.forEach(
        (home, alerts) -> {
          if (home.open().isEmpty() && !known.contains(home)) {
            home.mergedInto = incident.id;
            home.close(now, End.MERGED, Reason.CLOSED, null, "Has become part of another incident");
          } else {
            home.note(
                now,
                Kind.LEFT,
                null,
                alerts(alerts.size()) + " moved to another incident, which explains them",
                alerts);
          }
        });
  }

  /** What a judgement says of the cause. */
  private void explain(IncidentState incident, CauseJudgement one, Instant now) {
    OpenAlert cause = one.cause();
    if (cause == null) {
      if (incident.cause == null) {
        retitle(incident, one);
      }
      return;
    }
    if (!incident.members.containsKey(cause.id())) {
      return;
    }
    boolean deeper =
        incident.cause == null
            || incident.isCauseOpen() && !incident.isCause(cause.id())
            || !incident.members.containsKey(incident.cause);
    if (deeper) {
      incident.cause = cause.id();
      incident.causeRule = cause.definition();
      incident.place = places.apply(one);
      incident.note(
          now, Kind.CAUSE, null, "Likely cause: " + titles.apply(one).now(), List.of(cause.id()));
    }
    if (incident.isCause(cause.id())) {
      retitle(incident, one);
      if (incident.confidence != one.confidence() || !incident.signs.equals(one.signs())) {
        incident.confidence = one.confidence();
        incident.signs = one.signs();
        incident.changed = true;
      }
    }
  }

  private void retitle(IncidentState incident, CauseJudgement one) {
    IncidentTitle title = titles.apply(one);
    if (!title.equals(incident.title)) {
      incident.title = title;
      incident.changed = true;
    }
  }

  /** What follows from which of its alerts are open. */
  private static void settle(IncidentState incident, Instant now) {
    List<Member> open = incident.open();
    severity(incident, open, now);
    boolean hasCause = incident.cause != null;
    if (hasCause && incident.isCauseOpen()) {
      if (incident.causeOverAt != null) {
        incident.causeOverAt = null;
        incident.note(now, Kind.CAUSE, null, "The cause is back", List.of());
      }
    } else if (hasCause && incident.causeOverAt == null) {
      incident.causeOverAt = now;
      incident.note(now, Kind.CAUSE_OVER, null, "The cause is over", List.of());
    }
    if (open.isEmpty()) {
      Instant quiet = incident.quietSince;
      if (quiet == null) {
        incident.quietSince = now;
        incident.changed = true;
      } else if (!now.isBefore(quiet.plus(QUIET))) {
        incident.close(
            now,
            End.OVER,
            Reason.CLOSED,
            null,
            "Closed: none of its alerts was open for %d min".formatted(QUIET.toMinutes()));
      }
      return;
    }
    if (incident.quietSince != null) {
      incident.quietSince = null;
      incident.changed = true;
    }
    Instant over = incident.causeOverAt;
    if (over != null && !now.isBefore(over.plus(LEFT_OVER))) {
      List<UUID> rest = open.stream().map(Member::alert).toList();
      rest.forEach(alert -> incident.leave(alert, Reason.LEFT));
      incident.note(
          now,
          Kind.LEFT,
          null,
          "%s still open %d min after the cause was over, and left"
              .formatted(
                  rest.size() == 1 ? "1 alert was" : "%,d alerts were".formatted(rest.size()),
                  LEFT_OVER.toMinutes()),
          rest);
      incident.close(now, End.LEFT, Reason.CLOSED, null, "Closed: its cause is over");
    }
  }

  private static void severity(IncidentState incident, List<Member> open, Instant now) {
    int severity = open.stream().mapToInt(Member::severity).max().orElse(incident.severity);
    if (severity != incident.severity) {
      incident.note(
          now,
          Kind.SEVERITY,
          null,
          "Severity %s to %s"
              .formatted(
                  severity > incident.severity ? "rose" : "fell", SEVERITIES.get(severity - 1)),
          List.of());
      incident.severity = severity;
      incident.worst = Math.max(incident.worst, severity);
    }
  }

  static String alerts(int count) {
    return count == 1 ? "1 alert" : String.format(Locale.ROOT, "%,d alerts", count);
  }
}
