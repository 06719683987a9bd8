package io.peerlens.notify.delivery;

import io.peerlens.notify.channel.Answer;
import io.peerlens.notify.channel.Exchange;
import io.peerlens.notify.channel.Sent;
import io.peerlens.notify.channel.Verdict;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The queue as those see it who send. A delivery is taken with a lease; who dies with one leaves it
 * to others when the lease is over. Of several about one subject only the first that is not over
 * can be taken, so a target hears of an alert in order.
 */
final class DeliveryStore {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final String TARGETS =
      "select distinct target_id from delivery where status in ('waiting', 'retry') and due_at <= :now";

  private static final String CLAIM =
      """
      with next as (
        select d.id from delivery d
        where d.target_id = :target and d.status in ('waiting', 'retry') and d.due_at <= :now and d.expires_at > :now
          and not exists (
            select from delivery e
            where e.target_id = d.target_id and e.subject_id = d.subject_id and e.number < d.number
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

  private static final String FINISH =
      """
      update delivery
      set status = :status, reached = reached or :reached, reason = :reason, due_at = :due, ended_at = :ended,
        lease_node = null, lease_until = null
      where id = :id and status = 'sending' and lease_node = :node
      returning reached
      """;

  private static final String ATTEMPT =
      """
      insert into delivery_attempt (delivery_id, number, at, node, took_ms, verdict, reason, sent, answer)
      values (:id, :number, :at, :node, :took, :verdict, :reason, :sent::jsonb, :answer::jsonb)
      on conflict do nothing
      """;

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
      returning target_id, subject_id, number, event, reached
      """;

  /** What waits behind a NEW that reached nobody means nothing to the receiver. */
  private static final String DROP_FOLLOWERS =
      """
      update delivery d set status = 'dropped', ended_at = :now, reason = 'Its NEW was given up'
      where d.target_id = :target and d.subject_id = :subject and d.number > :number and d.status in ('waiting', 'retry')
        and not d.reached
        and d.number < coalesce(
          (select min(n.number) from delivery n
           where n.target_id = :target and n.subject_id = :subject and n.number > :number and n.event = 'NEW'),
          9223372036854775807)
      """;

  private static final String DROP_ALL =
      """
      update delivery set status = 'dropped', ended_at = :now, reason = 'The target is gone'
      where target_id = :target and status in ('waiting', 'retry')
      """;

  private static final String EXTERNAL_IDS =
      """
      insert into notified (target_id, subject_id, external_ids, delivered_at)
      values (:target, :subject, :ids::jsonb, :now)
      on conflict (target_id, subject_id) do update
      set external_ids = notified.external_ids || excluded.external_ids, delivered_at = excluded.delivered_at
      """;

  private static final String IDS_OF =
      "select external_ids::text from notified where target_id = :target and subject_id = :subject";

  /** So few connections are used to note endings, however many deliveries end at once. */
  private static final int CONNECTIONS = 4;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final String node;
  private final Semaphore connections = new Semaphore(CONNECTIONS, true);

