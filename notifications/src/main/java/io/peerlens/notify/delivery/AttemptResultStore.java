package io.peerlens.notify.delivery;

import static io.peerlens.database.Times.utc;

import io.peerlens.notify.channel.Answer;
import io.peerlens.notify.channel.Exchange;
import io.peerlens.notify.channel.Sent;
import io.peerlens.notify.channel.Verdict;
import io.peerlens.notify.render.EventType;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Store of attempt results. Those that come while others are being written are written together, so
 * a storm needs few transactions and one connection, and a single one waits for nobody.
 * Thread-safe.
 */
final class AttemptResultStore {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final int MOST = 200;

  private static final String FINISH =
      """
      update delivery
      set status = :status, reached = reached or :reached, reason = :reason, due_at = :due, ended_at = :ended, lease_node = null,
        lease_until = null
      where id = :delivery and status = 'sending' and lease_node = :node
      """;

  private static final String ATTEMPT =
      """
      insert into delivery_attempt (delivery_id, number, at, node, took_ms, verdict, reason, sent, answer)
      values (:delivery, :attempt, :at, :node, :took, :verdict, :reason, :sent::jsonb, :answer::jsonb)
      on conflict do nothing
      """;

  private static final String EXTERNAL_IDS =
      """
      insert into notified (target_id, subject_id, external_ids, delivered_at)
      values (:target, :subject, :ids::jsonb, :now)
      on conflict (target_id, subject_id) do update
      set external_ids = notified.external_ids || excluded.external_ids, delivered_at = excluded.delivered_at
      """;

  /** What waits behind a NEW that reached nobody means nothing to the receiver. */
  private static final String DROP_FOLLOWERS =
      """
      update delivery d set status = 'dropped', ended_at = :now, reason = 'Its NEW was given up'
      from delivery lost
      where lost.id = :delivery and lost.status = 'dead' and not lost.reached
        and d.target_id = lost.target_id and d.subject_id = lost.subject_id and d.number > lost.number
        and d.status in ('waiting', 'retry') and not d.reached
        and d.number < coalesce(
          (select min(n.number) from delivery n
           where n.target_id = lost.target_id and n.subject_id = lost.subject_id and n.number > lost.number
             and n.event = 'NEW'),
          9223372036854775807)
      """;

  private final NamedParameterJdbcTemplate jdbc;
  private final TransactionTemplate transaction;
  private final String node;
  private final Queue<Finished> queue = new ConcurrentLinkedQueue<>();
  private final ReentrantLock writing = new ReentrantLock();

  AttemptResultStore(JdbcTemplate jdbc, TransactionTemplate transaction, String node) {
    this.jdbc = new NamedParameterJdbcTemplate(jdbc);
    this.transaction = transaction;
    this.node = node;
  }

  /** An attempt that has ended; what became of writing it is only touched under the lock. */
  private static final class Finished {
    final Claimed delivery;
    final AttemptResult result;
    final Instant at;
    final Instant now;
    boolean written;
    @Nullable RuntimeException failure;

    Finished(Claimed delivery, AttemptResult result, Instant at, Instant now) {
      this.delivery = delivery;
      this.result = result;
      this.at = at;
      this.now = now;
    }
  }

  /**
   * Keeps how an attempt ended; returns when that is committed.
   *
   * @param at when it began
   * @param now when it ended
   */
  void put(Claimed delivery, AttemptResult result, Instant at, Instant now) {
    Finished mine = new Finished(delivery, result, at, now);
    queue.add(mine);
    writing.lock();
    try {
      while (!mine.written) {
        writeNext();
      }
    } finally {
      writing.unlock();
    }
    if (mine.failure != null) {
      throw mine.failure;
    }
  }

  private void writeNext() {
    List<Finished> batch = new ArrayList<>();
    for (Finished one = queue.poll(); one != null; one = queue.poll()) {
      batch.add(one);
      if (batch.size() == MOST) {
        break;
      }
    }
    try {
      write(batch);
    } catch (DataAccessException e) {
      // One that cannot be kept costs the others nothing.
      for (Finished one : batch) {
        try {
          write(List.of(one));
        } catch (RuntimeException alone) {
          one.failure = alone;
        }
      }
    } catch (RuntimeException e) {
      batch.forEach(one -> one.failure = e);
    }
    batch.forEach(one -> one.written = true);
  }

