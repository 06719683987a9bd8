package io.peerlens.talker;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.flow.rank.TalkerDimension;
import io.peerlens.flow.rank.TalkerDirection;
import io.peerlens.flow.rank.TalkerRanking;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.ingest.flow.TrafficType;
import io.peerlens.job.Progress;
import io.peerlens.support.SampleData;
import io.peerlens.talker.TalkerRows.View;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Roll-ups and talkers beside plain SQL over the rows that they are made of. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(2)
class FlowRollUpStoreIT {

  private static final Instant START = Instant.parse("2026-11-02T20:40:00Z");
  private static final Instant END = Instant.parse("2026-11-03T01:30:00Z");
  private static final Duration LAG = Duration.ofMinutes(10);
  private static final int VMS = 6;

  /** What counts, of several observers and directions the same one. */
  private static final String COUNTED =
      """
      with seen as (
        select date_bin('5 minutes', time, 'epoch') as bucket, src, dst, port, proto, to_service, observer, egress,
               sum(bytes) as bytes, sum(packets) as packets, sum(drops) as drops
        from flow_part group by 1, 2, 3, 4, 5, 6, 7, 8
      ), of_observer as (
        select *, row_number() over (
          partition by bucket, src, dst, port, proto, to_service, observer order by egress) as direction
        from seen
      ), best as (
        select *, row_number() over (
          partition by bucket, src, dst, port, proto, to_service
          order by bytes desc, packets desc, drops desc, observer) as place
        from of_observer where direction = 1
      ), counted as (
        select p.*, b.bucket from flow_part p join best b
          on (b.bucket, b.src, b.dst, b.port, b.proto, b.to_service, b.observer, b.egress)
           = (date_bin('5 minutes', p.time, 'epoch'), p.src, p.dst, p.port, p.proto, p.to_service, p.observer, p.egress)
        where b.place = 1
      )
      """;

  private SampleData data;
  private List<Integer> endpoints;
  private SplittableRandom random;

