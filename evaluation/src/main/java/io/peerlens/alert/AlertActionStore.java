package io.peerlens.alert;

import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.AlertAction;
import io.peerlens.api.model.AlertActionOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Store of bulk actions on alerts: take, acknowledge, suspend and so on. Locks them in the order in
 * which ticks do, changes those that allow it with one statement, and notes it in history and
 * outbox. Within a transaction of the caller it is part of that. What is to be canceled the next
 * tick cancels, since ticks alone open and end alerts.
 */
public final class AlertActionStore {

  private static final String LOCK =
      """
      select id, status, acknowledged_by, owner, suspended_until, cancel_by from alert where id = any (:ids)
      order by id for update
      """;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final AlertStepStore steps;

  AlertActionStore(JdbcClient jdbc, AlertStepStore steps, TransactionTemplate transaction) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.steps = steps;
  }

  /**
   * Action on alerts, as requested.
   *
   * @param owner the new one; for assigning only
   * @param until for suspending only
   * @param note a remark; null = none
   * @param by who asks for it
   */
  public record Wanted(
      AlertAction action,
      @Nullable String owner,
      @Nullable Instant until,
      @Nullable String note,
      String by,
      Instant now) {}

  private record Found(
      UUID id,
      boolean canceled,
      @Nullable String acknowledgedBy,
      @Nullable String owner,
      boolean suspended,
      @Nullable String cancelBy) {}

  /** Does it, and says of each alert in the order of the ids what became of it. */
  public List<AlertActionOutcome> act(List<UUID> ids, Wanted wanted) {
    return transaction.execute(
        status -> {
          Set<UUID> asked = new LinkedHashSet<>(ids);
          Map<UUID, Found> found = lock(asked);
          List<UUID> willing = new ArrayList<>();
          List<AlertActionOutcome> outcomes = new ArrayList<>();
          for (UUID id : asked) {
            String reason = refusal(found.get(id), wanted);
            if (reason == null) {
              willing.add(id);
            }
            outcomes.add(new AlertActionOutcome(id, reason == null, reason));
          }
          if (!willing.isEmpty()) {
            change(willing.toArray(UUID[]::new), wanted);
          }
          return outcomes;
        });
  }

  private Map<UUID, Found> lock(Set<UUID> ids) {
    Map<UUID, Found> found = new HashMap<>();
    jdbc.sql(LOCK)
        .param("ids", ids.toArray(UUID[]::new))
        .query(
            row -> {
              UUID id = row.getObject("id", UUID.class);
              found.put(
                  id,
                  new Found(
                      id,
                      row.getString("status").equals("canceled"),
                      row.getString("acknowledged_by"),
                      row.getString("owner"),
                      row.getObject("suspended_until") != null,
                      row.getString("cancel_by")));
            });
    return found;
  }

  /** Why it cannot be done; null = it can. */
  private static @Nullable String refusal(@Nullable Found alert, Wanted wanted) {
    if (alert == null) {
      return "There is no such alert.";
    }
    if (alert.canceled() && wanted.action() != AlertAction.NOTE) {
      return "It is canceled.";
    }
    return switch (wanted.action()) {
      case ACKNOWLEDGE ->
          alert.acknowledgedBy() == null
              ? null
              : "It was acknowledged already, by " + alert.acknowledgedBy() + ".";
      case UNACKNOWLEDGE -> alert.acknowledgedBy() == null ? "It is not acknowledged." : null;
      case TAKE, ASSIGN -> newOwner(wanted).equals(alert.owner()) ? "It is theirs already." : null;
      case RELEASE -> alert.owner() == null ? "It has no owner." : null;
      case RESUME -> alert.suspended() ? null : "It is not suspended.";
      case CANCEL ->
          alert.cancelBy() == null
              ? null
              : "The next tick cancels it already, for " + alert.cancelBy() + ".";
      case SUSPEND, NOTE -> null;
    };
  }

  private static String newOwner(Wanted wanted) {
    return wanted.owner() == null ? wanted.by() : wanted.owner();
  }

  private void change(UUID[] ids, Wanted wanted) {
    switch (wanted.action()) {
      case ACKNOWLEDGE -> {
        update(ids, wanted, "acknowledged_by = :by, acknowledged_at = :now");
        note(ids, wanted, Event.ACKNOWLEDGED, null);
      }
      case UNACKNOWLEDGE -> {
        update(ids, wanted, "acknowledged_by = null, acknowledged_at = null");
        note(ids, wanted, Event.UNACKNOWLEDGED, null);
      }
      case TAKE, ASSIGN -> {
        update(ids, wanted, "owner = :owner");
        note(ids, wanted, Event.ASSIGNED, newOwner(wanted));
      }
      case RELEASE -> {
        update(ids, wanted, "owner = null");
        note(ids, wanted, Event.RELEASED, null);
      }
      case SUSPEND -> {
        update(ids, wanted, "suspended_until = :until");
        note(ids, wanted, Event.SUSPENDED, "until " + wanted.until());
      }
      case RESUME -> {
        update(ids, wanted, "suspended_until = null");
        note(ids, wanted, Event.RESUMED, null);
      }
      case CANCEL -> update(ids, wanted, "cancel_by = :by");
      case NOTE -> {}
    }
    if (wanted.note() != null) {
      update(ids, wanted, "note_count = note_count + 1");
      note(ids, wanted, Event.NOTE, wanted.note());
    }
  }

  private void update(UUID[] ids, Wanted wanted, String set) {
    JdbcClient.StatementSpec statement =
        jdbc.sql("update alert set " + set + ", updated_at = :now where id = any (:ids)")
            .param("ids", ids)
            .param("now", utc(wanted.now()));
    if (set.contains(":by")) {
      statement = statement.param("by", wanted.by());
    }
    if (set.contains(":owner")) {
      statement = statement.param("owner", newOwner(wanted));
    }
    Instant until = wanted.until();
    if (until != null && set.contains(":until")) {
      statement = statement.param("until", utc(until));
    }
    statement.update();
  }

  private void note(UUID[] ids, Wanted wanted, Event event, @Nullable String note) {
    steps.note(ids, event, wanted.by(), note, wanted.now());
  }
}
