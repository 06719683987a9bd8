package io.peerlens.talker;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.flow.rank.TalkerDirection;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.support.SampleData;
import io.peerlens.talker.FlowListQueries.FlowList;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Flows that are not rolled up yet, of which the planner knows little. */
class FlowSumsIT {

  private static final Instant FROM = Instant.parse("2026-11-01T20:30:00Z");
  private static final Instant TO = Instant.parse("2026-11-01T21:00:00Z");
  private static final int PAIRS = 3_000;

  /**
   * Two observers tell of the same 90,000 flows. With a join of the parts with the observer that
   * counts, estimated at one row, this took minutes.
   */
  @Test
  void manyMinutesAreAddedUpInTimeAndEachFlowCountsOnce() {
    try (SampleData data = SampleData.create()) {
      data.sql("update flow_level_state set rolled_until = null, kept_from = '-infinity'");
      data.sql("alter table flow_part set (autovacuum_enabled = false)");
      // What is known of the table ends before: of later rows next to none is expected.
      minutes(data, FROM.minus(Duration.ofMinutes(30)));
      data.sql("analyze flow_part");
      minutes(data, FROM);
      JdbcTemplate timed = new JdbcTemplate(data.dataSource());
      timed.setQueryTimeout(15);
      JdbcClient jdbc = JdbcClient.create(timed);
      FlowListQueries queries =
          new FlowListQueries(jdbc, new TalkerQueries(data.dataSource()), true);
      FlowCondition all =
          new FlowCondition(
              null, List.of(), FlowEndFilter.ANY, FlowEndFilter.ANY, TalkerDirection.BOTH);
      FlowList list =
          queries.list(
              new EndQueries.Found(all, null, null, null),
              FROM,
              TO,
              TalkerMeasure.BYTES,
              null,
              PAIRS + 1);
      assertThat(list.rows()).hasSize(PAIRS);
      // Who saw most counts, in each bucket of five minutes.
      assertThat(list.rows()).allMatch(row -> row.get(TalkerMeasure.BYTES) == 30_000);
    }
  }

  private static void minutes(SampleData data, Instant from) {
    data.sql(
        """
        insert into flow_part (time, bytes, packets, drops, observer, src, dst, port, flows, sessions, resets, proto, to_service, egress)
        select '%s'::timestamptz + m * interval '1 minute', case o when 1 then 900 else 1000 end, 1, 0, o, p, p + 1, 443, 1, 1, 0, 6, true,
          o = 2
        from generate_series(0, 29) m, generate_series(1, %d) p, generate_series(1, 2) o
        """
            .formatted(from, PAIRS));
  }
}
