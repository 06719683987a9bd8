package io.peerlens.incident;

import static java.util.Objects.requireNonNull;

import io.peerlens.alert.AlertActionStore;
import io.peerlens.api.model.AlertAction;
import io.peerlens.api.model.IncidentAction;
import io.peerlens.api.model.IncidentActionRequest;
import io.peerlens.incident.IncidentState.End;
import io.peerlens.incident.IncidentState.Kind;
import io.peerlens.incident.IncidentState.Member;
import io.peerlens.incident.IncidentState.Reason;
import io.peerlens.scope.ScopeReader;
import io.peerlens.web.ApiException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/** Actions of people on incidents, under the lock of those that change them. */
final class IncidentActions {

  private final IncidentStore store;
  private final AlertActionStore alerts;
  private final TransactionTemplate transaction;

  IncidentActions(IncidentStore store, AlertActionStore alerts, TransactionTemplate transaction) {
    this.store = store;
    this.alerts = alerts;
    this.transaction = transaction;
  }

  /**
   * Does it.
   *
   * @param by who asks for it
   * @throws ApiException where the request does not fit, or the incident is closed
   */
  void act(long number, IncidentActionRequest request, String by, Instant now) {
    check(request);
    transaction.executeWithoutResult(
        status -> {
          store.lock();
          IncidentState incident = store.one(number);
          if (incident == null) {
            throw ApiException.notFound("incident", number);
          }
          if (!incident.isOpen() && request.getAction() != IncidentAction.COMMENT) {
            throw ApiException.invalidField("action", "does not go with a closed incident")
                .hint("A closed incident takes comments only.");
          }
          IncidentState other = act(incident, request, by, now);
          String comment = request.getComment();
          if (comment != null) {
            incident.note(
                now, Kind.COMMENT, by, ScopeReader.storable("comment", comment), List.of());
          }
          incident.changed = true;
          store.put(other == null ? List.of(incident) : List.of(incident, other), now);
        });
  }

  private static void check(IncidentActionRequest request) {
    IncidentAction action = request.getAction();
    onlyFor(action, IncidentAction.ASSIGN, "owner", request.getOwner());
    onlyFor(action, IncidentAction.MERGE, "into", request.getInto());
    List<UUID> some = request.getAlerts();
    onlyFor(action, IncidentAction.SPLIT, "alerts", some == null || some.isEmpty() ? null : some);
    if (action == IncidentAction.COMMENT && request.getComment() == null) {
      throw ApiException.invalidField("comment", "is missing");
    }
    if (request.getOwner() != null && request.getOwner().isBlank()) {
      throw ApiException.invalidField("owner", "is blank");
    }
  }

  private static void onlyFor(
      IncidentAction action, IncidentAction wants, String field, @Nullable Object value) {
    if (action == wants && value == null) {
      throw ApiException.invalidField(field, "is missing");
    }
    if (action != wants && value != null) {
      throw ApiException.invalidField(field, "does not go with " + action.getValue());
    }
  }

  /** Returns another incident that changes with it; null = none. */
  private @Nullable IncidentState act(
      IncidentState incident, IncidentActionRequest request, String by, Instant now) {
    switch (request.getAction()) {
      case TAKE -> own(incident, by, "Taken by " + by, by, now);
      case ASSIGN -> {
        String owner = ScopeReader.storable("owner", requireNonNull(request.getOwner()));
        own(incident, owner, "Assigned to " + owner, by, now);
      }
      case RELEASE -> own(incident, null, "Released by " + by, by, now);
      case ACKNOWLEDGE -> {
        incident.acknowledgedBy = by;
        incident.acknowledgedAt = now;
        incident.note(now, Kind.ACKNOWLEDGED, by, "Acknowledged by " + by, List.of());
        alerts(incident, AlertAction.ACKNOWLEDGE, null, by, now);
      }
      case UNACKNOWLEDGE -> {
        incident.acknowledgedBy = null;
        incident.acknowledgedAt = null;
        incident.note(now, Kind.ACKNOWLEDGED, by, "No longer acknowledged", List.of());
        alerts(incident, AlertAction.UNACKNOWLEDGE, null, by, now);
      }
      case SPLIT -> split(incident, requireNonNull(request.getAlerts()), by, now);
      case MERGE -> {
        return merge(incident, requireNonNull(request.getInto()), by, now);
      }
      case END -> incident.close(now, End.ENDED, Reason.ENDED, by, "Ended by " + by);
      case COMMENT -> {}
    }
    return null;
  }

  private void own(
      IncidentState incident, @Nullable String owner, String text, String by, Instant now) {
    incident.owner = owner;
    incident.note(now, Kind.OWNER, by, text, List.of());
    alerts(incident, owner == null ? AlertAction.RELEASE : AlertAction.ASSIGN, owner, by, now);
  }

  private void alerts(
      IncidentState incident, AlertAction action, @Nullable String owner, String by, Instant now) {
    List<UUID> open = incident.open().stream().map(Member::alert).toList();
    if (!open.isEmpty()) {
      alerts.act(open, new AlertActionStore.Wanted(action, owner, null, null, by, now));
    }
  }

  private static void split(IncidentState incident, List<UUID> some, String by, Instant now) {
    Set<UUID> wanted = new HashSet<>(some);
    for (UUID alert : wanted) {
      if (!incident.members.containsKey(alert)) {
        throw ApiException.invalidField("alerts", "names %s, which is not in it".formatted(alert));
      }
      if (incident.isCause(alert)) {
        throw ApiException.invalidField("alerts", "names the cause of the incident")
            .hint("Split the others from it, or end the incident.");
      }
    }
    wanted.forEach(alert -> incident.leave(alert, Reason.SPLIT));
    incident.note(
        now,
        Kind.SPLIT,
        by,
        "%s taken out by %s".formatted(IncidentLife.alerts(wanted.size()), by),
        List.copyOf(wanted));
  }

  private IncidentState merge(IncidentState incident, long number, String by, Instant now) {
    IncidentState into = number == incident.number ? null : store.one(number);
    if (into == null || !into.isOpen()) {
      throw ApiException.invalidField(
          "into",
          into == null && number != incident.number
              ? "is not the number of an incident"
              : "is the number of %s"
                  .formatted(into == null ? "this incident" : "a closed incident"));
    }
    List<Member> moved = List.copyOf(incident.members.values());
    for (Member one : moved) {
      into.split.remove(one.alert());
      into.join(
          new Member(one.alert(), one.object(), one.severity(), one.since(), one.open(), true));
    }
    into.note(
        now,
        Kind.MERGED,
        by,
        "I-%d merged into it by %s: %s"
            .formatted(incident.number, by, IncidentLife.alerts(moved.size())),
        moved.stream().map(Member::alert).toList());
    if (incident.since.isBefore(into.since)) {
      into.since = incident.since;
    }
    incident.mergedInto = into.id;
    incident.close(
        now, End.MERGED, Reason.MERGED, by, "Merged into I-%d by %s".formatted(into.number, by));
    return into;
  }
}