  /** Rows are locked in the order of their numbers, as everywhere. */
  private void write(List<Finished> batch) {
    List<Finished> ordered =
        batch.stream().sorted(Comparator.comparingLong(one -> one.delivery.number())).toList();
    List<SqlParameterSource> attempts = new ArrayList<>();
    List<SqlParameterSource> results = new ArrayList<>();
    List<SqlParameterSource> ids = new ArrayList<>();
    List<SqlParameterSource> lost = new ArrayList<>();
    for (Finished one : ordered) {
      Claimed delivery = one.delivery;
      AttemptResult result = one.result;
      OffsetDateTime now = utc(one.now);
      if (result.exchange() != null) {
        attempts.add(attempt(delivery, result.exchange(), one.at));
      }
      results.add(
          new MapSqlParameterSource("status", result.status())
              .addValue("reached", result.reached())
              .addValue("reason", result.reason(), Types.VARCHAR)
              .addValue("due", utc(result.due()))
              .addValue("ended", result.isOver() ? now : null, Types.TIMESTAMP_WITH_TIMEZONE)
              .addValue("delivery", delivery.id())
              .addValue("node", node));
      if (!result.externalIds().isEmpty()) {
        ids.add(
            new MapSqlParameterSource("target", delivery.target())
                .addValue("subject", delivery.subject())
                .addValue("ids", JSON.writeValueAsString(result.externalIds()))
                .addValue("now", now));
      }
      if (result.status().equals("dead") && delivery.event() == EventType.NEW) {
        lost.add(lost(delivery.id(), one.now));
      }
    }
    transaction.executeWithoutResult(
        status -> {
          write(ATTEMPT, attempts);
          write(FINISH, results);
          write(EXTERNAL_IDS, ids);
          write(DROP_FOLLOWERS, lost);
        });
  }

  private void write(String sql, List<SqlParameterSource> rows) {
    jdbc.batchUpdate(sql, rows.toArray(SqlParameterSource[]::new));
  }

  private static SqlParameterSource lost(UUID delivery, Instant now) {
    return new MapSqlParameterSource("delivery", delivery).addValue("now", utc(now));
  }

  /** Drops what waits behind a NEW that was given up and reached nobody. */
  void dropFollowers(UUID lost, Instant now) {
    jdbc.update(DROP_FOLLOWERS, lost(lost, now));
  }

  private SqlParameterSource attempt(Claimed delivery, Exchange exchange, Instant at) {
    Answer answer = exchange.answer();
    String reason = exchange.verdict().reason();
    return new MapSqlParameterSource("delivery", delivery.id())
        .addValue("attempt", delivery.attempt())
        .addValue("at", utc(at))
        .addValue("node", node)
        .addValue("took", exchange.took().toNanos() / 1e6)
        .addValue("verdict", verdict(exchange.verdict()))
        .addValue("reason", reason.isBlank() ? null : reason, Types.VARCHAR)
        .addValue("sent", sent(exchange.sent(), delivery.attempt() == 1).toString())
        .addValue("answer", answer == null ? null : answer(answer).toString(), Types.VARCHAR);
  }

  /** As the contract writes it: {@code delivered-unconfirmed}. */
  static String verdict(Verdict verdict) {
    return verdict
        .getClass()
        .getSimpleName()
        .replaceAll("([a-z])([A-Z])", "$1-$2")
        .toLowerCase(Locale.ROOT);
  }

  /** The body is the same in every attempt, so it is kept with the first. */
  private static ObjectNode sent(Sent sent, boolean withBody) {
    ObjectNode json = JSON.createObjectNode();
    json.put("line", sent.line());
    json.set("headers", JSON.valueToTree(sent.headers()));
    if (withBody) {
      json.put("body", sent.body());
    }
    return json;
  }

  private static ObjectNode answer(Answer answer) {
    ObjectNode json = JSON.createObjectNode();
    json.put("status", answer.status());
    json.put("line", answer.line());
    json.set("headers", JSON.valueToTree(answer.headers()));
    String head = answer.head();
    json.put("body", head.replace("\u0000", ""));
    json.put("truncated", answer.truncated() || head.length() < answer.body().length());
    return json;
  }
}
