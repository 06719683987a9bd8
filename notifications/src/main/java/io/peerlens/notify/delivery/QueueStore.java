package io.peerlens.notify.delivery;

import static io.peerlens.database.Times.utc;

import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Delivery queue, producer side: enqueue, and drop what is of no use any more. */
public final class QueueStore implements DeliveryQueue {

  private static final String PUT =
      """
      insert into delivery (id, target_id, target_name, rule_id, rule_name, subject_id, alert_number, alert_name, object_name,
        criticality, event, change, sequence, template, template_version, template_hash, message, context, status, reason,
        created_at, due_at, expires_at, ended_at)
      values (:id, :target, :targetName, :rule, :ruleName, :subject, :alertNumber, :alertName, :objectName,
        :criticality, :event, :change, :sequence, :template, :version, :hash, :message::jsonb, :context::jsonb, :status, :failure,
        :createdAt, :createdAt, :expiresAt, :endedAt)
      """;

  private static final String PUT_MEMBER =
      "insert into delivery_member (delivery_id, alert_id) values (:delivery, :alert)";

  /** The newest opening of each; those that wait are locked, so that no worker takes them now. */
  private static final String OPENINGS =
      """
      select d.id, d.target_id, d.subject_id, d.status, d.reached from (
        select distinct on (target_id, subject_id) id from delivery
        where event = 'NEW' and subject_id = any (:subjects)
        order by target_id, subject_id, number desc) newest
      join delivery d on d.id = newest.id
      order by d.number
      for update of d
      """;

  private static final String DROP =
      """
      update delivery d set status = 'dropped', reason = :reason, ended_at = :now
      where d.target_id = :target and d.subject_id = :subject and d.status in ('waiting', 'retry') and not d.reached
        and (d.event = 'UPDATE' or :all and d.number >= (
          select max(n.number) from delivery n
          where n.target_id = d.target_id and n.subject_id = d.subject_id and n.event = 'NEW'))
      """;

  private static final String RECENT =
      """
      select target_id, count(*) as count from delivery
      where event = 'NEW' and target_id = any (:targets) and created_at > :from group by target_id
      """;

  private final JdbcClient jdbc;
  private final NamedParameterJdbcTemplate batch;

  public QueueStore(JdbcClient jdbc, JdbcTemplate template) {
    this.jdbc = jdbc;
    this.batch = new NamedParameterJdbcTemplate(template);
  }

  /** Fate of a delivery: whether it may have reached the receiver. */
  public enum Fate {
    /** It may have reached the receiver. */
    LEFT,
    /** It waits, and certainly has not. */
    WAITS,
    /** It was given up, and certainly has not. */
    LOST
  }

  /** What became of the newest NEW about subjects; locks those that wait. */
  @Override
  public Map<TargetSubject, Fate> openings(Collection<UUID> subjects) {
    Map<TargetSubject, Fate> fates = new HashMap<>();
    jdbc.sql(OPENINGS)
        .param("subjects", subjects.toArray(UUID[]::new))
        .query(
            row -> {
              boolean reached = row.getBoolean("reached");
              Fate fate =
                  switch (row.getString("status")) {
                    case "waiting", "retry" -> reached ? Fate.LEFT : Fate.WAITS;
                    case "dead", "dropped" -> reached ? Fate.LEFT : Fate.LOST;
                    default -> Fate.LEFT;
                  };
              fates.put(
                  new TargetSubject(
                      row.getObject("target_id", UUID.class),
                      row.getObject("subject_id", UUID.class)),
                  fate);
            });
    return fates;
  }

  /**
   * Waiting delivery that is of no use any more.
   *
   * @param all whether the newest NEW and what is behind it is dropped, too, not only updates; the
   *     CANCEL of an earlier life is still wanted
   */
  public record Drop(TargetSubject line, boolean all, String reason) {}

  /** Drops what waits and has not reached anybody. */
  public void drop(List<Drop> drops, Instant now) {
    batch.batchUpdate(
        DROP,
        drops.stream()
            .map(
                drop ->
                    new MapSqlParameterSource("reason", drop.reason())
                        .addValue("now", utc(now))
                        .addValue("target", drop.line().target())
                        .addValue("subject", drop.line().subject())
                        .addValue("all", drop.all()))
            .toArray(SqlParameterSource[]::new));
  }

  /** Puts deliveries in; those that cannot be made are given up at once. */
  public void put(List<Draft> drafts) {
    batch.batchUpdate(
        PUT, drafts.stream().map(QueueStore::parameters).toArray(SqlParameterSource[]::new));
    batch.batchUpdate(
        PUT_MEMBER,
        drafts.stream()
            .flatMap(
                draft ->
                    draft.members().stream()
                        .distinct()
                        .map(
                            member ->
                                new MapSqlParameterSource("delivery", draft.id())
                                    .addValue("alert", member)))
            .toArray(SqlParameterSource[]::new));
  }

  private static SqlParameterSource parameters(Draft draft) {
    OffsetDateTime createdAt = utc(draft.createdAt());
    boolean failed = draft.failure() != null;
    return new MapSqlParameterSource("id", draft.id())
        .addValue("target", draft.target())
        .addValue("targetName", draft.targetName())
        .addValue("rule", draft.rule(), Types.OTHER)
        .addValue("ruleName", draft.ruleName(), Types.VARCHAR)
        .addValue("subject", draft.subject())
        .addValue("alertNumber", draft.alertNumber(), Types.BIGINT)
        .addValue("alertName", draft.alertName())
        .addValue("objectName", draft.objectName(), Types.VARCHAR)
        .addValue("criticality", draft.criticality(), Types.VARCHAR)
        .addValue("event", draft.event().name())
        .addValue("change", draft.change())
        .addValue("sequence", draft.sequence())
        .addValue("template", draft.template())
        .addValue("version", draft.templateVersion())
        .addValue("hash", draft.templateHash())
        .addValue("message", text(draft.message()), Types.VARCHAR)
        .addValue("context", text(draft.context()), Types.VARCHAR)
        .addValue("status", failed ? "dead" : "waiting")
        .addValue("failure", draft.failure(), Types.VARCHAR)
        .addValue("createdAt", createdAt)
        .addValue("expiresAt", utc(draft.expiresAt()))
        .addValue("endedAt", failed ? createdAt : null, Types.TIMESTAMP_WITH_TIMEZONE);
  }

  private static @Nullable String text(@Nullable JsonNode node) {
    return node == null ? null : node.toString();
  }

  /** How many NEW were made for targets within a minute. */
  @Override
  public Map<UUID, Integer> recent(Collection<UUID> targets, Instant now) {
    Map<UUID, Integer> recent = new HashMap<>();
    if (!targets.isEmpty()) {
      jdbc.sql(RECENT)
          .param("targets", targets.toArray(UUID[]::new))
          .param("from", utc(now.minus(Duration.ofMinutes(1))))
          .query(
              row -> {
                recent.put(row.getObject("target_id", UUID.class), row.getInt("count"));
              });
    }
    return recent;
  }
}
