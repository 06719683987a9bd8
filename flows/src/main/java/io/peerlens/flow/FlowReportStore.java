package io.peerlens.flow;

import static io.peerlens.database.Times.utc;

import io.peerlens.samples.NodeReporter;
import java.time.Instant;
import java.time.InstantSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reporter of this node's ingest of flows. */
final class FlowReportStore extends NodeReporter {

  private static final String NODE =
      """
      insert into flow_node (node, updated_at, partitions, beyond_guard, trouble)
      values (:node, :now, :partitions::jsonb, :beyond, :trouble)
      on conflict (node) do update
      set updated_at = excluded.updated_at, partitions = excluded.partitions,
          beyond_guard = excluded.beyond_guard, trouble = excluded.trouble
      """;
  private static final String RATE =
      """
      insert into flow_rate (time, node, seconds, records, bytes, flows, rows, late, lag, millis)
      values (:time, :node, :seconds, :records, :bytes, :flows, :rows, :late, :lag, :millis)
      on conflict (time, node) do nothing
      """;
  private final FlowCounters counters;
  private long records;
  private long bytes;
  private long flows;
  private long rows;
  private long late;
  private long commits;
  private double millis;

  FlowReportStore(JdbcClient jdbc, FlowCounters counters, String node, InstantSource clock) {
    super("flow", jdbc, counters, node, clock);
    this.counters = counters;
  }

  @Override
  protected void reportNode(Instant now, String partitions) {
    jdbc.sql(NODE)
        .param("node", node)
        .param("now", utc(now))
        .param("partitions", partitions)
        .param("beyond", counters.beyondGuard())
        .param("trouble", counters.trouble())
        .update();
  }

  @Override
  protected void reportRate(Instant now, double seconds) {
    long nowRecords = counters.records();
    long nowBytes = counters.bytes();
    long nowFlows = counters.flows();
    long nowRows = counters.rows();
    long nowLate = counters.late();
    long nowCommits = counters.batches();
    double nowMillis = counters.writeMillis();
    jdbc.sql(RATE)
        .param("time", utc(now))
        .param("node", node)
        .param("seconds", seconds)
        .param("records", nowRecords - records)
        .param("bytes", nowBytes - bytes)
        .param("flows", nowFlows - flows)
        .param("rows", nowRows - rows)
        .param("late", nowLate - late)
        .param("lag", counters.totalLag())
        .param(
            "millis", nowCommits == commits ? null : (nowMillis - millis) / (nowCommits - commits))
        .update();
    records = nowRecords;
    bytes = nowBytes;
    flows = nowFlows;
    rows = nowRows;
    late = nowLate;
    commits = nowCommits;
    millis = nowMillis;
  }
}
