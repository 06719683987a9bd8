package io.peerlens.talker;

import static io.peerlens.database.Times.utc;

import io.peerlens.job.Progress;
import io.peerlens.store.LevelStates;
import io.peerlens.store.OldRows;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Retention of rolled up flows and talkers. Nothing goes before the level above holds it. */
final class TalkerRetentionStore {

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
    LevelStates states = new LevelStates(jdbc, FlowLevel.STATES);
    OldRows old = new OldRows(jdbc, "flow_dirty", Progress.NONE);
    for (FlowLevel level : FlowLevel.values()) {
      // Down to whole days, so that the levels above are not cut in two.
      Instant before = FlowLevel.ONE_DAY.floor(now.minus(properties.keep(level)));
      if (level == FlowLevel.ONE_DAY) {
        states.keptFrom(level.label(), before);
      } else {
        FlowLevel above = FlowLevel.values()[level.ordinal() + 1];
        before = states.keepFrom(level.label(), above.label(), before);
      }
      for (String table : List.of(level.flows(), level.talkers())) {
        old.remove(table, "none", before, before);
      }
      jdbc.sql(FORGET_BUCKETS).param("level", level.label()).param("before", utc(before)).update();
    }
  }
}
