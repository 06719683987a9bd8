package io.peerlens.outlier.event;

import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.definition.RuleStore;
import io.peerlens.outlier.group.CloseReason;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.judge.OutlierEventStore;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.sql.Types;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Marks members as expected to differ, and unmarks them. */
public final class ExceptionStore {

  /** More than this is no exception. */
  private static final int MOST = 2000;

  private static final String OBJECT =
      "select id, uuid, adapter_kind, object_kind, name from object where uuid = :uuid";

  private static final String MARK =
      """
      insert into outlier_exception (group_id, object_id, until, reason, by, at)
      values (:group, :object, :until, :reason, :by, :now)
      on conflict (group_id, object_id) do update
      set until = excluded.until, reason = excluded.reason, by = excluded.by, at = excluded.at
      """;

  private static final String NOTE =
      """
      insert into outlier_membership (group_id, at, kind, object_id, by) values (:group, :now, :kind, :object, :by)
      """;

  private final JdbcClient jdbc;
  private final RuleStore rules;
  private final OutlierEventStore events;

  ExceptionStore(JdbcClient jdbc, RuleStore rules, OutlierEventStore events) {
    this.jdbc = jdbc;
    this.rules = rules;
    this.events = events;
  }

  private record Found(int id, ObjectRef object) {}

  private Optional<Found> object(UUID uuid) {
    return jdbc.sql(OBJECT)
        .param("uuid", uuid)
        .query((row, number) -> new Found(row.getInt("id"), GroupEventQueries.object(row)))
        .optional();
  }

  /**
   * Marks a member, and closes its open event.
   *
   * @param until null = for good
   * @throws ApiException if there is no such object, or if it is of another kind
   */
  public ObjectRef mark(
      OutlierGroup group,
      UUID object,
      @Nullable Instant until,
      @Nullable String reason,
      String by,
      Instant now) {
    Found found =
        object(object)
            .orElseThrow(() -> ApiException.invalidField("object", "there is no object " + object));
    if (!found.object().getAdapterKind().equals(group.kind().adapterKind())
        || !found.object().getObjectKind().equals(group.kind().objectKind())) {
      throw ApiException.invalidField(
          "object",
          "%s is a %s, and the group compares objects of the kind %s"
              .formatted(found.object().getName(), found.object().getObjectKind(), group.kind()));
    }
    return rules.write(
        () -> {
          int marked =
              jdbc.sql("select count(*) from outlier_exception where group_id = :group")
                  .param("group", group.id())
                  .query(Integer.class)
                  .single();
          if (marked >= MOST) {
            throw ApiException.of(
                    ErrorCode.CONFLICT,
                    "%,d members of the group are marked already.".formatted(marked))
                .hint("Leave them out of the scope.");
          }
          jdbc.sql(MARK)
              .param("group", group.id())
              .param("object", found.id())
              .param("until", until == null ? null : utc(until), Types.TIMESTAMP_WITH_TIMEZONE)
              .param("reason", reason, Types.VARCHAR)
              .param("by", by)
              .param("now", utc(now))
              .update();
          note(group.id(), found.id(), "marked", by, now);
          rules.atEnd(() -> events.close(group.id(), found.id(), CloseReason.EXPECTED, by));
          return found.object();
        });
  }

  /**
   * Unmarks a member.
   *
   * @throws ApiException if it is not marked
   */
  public void unmark(UUID group, UUID object, String by, Instant now) {
    rules.write(
        () -> {
          Found found = object(object).orElseThrow(() -> ApiException.notFound("object", object));
          int removed =
              jdbc.sql(
                      "delete from outlier_exception where group_id = :group and object_id = :object")
                  .param("group", group)
                  .param("object", found.id())
                  .update();
          if (removed == 0) {
            throw ApiException.notFound("exception for the object", object);
          }
          note(group, found.id(), "unmarked", by, now);
          return object;
        });
  }

  private void note(UUID group, int object, String kind, String by, Instant now) {
    jdbc.sql(NOTE)
        .param("group", group)
        .param("now", utc(now))
        .param("kind", kind)
        .param("object", object)
        .param("by", by)
        .update();
  }
}