  @BeforeAll
  void createDatabase() {
    data = SampleData.create();
    int cluster = data.object("VMWARE", "ClusterComputeResource", "cluster");
    List<Integer> hosts = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int host = data.object("VMWARE", "HostSystem", "host" + i);
      hosts.add(host);
      data.sql("insert into relation values (%d, %d)".formatted(cluster, host));
    }
    endpoints = new ArrayList<>();
    for (int i = 0; i < VMS; i++) {
      int vm = data.object("VMWARE", "VirtualMachine", "vm" + i);
      data.sql("insert into relation values (%d, %d)".formatted(hosts.get(i % 2), vm));
      data.sql(
          "update object set tags = '{\"tier\": \"%s\"}' where id = %d"
              .formatted(i < 2 ? "web" : "db", vm));
      endpoints.add(endpoint("'10.0.0.%d'".formatted(i), String.valueOf(vm), true));
      endpoints.add(endpoint("'fd00::%d'".formatted(i), String.valueOf(vm), true));
    }
    endpoints.add(endpoint("null", "null", false));
  }

  private int endpoint(String address, String object, boolean internal) {
    return data.jdbc()
        .sql(
            "insert into endpoint (address, object_id, internal, first_seen) values (%s, %s, %s, now())"
                    .formatted(address, object, internal)
                + " returning id")
        .query(Integer.class)
        .single();
  }

  @AfterAll
  void close() {
    data.close();
  }

  @BeforeEach
  void empty() {
    data.sql(
        "truncate flow_part, flow_dirty, flow_bucket, flow_5m, flow_1h, flow_1d, talker_5m, talker_1h, talker_1d");
    data.sql("update flow_level_state set rolled_until = null, kept_from = '-infinity'");
  }

  private void part(Instant time) {
    parts(1, () -> time);
  }

  private void parts(int count, Supplier<Instant> times) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row(times.get()));
    }
    new JdbcTemplate(data.dataSource())
        .batchUpdate(
            """
            insert into flow_part (time, bytes, packets, drops, observer, src, dst, port, flows, sessions, resets,
                                   proto, to_service, egress)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            rows);
  }

  private Object[] row(Instant time) {
    return new Object[] {
      time.atOffset(ZoneOffset.UTC),
      random.nextInt(8) == 0 ? random.nextLong(1L << 33) : random.nextLong(4) * 1_000,
      random.nextLong(100),
      random.nextLong(3),
      random.nextInt(1, 3),
      endpoints.get(random.nextInt(endpoints.size())),
      endpoints.get(random.nextInt(endpoints.size())),
      440 + random.nextInt(5),
      random.nextInt(4),
      random.nextInt(3),
      random.nextInt(2),
      6,
      random.nextBoolean(),
      random.nextInt(3) == 0
    };
  }

  /** A flow that comes late, announced as the writer does it. */
  private void late(Instant time, Instant noted) {
    part(time);
    data.jdbc()
        .sql("insert into flow_dirty (bucket, noted_at) values (?, ?)")
        .params(
            FlowLevel.FIVE_MINUTES.floor(time).atOffset(ZoneOffset.UTC),
            noted.atOffset(ZoneOffset.UTC))
        .update();
  }

  private Instant someMinute() {
    long minutes = Duration.between(START, END).toMinutes();
    return START.plus(Duration.ofMinutes(random.nextLong(minutes)));
  }

  private void rollUp(Instant now, int keep, int portionRows) {
    new FlowRollUpStore(
            data.dataSource(),
            new FlowRollUpStore.Settings(
                LAG, Duration.ofSeconds(20), true, keep, 1_000, portionRows))
        .run(now, Progress.NONE);
  }

  private List<Map<String, Object>> rows(String sql) {
    return data.jdbc().sql(sql).query().listOfRows();
  }

  /** Finds out anew, for all comparisons that follow, what counts of the rows that are there. */
  private void countPlainly() {
    // How many rows are the best nobody knows, so each would be compared with each.
    data.sql(
        "drop table if exists counted; set enable_nestloop = off; create table counted as "
            + COUNTED
            + "select * from counted; reset enable_nestloop; analyze counted");
  }

  private void assertLevelsAreTheirRows() {
    countPlainly();
    for (FlowLevel level : FlowLevel.values()) {
      String sums =
          "sum(bytes)::bigint, sum(packets)::bigint as p, sum(drops)::bigint as d,"
              + " sum(flows)::bigint as f, sum(sessions)::bigint as s, sum(resets)::bigint as r";
      String mark =
          "(select rolled_until from flow_level_state where level = '%s')".formatted(level.label());
      String width = level.minutes() + " minutes";
      assertThat(
              rows(
                  "select time as bucket, src, %s from %s group by 1, 2 order by 1, 2"
                      .formatted(sums, level.flows())))
          .as("%s by sender", level)
          .isNotEmpty()
          .isEqualTo(
              rows(
                  "select date_bin('%s', time, 'epoch') as bucket, src, %s from counted where time < %s"
                          .formatted(width, sums, mark)
                      + " group by 1, 2 order by 1, 2"));
    }
  }

  private void assertTalkersAreThoseOfPlainSql(Instant to) {
    String vm = "select id, object_id from endpoint where object_id is not null";
    for (TalkerDirection direction : List.of(TalkerDirection.SENT, TalkerDirection.RECEIVED)) {
      TalkerQueries.Answer answer =
          new TalkerQueries(data.dataSource())
              .read(new View(TalkerDimension.VM, direction, null), START, to);
      TalkerRanking ranking = answer.whole();
      TalkerRanking.Top top = ranking.top(TalkerMeasure.BYTES, VMS);
      assertThat(top.isExact()).isTrue();
      List<String> found = new ArrayList<>();
      for (int row : top.rows()) {
        found.add(
            "%d %d %d"
                .formatted(
                    ranking.key(row),
                    ranking.value(row, TalkerMeasure.BYTES),
                    ranking.value(row, TalkerMeasure.PEAK)));
      }
      List<String> expected =
          data.jdbc()
              .sql(
                  """
                        with vm as (%s), by_minute as (
                          select vm.object_id, time, sum(bytes) as bytes from counted join vm on vm.id = counted.%s
                          where time < ? group by 1, 2
                        )
                        select object_id || ' ' || sum(bytes)::bigint || ' ' || max(bytes)::bigint
                        from by_minute group by object_id having sum(bytes) > 0 order by sum(bytes) desc, object_id
                        """
                      .formatted(vm, direction == TalkerDirection.SENT ? "src" : "dst"))
              .param(answer.to().atOffset(ZoneOffset.UTC))
              .query(String.class)
              .list();
      assertThat(found).as("%s until %s", direction, answer.to()).isEqualTo(expected);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2})
  void levelsAndTalkersAreWhatPlainSqlMakesOfTheRows(long seed) {
    random = new SplittableRandom(seed);
    parts(3_000, this::someMinute);
    Instant now = END.plus(LAG);
    rollUp(now, 3, seed == 1 ? 1_000_000 : 4);
    assertLevelsAreTheirRows();
    assertTalkersAreThoseOfPlainSql(END);

    for (int i = 0; i < 50; i++) {
      late(someMinute(), now);
    }
    rollUp(now.plusSeconds(60), 3, 1_000_000);
    assertThat(rows("select * from flow_dirty")).isEmpty();
    assertLevelsAreTheirRows();
    assertTalkersAreThoseOfPlainSql(END);
  }

  @Test
  void smallFlowsAreFoldedAndTheirShareIsReported() {
    random = new SplittableRandom(4);
    parts(500, () -> START.plus(Duration.ofMinutes(random.nextInt(5))));
    rollUp(END, 2, 1_000_000);
    assertThat(rows("select src from flow_5m where dst > 0 group by src, time having count(*) > 2"))
        .isEmpty();
    assertThat(rows("select folded_bytes, bytes from flow_bucket where level = '5m'"))
        .isEqualTo(
            rows(
                "select coalesce(sum(bytes) filter (where dst < 0), 0)::bigint as folded_bytes,"
                    + " sum(bytes)::bigint as bytes from flow_5m"));
  }

  @Test
  void theWatermarkAdvancesOverATimeWithoutFlows() {
    random = new SplittableRandom(5);
    part(START);
    part(END.minusSeconds(60));
    rollUp(END.plus(LAG), 3, 1_000_000);
    assertThat(rows("select time from flow_5m")).hasSize(2);
    assertThat(
            data.jdbc()
                .sql("select rolled_until from flow_level_state where level = '5m'")
                .query(OffsetDateTime.class)
                .single()
                .toInstant())
        .isEqualTo(END);
    assertThat(
            new TalkerQueries(data.dataSource())
                .read(
                    new View(TalkerDimension.PORT, TalkerDirection.BOTH, TrafficType.EXTERNAL),
                    START.plus(Duration.ofHours(2)),
                    START.plus(Duration.ofHours(3)))
                .whole()
                .size())
        .isZero();
  }

  @Test
  void theStartOfALevelIsReadOnceAndEarlierFlowsStillCount() {
    random = new SplittableRandom(7);
    part(START.plus(Duration.ofHours(2)));
    Instant soon = START.plus(Duration.ofHours(2)).plus(Duration.ofMinutes(5)).plus(LAG);
    rollUp(soon, 3, 1_000_000);
    assertThat(
            rows(
                "select level, rolled_until at time zone 'UTC' as until from flow_level_state where level <> '1m' order by 2"))
        .extracting(Map::values)
        .map(Object::toString)
        .containsExactly(
            "[1d, 2026-11-02 00:00:00.0]",
            "[1h, 2026-11-02 22:00:00.0]",
            "[5m, 2026-11-02 22:45:00.0]");

    late(START, soon); // and before all others
    rollUp(END.plus(Duration.ofDays(1)), 3, 1_000_000);
    assertThat(rows("select time from flow_1h")).hasSize(2);
    assertLevelsAreTheirRows();
  }

  @Test
  void aBucketWhoseRowsRetentionMayHaveTakenStaysAsItIs() {
    random = new SplittableRandom(6);
    part(START);
    rollUp(END, 3, 1_000_000);
    List<Map<String, Object>> before = rows("select * from flow_5m");
    data.sql("truncate flow_part");
    data.sql("update flow_level_state set kept_from = '2026-11-03T00:00:00Z' where level = '1m'");
    data.sql(
        "insert into flow_dirty (bucket, noted_at) values ('2026-11-01T21:40:00Z', '2026-11-01T22:00:00Z')");
    rollUp(END, 3, 1_000_000);
    assertThat(rows("select * from flow_5m")).isEqualTo(before);
    assertThat(rows("select * from flow_dirty")).isEmpty();
  }
}
