package io.peerlens.incident;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * State of an incident with its alerts, while it is worked on: what is noted here is stored at the
 * end, in one transaction.
 */
final class IncidentState {

  /** So many alerts are named in a step of the timeline. */
  private static final int NAMED = 50;

  final UUID id;
  final Instant openedAt;

  /** 0 = not stored yet. */
  long number;

  IncidentTitle title;
  @Nullable Integer place;
  @Nullable UUID cause;
  @Nullable UUID causeRule;
  CauseJudgement.Confidence confidence;
  Set<CauseJudgement.Sign> signs;
  int severity;
  int worst;
  Instant since;
  @Nullable Instant causeOverAt;
  @Nullable Instant quietSince;
  @Nullable String owner;
  @Nullable String acknowledgedBy;
  @Nullable Instant acknowledgedAt;

  /** Null = it is open. */
  @Nullable End end;

  @Nullable Instant closedAt;
  @Nullable UUID mergedInto;

  /** Alerts that are in it. */
  final Map<UUID, Member> members = new LinkedHashMap<>();

  /** Alerts that somebody took out of it; they do not come back by rule. */
  final Set<UUID> split = new HashSet<>();

  final List<Member> joined = new ArrayList<>();
  final List<Leaving> left = new ArrayList<>();
  final List<Step> steps = new ArrayList<>();
  boolean changed;

  IncidentState(
      UUID id,
      Instant openedAt,
      IncidentTitle title,
      CauseJudgement.Confidence confidence,
      Set<CauseJudgement.Sign> signs,
      int severity,
      Instant since) {
    this.id = id;
    this.openedAt = openedAt;
    this.title = title;
    this.confidence = confidence;
    this.signs = signs;
    this.severity = severity;
    this.worst = severity;
    this.since = since;
  }

  /**
   * An alert of an incident.
   *
   * @param byHand whether somebody put it there, so that no rule moves it
   */
  record Member(
      UUID alert, int object, int severity, Instant since, boolean open, boolean byHand) {}

  /** Reason why an incident ended. */
  enum End {
    /** None of its alerts is open. */
    OVER,
    /** Its cause was over, and what was left of it belonged to nothing any more. */
    LEFT,
    /** Somebody ended it. */
    ENDED,
    /** It has become part of another. */
    MERGED
  }

  /** Reason why an alert left an incident. */
  enum Reason {
    /** The incident was closed. */
    CLOSED,
    /** It was still open long after the cause was over. */
    LEFT,
    /** Another incident explains it. */
    MOVED,
    /** Somebody merged the incident with another. */
    MERGED,
    /** Somebody took it out. */
    SPLIT,
    /** Somebody ended the incident. */
    ENDED
  }

  /** An alert that is no longer in it. */
  record Leaving(UUID alert, Reason reason) {}

  /** Kind of a step in the timeline of an incident. */
  enum Kind {
    OPENED,
    JOINED,
    LEFT,
    SEVERITY,
    CAUSE,
    CAUSE_OVER,
    MERGED,
    SPLIT,
    OWNER,
    ACKNOWLEDGED,
    COMMENT,
    CLOSED
  }

  /**
   * A step of the timeline.
   *
   * @param by who did it; null = the service
   * @param alerts which alerts it is about, some of them where they are many
   */
  record Step(Instant at, Kind kind, @Nullable String by, String text, List<UUID> alerts) {}

  boolean isOpen() {
    return end == null;
  }

  void note(Instant at, Kind kind, @Nullable String by, String text, List<UUID> alerts) {
    steps.add(new Step(at, kind, by, text, alerts.stream().limit(NAMED).toList()));
    changed = true;
  }

  void join(Member member) {
    members.put(member.alert(), member);
    joined.add(member);
    changed = true;
  }

  void leave(UUID alert, Reason reason) {
    if (members.remove(alert) != null) {
      left.add(new Leaving(alert, reason));
      if (reason == Reason.SPLIT) {
        split.add(alert);
      }
      changed = true;
    }
  }

  /** Ends it; what is in it leaves for the reason. */
  void close(Instant at, End how, Reason reason, @Nullable String by, String text) {
    end = how;
    closedAt = at;
    note(at, Kind.CLOSED, by, text, List.of());
    for (UUID alert : members.keySet()) {
      left.add(new Leaving(alert, reason));
    }
  }

  boolean isCauseOpen() {
    Member of = cause == null ? null : members.get(cause);
    return of != null && of.open();
  }

  /** Open alerts of it. */
  List<Member> open() {
    return members.values().stream().filter(Member::open).toList();
  }

  int objectCount() {
    return (int) members.values().stream().mapToInt(Member::object).distinct().count();
  }

  /** The alert that explains the others, if it is this one. */
  boolean isCause(UUID alert) {
    return Objects.equals(cause, alert);
  }
}
