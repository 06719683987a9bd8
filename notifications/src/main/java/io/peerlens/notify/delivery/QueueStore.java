package io.peerlens.notify.delivery;

import static io.peerlens.database.Times.utc;

import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The queue as the pipeline sees it: it puts deliveries in, and takes some out that are no use. */
public final class QueueStore implements DeliveryQueue {

  private static final String PUT =
      """
      insert into delivery (id, target_id, target_name, rule_id, rule_name, subject_id, alert_number, alert_name, object_name,
        criticality, event, change, sequence, template, template_version, template_hash, message, context, status, reason,
        created_at, due_at, expires_at, ended_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?, ?, ?, ?, ?, ?)
      """;

  private static final String PUT_MEMBER =
      "insert into delivery_member (delivery_id, alert_id) values (?, ?)";

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
      update delivery d set status = 'dropped', reason = ?, ended_at = ?
      where d.target_id = ? and d.subject_id = ? and d.status in ('waiting', 'retry') and not d.reached
        and (d.event = 'UPDATE' or ? and d.number >= (
          select max(n.number) from delivery n
          where n.target_id = d.target_id and n.subject_id = d.subject_id and n.event = 'NEW'))
      """;

  private static final String RECENT =
      """
      select target_id, count(*) as count from delivery
      where event = 'NEW' and target_id = any (:targets) and created_at > :from group by target_id
      """;

  private final JdbcClient jdbc;
  private final JdbcTemplate template;

  public QueueStore(JdbcClient jdbc, JdbcTemplate template) {
    this.jdbc = jdbc;
    this.template = template;
  }

  /** Who is told of what. */
  public record Line(UUID target, UUID subject) {}

  /** What became of a delivery. */
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
  public Map<Line, Fate> openings(Collection<UUID> subjects) {
    Map<Line, Fate> fates = new HashMap<>();
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
                  new Line(
                      row.getObject("target_id", UUID.class),
                      row.getObject("subject_id", UUID.class)),
                  fate);
            });
    return fates;
  }

  /**
   * Something that waits and is of no use any more.
   *
   * @param all whether the newest NEW and what is behind it is dropped, too, not only updates; the
   *     CANCEL of an earlier life is still wanted
   */
  public record Drop(Line line, boolean all, String reason) {}

  /** Drops what waits and has not reached anybody. */
  public void drop(List<Drop> drops, Instant now) {
    template.batchUpdate(
        DROP,
        drops,
        500,
        (statement, drop) -> {
          statement.setString(1, drop.reason());
          statement.setObject(2, utc(now));
          statement.setObject(3, drop.line().target());
          statement.setObject(4, drop.line().subject());
          statement.setBoolean(5, drop.all());
        });
  }

  /** Puts deliveries in; those that cannot be made are given up at once. */
  public void put(List<Draft> drafts) {
    template.batchUpdate(
        PUT,
        drafts,
        200,
        (statement, draft) -> {
          boolean failed = draft.failure() != null;
          statement.setObject(1, draft.id());
          statement.setObject(2, draft.target());
          statement.setString(3, draft.targetName());
          statement.setObject(4, draft.rule(), Types.OTHER);
          statement.setString(5, draft.ruleName());
          statement.setObject(6, draft.subject());
          statement.setObject(7, draft.alertNumber(), Types.BIGINT);
          statement.setString(8, draft.alertName());
          statement.setString(9, draft.objectName());
          statement.setString(10, draft.criticality());
          statement.setString(11, draft.event().name());
          statement.setString(12, draft.change());
          statement.setInt(13, draft.sequence());
          statement.setString(14, draft.template());
          statement.setString(15, draft.templateVersion());
          statement.setString(16, draft.templateHash());
          statement.setString(17, draft.message() == null ? null : draft.message().toString());
          statement.setString(18, draft.context() == null ? null : draft.context().toString());
          statement.setString(19, failed ? "dead" : "waiting");
          statement.setString(20, draft.failure());
          statement.setObject(21, utc(draft.createdAt()));
          statement.setObject(22, utc(draft.createdAt()));
          statement.setObject(23, utc(draft.expiresAt()));
          statement.setObject(
              24, failed ? utc(draft.createdAt()) : null, Types.TIMESTAMP_WITH_TIMEZONE);
        });
    List<Object[]> members =
        drafts.stream()
            .flatMap(
                draft ->
                    draft.members().stream()
                        .distinct()
                        .map(member -> new Object[] {draft.id(), member}))
            .toList();
    template.batchUpdate(PUT_MEMBER, members);
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
