package io.peerlens.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.peerlens.support.SampleData;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChunkLengthsIT {

  private static final ChunkProperties BY_RULE = new ChunkProperties(null, null, null);

  private SampleData data;

  @BeforeEach
  void start() {
    data = SampleData.create();
  }

  @AfterEach
  void stop() {
    data.close();
  }

  private Duration length(String table) {
    return Duration.ofSeconds(
        data.jdbc()
            .sql(
                "select extract(epoch from time_interval)::bigint from timescaledb_information.dimensions where hypertable_name = ?")
            .param(table)
            .query(Long.class)
            .single());
  }

  @Test
  void whatIsSetHoldsForChunksToCome() {
    new ChunkLengths(
            data.jdbc(),
            new ChunkProperties(Duration.ofHours(2), Duration.ofDays(1), Duration.ofDays(10)))
        .adjust();
    assumeThat(Hypertables.areThere(data.jdbc())).as("TimescaleDB").isTrue();
    assertThat(length("sample")).isEqualTo(Duration.ofHours(2));
    assertThat(length("sample_5m")).isEqualTo(Duration.ofDays(1));
    assertThat(length("sample_1h")).isEqualTo(Duration.ofDays(10));
  }

  @Test
  void theRuleCountsTheRowsOfTheNewestChunk() {
    assumeThat(Hypertables.areThere(data.jdbc())).as("TimescaleDB").isTrue();
    new ChunkLengths(data.jdbc(), BY_RULE).adjust();
    assertThat(length("sample")).as("nothing is known").isEqualTo(Duration.ofDays(1));
    int group = data.group("VMWARE", "VirtualMachine", "cpu", java.util.List.of("a"));
    int set = data.set(data.object("VMWARE", "VirtualMachine", "vm"), group, "");
    data.sql(
        "insert into sample (time, set_id, values) select now() - i * interval '1 second', %d, '{1}' from generate_series(1, 50000) i"
            .formatted(set));
    data.sql("analyze sample");
    new ChunkLengths(data.jdbc(), BY_RULE).adjust();
    assertThat(length("sample")).as("few rows").isEqualTo(Duration.ofDays(1));
    // As an analysis of a far larger table would leave it.
    data.sql(
        """
        update pg_class set reltuples = 1e9 where oid in (
          select format('%I.%I', chunk_schema, chunk_name)::regclass from timescaledb_information.chunks where hypertable_name = 'sample')
        """);
    new ChunkLengths(data.jdbc(), BY_RULE).adjust();
    assertThat(length("sample")).isLessThan(Duration.ofDays(1));
    data.sql(
        "insert into sample (time, set_id, values) values (now() + interval '3 days', %d, '{1}')"
            .formatted(set));
    assertThat(
            data.jdbc()
                .sql(
                    "select extract(epoch from range_end - range_start)::bigint from timescaledb_information.chunks where hypertable_name = 'sample' order by range_start desc limit 1")
                .query(Long.class)
                .single())
        .isLessThan(86_400L);
  }
}
