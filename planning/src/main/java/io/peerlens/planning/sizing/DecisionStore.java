package io.peerlens.planning.sizing;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;
import static io.peerlens.database.Times.utcOrNull;

import io.peerlens.api.model.RecommendationTicket;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Store of what people decide about recommendations, and of the tickets they make. Thread-safe. */
final class DecisionStore {

  private static final String DECIDE =
      """
      update sizing_recommendation
      set decision = :decision, decided_by = :by, decided_at = :at, ignored_until = :until, note = :note
      where id = any (:ids) and decision <> 'done' and (kind <> 'not-known' or :decision <> 'approved')
      """;

  private static final String TICKET =
      """
      insert into sizing_ticket (recommendation_id, sent_at, sent_by, target, target_name, delivered, http_status, reason)
      select id, :at, :by, :target, :name, :delivered, :status, :reason from sizing_recommendation where id = :id
      """;

  private static final String TICKETS =
      """
      select sent_at, sent_by, case when exists (select from notification_target t where t.id = s.target) then s.target end as target,
        target_name, delivered, http_status, reason
      from sizing_ticket s where recommendation_id = :id order by sent_at desc limit 100
      """;

  private final JdbcClient jdbc;

  DecisionStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Decides on recommendations. What is done stays as it is, and where nothing is recommended
   * nothing can be approved.
   *
   * @param by null = nobody, as nothing is decided
   * @param until of what is ignored
   */
  void decide(
      List<UUID> ids,
      String decision,
      @Nullable String by,
      @Nullable Instant at,
      @Nullable Instant until,
      @Nullable String note) {
    jdbc.sql(DECIDE)
        .param("ids", ids.toArray(UUID[]::new))
        .param("decision", decision)
        .param("by", by, Types.VARCHAR)
        .param("at", utcOrNull(at), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("until", utcOrNull(until), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("note", note, Types.VARCHAR)
        .update();
  }

  void add(UUID recommendation, RecommendationTicket ticket) {
    jdbc.sql(TICKET)
        .param("id", recommendation)
        .param("at", utc(ticket.getAt()))
        .param("by", ticket.getBy())
        .param("target", ticket.getTarget())
        .param("name", ticket.getTargetName())
        .param("delivered", ticket.getDelivered())
        .param("status", ticket.getHttpStatus(), Types.INTEGER)
        .param("reason", ticket.getReason(), Types.VARCHAR)
        .update();
  }

  /** Tickets of a recommendation, newest first. */
  List<RecommendationTicket> tickets(UUID recommendation) {
    return jdbc.sql(TICKETS)
        .param("id", recommendation)
        .query(
            (row, number) ->
                new RecommendationTicket(
                    row.getObject("target", UUID.class),
                    row.getString("target_name"),
                    instant(row, "sent_at"),
                    row.getString("sent_by"),
                    row.getBoolean("delivered"),
                    row.getObject("http_status", Integer.class),
                    row.getString("reason")))
        .list();
  }
}