  DeliveryStore(JdbcClient jdbc, TransactionTemplate transaction, String node) {
    this.jdbc = jdbc;
    this.transaction = transaction;
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

  /**
   * How an attempt ended.
   *
   * @param status of the delivery now
   * @param due next attempt
   * @param reached whether the receiver may have got it
   * @param exchange null = nothing was tried
   */
  record Ending(
      String status,
      @Nullable String reason,
      Instant due,
      boolean reached,
      @Nullable Exchange exchange,
      Map<String, String> externalIds) {

    boolean isOver() {
      return !status.equals("retry");
    }
  }

  /** Notes how an attempt ended. */
  void finish(Claimed delivery, Ending ending, Instant at, Instant now) {
    connections.acquireUninterruptibly();
    try {
      inTransaction(delivery, ending, at, now);
    } finally {
      connections.release();
    }
  }

  private void inTransaction(Claimed delivery, Ending ending, Instant at, Instant now) {
    transaction.executeWithoutResult(
        status -> {
          Exchange exchange = ending.exchange();
          if (exchange != null) {
            attempt(delivery, exchange, at);
          }
          boolean reachedNobody =
              jdbc.sql(FINISH)
                  .param("id", delivery.id())
                  .param("status", ending.status())
                  .param("reached", ending.reached())
                  .param("reason", ending.reason(), Types.VARCHAR)
                  .param("due", utc(ending.due()))
                  .param("ended", ending.isOver() ? utc(now) : null, Types.TIMESTAMP_WITH_TIMEZONE)
                  .param("node", node)
                  .query(Boolean.class)
                  .optional()
                  .map(reached -> !reached)
                  .orElse(false);
          if (!ending.externalIds().isEmpty()) {
            jdbc.sql(EXTERNAL_IDS)
                .param("target", delivery.target())
                .param("subject", delivery.subject())
                .param("ids", JSON.writeValueAsString(ending.externalIds()))
                .param("now", utc(now))
                .update();
          }
          if (reachedNobody && ending.status().equals("dead") && delivery.event().equals("NEW")) {
            dropFollowers(delivery.target(), delivery.subject(), delivery.number(), now);
          }
        });
  }

  private void attempt(Claimed delivery, Exchange exchange, Instant at) {
    jdbc.sql(ATTEMPT)
        .param("id", delivery.id())
        .param("number", delivery.attempt())
        .param("at", utc(at))
        .param("node", node)
        .param("took", exchange.took().toNanos() / 1e6)
        .param("verdict", verdict(exchange.verdict()))
        .param("reason", blankIsNull(exchange.verdict().reason()), Types.VARCHAR)
        .param("sent", sent(exchange.sent(), delivery.attempt() == 1).toString())
        .param(
            "answer",
            exchange.answer() == null ? null : answer(exchange.answer()).toString(),
            Types.VARCHAR)
        .update();
  }

  /** As the contract writes it: {@code delivered-unconfirmed}. */
  static String verdict(Verdict verdict) {
    return verdict
        .getClass()
        .getSimpleName()
        .replaceAll("([a-z])([A-Z])", "$1-$2")
        .toLowerCase(Locale.ROOT);
  }

  private static @Nullable String blankIsNull(String text) {
    return text.isBlank() ? null : text;
  }

  /** The body is the same in every attempt, so it is kept with the first. */
  private static ObjectNode sent(Sent sent, boolean withBody) {
    ObjectNode json = JSON.createObjectNode();
    json.put("line", sent.line());
    ArrayNode headers = json.putArray("headers");
    sent.headers().forEach(h -> headers.addObject().put("name", h.name()).put("value", h.value()));
    if (withBody) {
      json.put("body", sent.body());
    }
    return json;
  }

  private static ObjectNode answer(Answer answer) {
    ObjectNode json = JSON.createObjectNode();
    json.put("status", answer.status());
    json.put("line", answer.line());
    ArrayNode headers = json.putArray("headers");
    answer
        .headers()
        .forEach(h -> headers.addObject().put("name", h.name()).put("value", h.value()));
    String head = answer.head();
    json.put("body", head.replace("\u0000", ""));
    json.put("truncated", answer.truncated() || head.length() < answer.body().length());
    return json;
  }

  /** Gives up what is too old; returns how many. */
  int expire(Instant now) {
    record Gone(UUID target, UUID subject, long number, boolean lostNew) {}
    List<Gone> gone =
        jdbc.sql(EXPIRE)
            .param("now", utc(now))
            .query(
                (row, number) ->
                    new Gone(
                        row.getObject("target_id", UUID.class),
                        row.getObject("subject_id", UUID.class),
                        row.getLong("number"),
                        row.getString("event").equals("NEW") && !row.getBoolean("reached")))
            .list();
    gone.stream()
        .filter(Gone::lostNew)
        .forEach(one -> dropFollowers(one.target(), one.subject(), one.number(), now));
    return gone.size();
  }

  private void dropFollowers(UUID target, UUID subject, long number, Instant now) {
    jdbc.sql(DROP_FOLLOWERS)
        .param("target", target)
        .param("subject", subject)
        .param("number", number)
        .param("now", utc(now))
        .update();
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
        row.getString("event"),
        row.getInt("sequence"),
        row.getString("template"),
        message == null ? null : JSON.readTree(message),
        context == null ? null : JSON.readTree(context),
        row.getInt("attempts"),
        row.getObject("expires_at", OffsetDateTime.class).toInstant());
  }

  private static OffsetDateTime utc(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
