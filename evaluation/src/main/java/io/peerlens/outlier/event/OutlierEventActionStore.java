package io.peerlens.outlier.event;

import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.AlertActionOutcome;
import io.peerlens.api.model.OutlierEventAction;
import java.sql.Types;
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

/** Store of bulk actions on outlier events, each noted in the history. */
public final class OutlierEventActionStore {

  private static final String LOCK =
      "select id, archived_at is not null from outlier_event where id = any (:ids) order by id for update";

  private static final String ARCHIVE =
      """
      update outlier_event
      set archived_at = :at, archived_by = :archivedBy, updated_at = greatest(updated_at, :now) where id = any (:ids)
      """;

  private static final String COUNT =
      """
      update outlier_event
      set note_count = note_count + 1, updated_at = greatest(updated_at, :now) where id = any (:ids)
      """;

  private static final String NOTE =
      """
      insert into outlier_event_history (event_id, at, event, by, note)
      select id, :now, :event, :by, :note from unnest(:ids::uuid[]) as e(id)
      """;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  public OutlierEventActionStore(JdbcClient jdbc, TransactionTemplate transaction) {
    this.jdbc = jdbc;
    this.transaction = transaction;
  }

  /**
   * Does it, and says of each event in the order of the ids what became of it.
   *
   * @param note a remark; null = none
   */
  List<AlertActionOutcome> act(
      List<UUID> ids, OutlierEventAction action, @Nullable String note, String by, Instant now) {
    return transaction.execute(
        status -> {
          Set<UUID> asked = new LinkedHashSet<>(ids);
          Map<UUID, Boolean> archived = lock(asked);
          List<UUID> willing = new ArrayList<>();
          List<AlertActionOutcome> outcomes = new ArrayList<>();
          for (UUID id : asked) {
            String reason = refusal(archived.get(id), action);
            if (reason == null) {
              willing.add(id);
            }
            outcomes.add(new AlertActionOutcome(id, reason == null, reason));
          }
          if (!willing.isEmpty()) {
            change(willing.toArray(UUID[]::new), action, note, by, now);
          }
          return outcomes;
        });
  }

  private Map<UUID, Boolean> lock(Set<UUID> ids) {
    Map<UUID, Boolean> archived = new HashMap<>();
    jdbc.sql(LOCK)
        .param("ids", ids.toArray(UUID[]::new))
        .query(
            row -> {
              archived.put(row.getObject(1, UUID.class), row.getBoolean(2));
            });
    return archived;
  }

  /** Why it cannot be done; null = it can. */
  private static @Nullable String refusal(@Nullable Boolean archived, OutlierEventAction action) {
    if (archived == null) {
      return "There is no such event.";
    }
    return switch (action) {
      case ARCHIVE -> archived ? "It is archived already." : null;
      case UNARCHIVE -> archived ? null : "It is not archived.";
      case NOTE -> null;
    };
  }

  private void change(
      UUID[] ids, OutlierEventAction action, @Nullable String note, String by, Instant now) {
    if (action != OutlierEventAction.NOTE) {
      boolean archives = action == OutlierEventAction.ARCHIVE;
      jdbc.sql(ARCHIVE)
          .param("at", archives ? utc(now) : null, Types.TIMESTAMP_WITH_TIMEZONE)
          .param("archivedBy", archives ? by : null, Types.VARCHAR)
          .param("now", utc(now))
          .param("ids", ids)
          .update();
      note(ids, archives ? "archived" : "unarchived", null, by, now);
    }
    if (note != null) {
      jdbc.sql(COUNT).param("now", utc(now)).param("ids", ids).update();
      note(ids, "note", note, by, now);
    }
  }

  private void note(UUID[] ids, String event, @Nullable String note, String by, Instant now) {
    jdbc.sql(NOTE)
        .param("now", utc(now))
        .param("event", event)
        .param("by", by)
        .param("note", note, Types.VARCHAR)
        .param("ids", ids)
        .update();
  }
}
