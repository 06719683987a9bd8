package io.peerlens.notify.delivery;

import static io.peerlens.database.Times.utc;

import io.peerlens.notify.render.EventType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Delivery queue, consumer side: claim, lease, expire. A delivery is taken with a lease; who dies
 * with one leaves it to others when the lease is over. Of several about one subject only the first
 * that is not over can be taken, so a target hears of an alert in order.
 */
final class DeliveryStore {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** From target to target along the index, past however many wait for each. */
  private static final String TARGETS =
      """
      with recursive next as (
        (select target_id from delivery where status in ('waiting', 'retry') order by target_id limit 1)
        union all
        select (
          select d.target_id from delivery d
          where d.status in ('waiting', 'retry') and d.target_id > next.target_id order by d.target_id limit 1)
        from next where next.target_id is not null)
      select target_id from next
      where exists (
        select from delivery d
        where d.target_id = next.target_id and d.status in ('waiting', 'retry') and d.due_at <= :now)
      """;

  /**
   * One look at an index for each that is taken: a join would meet all that wait with each other.
   */
  private static final String CLAIM =
      """
      with next as (
        select d.id from delivery d
        where d.target_id = :target and d.status in ('waiting', 'retry') and d.due_at <= :now and d.expires_at > :now
          and d.number = (
            select min(e.number) from delivery e
            where e.target_id = d.target_id and e.subject_id = d.subject_id
              and e.status in ('waiting', 'retry', 'sending'))
        order by d.due_at, d.number
        limit :limit
        for update skip locked)
      update delivery d
      set status = 'sending', attempts = d.attempts + 1, lease_node = :node, lease_until = :until
      from next where d.id = next.id
      returning d.id, d.number, d.target_id, d.subject_id, d.event, d.sequence, d.template, d.message::text as message,
        d.context::text as context, d.attempts, d.expires_at
      """;

  /** Whose sender has died, or was away for too long; the receiver may have got it. */
  private static final String REVIVE =
      """
      update delivery
      set status = 'retry', reached = true, due_at = :now, lease_node = null, lease_until = null,
        reason = 'Its sender ended before an answer came'
      where status = 'sending' and lease_until < :now
      """;

  private static final String RENDERED =
      """
      update delivery set message = :message::jsonb, context = null, template_version = :version, template_hash = :hash
      where id = :id and lease_node = :node
      """;

  private static final String COMPLETED =
      "update delivery set message = :message::jsonb where id = :id and lease_node = :node";

  private static final String GIVE_BACK =
      """
      update delivery
      set status = case attempts when 1 then 'waiting' else 'retry' end, attempts = attempts - 1, due_at = :due,
        lease_node = null, lease_until = null
      where id = :id and status = 'sending' and lease_node = :node
      """;

  private static final String EXPIRE =
      """
      update delivery set status = 'dead', ended_at = :now,
        reason = 'Given up: too old' || coalesce('. Before: ' || reason, '')
      where status in ('waiting', 'retry') and expires_at <= :now
      returning id, event, reached
      """;

  private static final String DROP_ALL =
      """
      update delivery set status = 'dropped', ended_at = :now, reason = 'The target is gone'
      where target_id = :target and status in ('waiting', 'retry')
      """;

  private static final String IDS_OF =
      "select external_ids::text from notified where target_id = :target and subject_id = :subject";

  private final JdbcClient jdbc;
  private final String node;
  private final AttemptResultStore results;

  DeliveryStore(JdbcClient jdbc, AttemptResultStore results, String node) {
    this.jdbc = jdbc;
    this.results = results;
    this.node = node;
  }

  /** Targets for which something is due. */
  Set<UUID> targets(Instant now) {
    return jdbc.sql(TARGETS)
        .param("now", utc(now))
        .query((row, number) -> row.getObject(1, UUID.class))
        .set();
  }

  /** Takes some that are due, until a moment. */
  List<Claimed> claim(UUID target, int limit, Instant now, Instant until) {
    return jdbc.sql(CLAIM)
        .param("target", target)
        .param("limit", limit)
        .param("now", utc(now))
        .param("until", utc(until))
        .param("node", node)
        .query((row, number) -> claimed(row))
        .list();
  }

  /** Leaves to others what nobody sends any more. */
  int revive(Instant now) {
    return jdbc.sql(REVIVE).param("now", utc(now)).update();
  }

  /** Gives a delivery back untouched. */
  void giveBack(Claimed delivery, Instant due) {
    jdbc.sql(GIVE_BACK)
        .param("id", delivery.id())
        .param("due", utc(due))
        .param("node", node)
        .update();
  }

  /** Keeps what was made just before the first attempt. */
  void rendered(Claimed delivery, JsonNode message, String version, String hash) {
    jdbc.sql(RENDERED)
        .param("id", delivery.id())
        .param("message", message.toString())
        .param("version", version)
        .param("hash", hash)
        .param("node", node)
        .update();
  }

  /** Keeps a message with what was added to it just before the first attempt. */
  void completed(Claimed delivery, JsonNode message) {
    jdbc.sql(COMPLETED)
        .param("id", delivery.id())
        .param("message", message.toString())
        .param("node", node)
        .update();
  }

  /** What the receiver calls a subject, as a JSON object. */
  JsonNode externalIds(UUID target, UUID subject) {
    return JSON.readTree(
        jdbc.sql(IDS_OF)
            .param("target", target)
            .param("subject", subject)
            .query(String.class)
            .optional()
            .orElse("{}"));
  }

  /** Gives up what is too old; returns how many. */
  int expire(Instant now) {
    record Gone(UUID id, boolean lostNew) {}
    List<Gone> gone =
        jdbc.sql(EXPIRE)
            .param("now", utc(now))
            .query(
                (row, number) ->
                    new Gone(
                        row.getObject("id", UUID.class),
                        EventType.valueOf(row.getString("event")) == EventType.NEW
                            && !row.getBoolean("reached")))
            .list();
    gone.stream().filter(Gone::lostNew).forEach(one -> results.dropFollowers(one.id(), now));
    return gone.size();
  }

  /** Drops what waits for a target that is not there any more. */
  int dropAll(UUID target, Instant now) {
    return jdbc.sql(DROP_ALL).param("target", target).param("now", utc(now)).update();
  }

  private static Claimed claimed(ResultSet row) throws SQLException {
    String message = row.getString("message");
    String context = row.getString("context");
    return new Claimed(
        row.getObject("id", UUID.class),
        row.getLong("number"),
        row.getObject("target_id", UUID.class),
        row.getObject("subject_id", UUID.class),
        EventType.valueOf(row.getString("event")),
        row.getInt("sequence"),
        row.getString("template"),
        message == null ? null : JSON.readTree(message),
        context == null ? null : JSON.readTree(context),
        row.getInt("attempts"),
        row.getObject("expires_at", OffsetDateTime.class).toInstant());
  }
}
