package io.peerlens.talker;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Removes rolled up flows and talkers that are too old: whole chunks of hypertables, else rows.
 * Nothing goes before the level above holds it.
 */
final class TalkerRetentionStore {

  private static final String ROLLED_UNTIL =
      "select coalesce(rolled_until, 'epoch') from flow_level_state where level = :level";
  private static final String MOVE_KEPT_FROM =
      "update flow_level_state set kept_from = :before where level = :level and kept_from < :before";
  private static final String HYPERTABLES =
      "select exists (select from pg_extension where extname = 'timescaledb')";
  private static final String FORGET_BUCKETS =
      "delete from flow_bucket where level = :level and time < :before";

  private final JdbcClient jdbc;
  private final TalkerProperties properties;

  TalkerRetentionStore(JdbcClient jdbc, TalkerProperties properties) {
    this.jdbc = jdbc;
    this.properties = properties;
  }

  /** Removes what is too old at {@code now}. */
  void run(Instant now) {
    boolean hypertables = jdbc.sql(HYPERTABLES).query(Boolean.class).single();
    for (FlowLevel level : FlowLevel.values()) {
      // Down to whole days, so that the levels above are not cut in two.
      Instant before = FlowLevel.ONE_DAY.floor(now.minus(properties.keep(level)));
      Instant rolled = above(level, now);
      OffsetDateTime safe = (rolled.isBefore(before) ? rolled : before).atOffset(ZoneOffset.UTC);
      jdbc.sql(MOVE_KEPT_FROM).param("level", level.label()).param("before", safe).update();
      for (String table : List.of(level.flows(), level.talkers())) {
        if (hypertables) {
          jdbc.sql(
                  "select drop_chunks('"
                      + table
                      + "'::regclass, older_than => :before::timestamptz)")
              .param("before", safe)
              .query(String.class)
              .list();
        } else {
          jdbc.sql("delete from " + table + " where time < :before").param("before", safe).update();
        }
      }
      jdbc.sql(FORGET_BUCKETS).param("level", level.label()).param("before", safe).update();
    }
  }

  /** Up to where the level above is complete. */
  private Instant above(FlowLevel level, Instant now) {
    if (level == FlowLevel.ONE_DAY) {
      return now;
    }
    FlowLevel above = FlowLevel.values()[level.ordinal() + 1];
    return jdbc.sql(ROLLED_UNTIL)
        .param("level", above.label())
        .query(OffsetDateTime.class)
        .single()
        .toInstant();
  }
}
