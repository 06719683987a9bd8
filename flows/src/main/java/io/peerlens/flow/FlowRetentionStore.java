package io.peerlens.flow;

import static io.peerlens.database.Times.utc;

import io.peerlens.job.Progress;
import io.peerlens.store.LevelStates;
import io.peerlens.store.OldRows;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Retention of flows by minute, and of ends and observers that no level has flows of any more.
 *
 * <p>No minute goes before it is rolled up, nor while a bucket that it belongs to waits to be
 * rolled up again. That has a bound, so that the disk does not fill while nobody rolls up: what
 * goes then is missing in the levels above.
 */
final class FlowRetentionStore {

  private static final Logger log = LoggerFactory.getLogger(FlowRetentionStore.class);

  private static final String UNROLLED =
      "select exists (select 1 from flow_part where time >= :from and time < :before)";
  private static final String DIRTY =
      "select exists (select from flow_dirty where level = '5m' and bucket < :before)";
  private static final String FORGET_DIRTY =
      "delete from flow_dirty where level = '5m' and bucket < :before";

  /** A day more than the flows, since an end may be seen before its flows. */
  private static final String FORGET_ENDS =
      """
      with gone as (
        delete from endpoint
        where last_seen < (select min(kept_from) from flow_level_state) - interval '1 day'
        returning object_id)
      select distinct object_id from gone where object_id is not null
      """;

  private static final String FORGET_ADDRESSES =
      """
      delete from object o
      where o.id = any (:ids) and o.adapter_kind = :adapterKind and o.object_kind = :objectKind
        and not exists (select from endpoint e where e.object_id = o.id)
      """;
  private static final String INVENTORY_CHANGED =
      "update inventory_version set version = version + 1, sets_version = sets_version + 1";

  /** Their flows by minute are the only ones that name them. */
  private static final String FORGET_OBSERVERS =
      """
      delete from flow_observer
      where last_seen < least(:before, (select kept_from from flow_level_state where level = '1m') - interval '1 day')
      """;

  private static final String FORGET_EXPORTERS =
      """
      delete from flow_exporter e
      where told_at < :before and not exists (select from flow_observer o where o.exporter = e.address)
      """;

  private static final String FORGET_REPLAYED =
      "delete from flow_replayed where counted_at < :before";

  /** Dead letters do not live as long. */
  private static final Duration REPLAYED = Duration.ofDays(60);

  /** Observers that are silent for so long are not worth a line any more. */
  private static final Duration OBSERVERS = Duration.ofDays(30);

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final Duration keep;
  private final Duration keepUnrolled;
  private volatile long waiting; // seconds

  /**
   * @param keep how long sums by minute are kept
   * @param keepUnrolled how long when they are not rolled up
   */
  FlowRetentionStore(
      JdbcClient jdbc, TransactionTemplate transaction, Duration keep, Duration keepUnrolled) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.keep = keep;
    this.keepUnrolled = keepUnrolled;
  }

  /** Removes what is too old at {@code now}; the number of chunks or rows of minutes that went. */
  long run(Instant now) {
    Instant before = now.minus(keep).truncatedTo(ChronoUnit.HOURS);
    Instant bound = now.minus(keepUnrolled).truncatedTo(ChronoUnit.HOURS);
    LevelStates states = new LevelStates(jdbc, "flow_level_state");
    OldRows old = new OldRows(jdbc, "flow_dirty", Progress.NONE);
    Instant rolled = states.keepFrom("1m", "5m", before);
    reportLoss(rolled, bound);
    jdbc.sql(FORGET_REPLAYED).param("before", utc(now.minus(REPLAYED))).update();
    Instant safe = rolled.isBefore(bound) ? bound : rolled;
    states.keptFrom("1m", safe);
    old.remove("flow_part", "5m", safe, bound);
    jdbc.sql(FORGET_DIRTY).param("before", utc(bound)).update();
    reportWait(old, before, bound);
    forgetEnds();
    OffsetDateTime silent = utc(now.minus(OBSERVERS));
    jdbc.sql(FORGET_OBSERVERS).param("before", silent).update();
    jdbc.sql(FORGET_EXPORTERS).param("before", silent).update();
    return old.removed();
  }

  /** For how long minutes that should be gone have waited to be rolled up; in seconds. */
  long waiting() {
    return waiting;
  }

  private void reportLoss(Instant rolled, Instant bound) {
    boolean unrolled =
        jdbc.sql(UNROLLED)
            .param("from", utc(rolled))
            .param("before", utc(bound))
            .query(Boolean.class)
            .single();
    if (unrolled || jdbc.sql(DIRTY).param("before", utc(bound)).query(Boolean.class).single()) {
      log.error(
          "Flows by minute before {} were never rolled up and are removed now: they are missing in"
              + " the levels above. See whether an evaluator runs and what its log says of the task"
              + " flow-roll-up",
          bound);
    }
  }

  private void reportWait(OldRows old, Instant before, Instant bound) {
    Instant oldest = old.oldest("flow_part", Instant.EPOCH, before);
    // A chunk may hold a few hours more than are kept.
    boolean waits =
        oldest != null
            && oldest.isBefore(before.minus(Duration.ofHours(old.hypertables() ? 3 : 0)));
    waiting = waits && oldest != null ? Duration.between(oldest, before).toSeconds() : 0;
    if (waits) {
      log.warn(
          "Flows by minute are kept longer, because those since {} are not rolled up; before {} they"
              + " go all the same (peerlens.flows.keep-unrolled)",
          oldest,
          bound);
    }
  }

  private void forgetEnds() {
    transaction.executeWithoutResult(
        status -> {
          Integer[] objects =
              jdbc.sql(FORGET_ENDS).query(Integer.class).list().toArray(Integer[]::new);
          if (objects.length > 0) {
            int gone =
                jdbc.sql(FORGET_ADDRESSES)
                    .param("ids", objects)
                    .param("adapterKind", AddressQueries.ADAPTER_KIND)
                    .param("objectKind", AddressQueries.OBJECT_KIND)
                    .update();
            if (gone > 0) {
              jdbc.sql(INVENTORY_CHANGED).update();
              log.info("{} addresses without flows are no objects any more", gone);
            }
          }
        });
  }
}
