package io.peerlens.notify.delivery;

import static io.peerlens.database.Times.utc;

import io.peerlens.notify.channel.Answer;
import io.peerlens.notify.channel.Exchange;
import io.peerlens.notify.channel.Sent;
import io.peerlens.notify.channel.Verdict;
import io.peerlens.notify.context.EventType;
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
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps how attempts ended. Those that end while others are being written are written together, so
 * a storm needs few transactions and one connection, and a single one waits for nobody.
 * Thread-safe.
 */
final class EndingStore {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final int MOST = 200;

  private static final String FINISH =
      """
      update delivery
      set status = ?, reached = reached or ?, reason = ?, due_at = ?, ended_at = ?, lease_node = null, lease_until = null
      where id = ? and status = 'sending' and lease_node = ?
      """;

  private static final String ATTEMPT =
      """
      insert into delivery_attempt (delivery_id, number, at, node, took_ms, verdict, reason, sent, answer)
      values (?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb)
      on conflict do nothing
      """;

  private static final String EXTERNAL_IDS =
      """
      insert into notified (target_id, subject_id, external_ids, delivered_at)
      values (?, ?, ?::jsonb, ?)
      on conflict (target_id, subject_id) do update
      set external_ids = notified.external_ids || excluded.external_ids, delivered_at = excluded.delivered_at
      """;

  /** What waits behind a NEW that reached nobody means nothing to the receiver. */
  private static final String DROP_FOLLOWERS =
      """
      update delivery d set status = 'dropped', ended_at = ?, reason = 'Its NEW was given up'
      from delivery lost
      where lost.id = ? and lost.status = 'dead' and not lost.reached
        and d.target_id = lost.target_id and d.subject_id = lost.subject_id and d.number > lost.number
        and d.status in ('waiting', 'retry') and not d.reached
        and d.number < coalesce(
          (select min(n.number) from delivery n
           where n.target_id = lost.target_id and n.subject_id = lost.subject_id and n.number > lost.number
             and n.event = 'NEW'),
          9223372036854775807)
      """;

  private final JdbcTemplate jdbc;
  private final TransactionTemplate transaction;
  private final String node;
  private final Queue<Finished> queue = new ConcurrentLinkedQueue<>();
  private final ReentrantLock writing = new ReentrantLock();

  EndingStore(JdbcTemplate jdbc, TransactionTemplate transaction, String node) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.node = node;
  }

  /** An attempt that has ended; what became of writing it is only touched under the lock. */
  private static final class Finished {
    final Claimed delivery;
    final Ending ending;
    final Instant at;
    final Instant now;
    boolean written;
    @Nullable RuntimeException failure;

    Finished(Claimed delivery, Ending ending, Instant at, Instant now) {
      this.delivery = delivery;
      this.ending = ending;
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
  void put(Claimed delivery, Ending ending, Instant at, Instant now) {
    Finished mine = new Finished(delivery, ending, at, now);
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
    List<Object[]> attempts = new ArrayList<>();
    List<Object[]> endings = new ArrayList<>();
    List<Object[]> ids = new ArrayList<>();
    List<Object[]> lost = new ArrayList<>();
    for (Finished one : ordered) {
      Claimed delivery = one.delivery;
      Ending ending = one.ending;
      OffsetDateTime now = utc(one.now);
      if (ending.exchange() != null) {
        attempts.add(attempt(delivery, ending.exchange(), one.at));
      }
      endings.add(
          new Object[] {
            ending.status(),
            ending.reached(),
            ending.reason(),
            utc(ending.due()),
            ending.isOver() ? now : null,
            delivery.id(),
            node
          });
      if (!ending.externalIds().isEmpty()) {
        ids.add(
            new Object[] {
              delivery.target(),
              delivery.subject(),
              JSON.writeValueAsString(ending.externalIds()),
              now
            });
      }
      if (ending.status().equals("dead") && delivery.event() == EventType.NEW) {
        lost.add(new Object[] {now, delivery.id()});
      }
    }
    transaction.executeWithoutResult(
        status -> {
          jdbc.batchUpdate(ATTEMPT, attempts);
          jdbc.batchUpdate(FINISH, endings);
          jdbc.batchUpdate(EXTERNAL_IDS, ids);
          jdbc.batchUpdate(DROP_FOLLOWERS, lost);
        });
  }

  /** Drops what waits behind a NEW that was given up and reached nobody. */
  void dropFollowers(UUID lost, Instant now) {
    jdbc.update(DROP_FOLLOWERS, utc(now), lost);
  }

  private Object[] attempt(Claimed delivery, Exchange exchange, Instant at) {
    Answer answer = exchange.answer();
    return new Object[] {
      delivery.id(),
      delivery.attempt(),
      utc(at),
      node,
      exchange.took().toNanos() / 1e6,
      verdict(exchange.verdict()),
      blankIsNull(exchange.verdict().reason()),
      sent(exchange.sent(), delivery.attempt() == 1).toString(),
      answer == null ? null : answer(answer).toString()
    };
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
}
