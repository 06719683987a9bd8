package io.peerlens.learning;

import io.peerlens.node.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/**
 * Virtual machines with hourly roll-ups that follow a daily rhythm, made from their numbers alone.
 */
final class LearningWorld implements AutoCloseable {

  static final String KIND = "VirtualMachine";
  static final String CPU = "cpu|usage_average";
  static final String READY = "cpu|ready_summation";

  /** Of each world, not of all: a run of all tests may begin on one day and end on the next. */
  final Instant now = Instant.now().truncatedTo(ChronoUnit.HOURS);

  final SampleData data = SampleData.create();
  final int cpu;

  LearningWorld() {
    cpu = data.group("VMWARE", KIND, "cpu", List.of("usage_average", "ready_summation"));
    // Roll-ups are written here, whatever the clock says.
    data.sql("update level_state set rolled_until = '2100-01-01T00:00:00Z' where level = '1h'");
  }

  /** A machine and its set of CPU metrics; returns the id of the set. */
  int machine(String name) {
    int set = data.set(data.object("VMWARE", KIND, name), cpu, "");
    known();
    return set;
  }

  /** Midnight in UTC, so many days ago; of today with 0. */
  Instant daysAgo(int days) {
    return now.truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(days));
  }

  void known() {
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
  }

  /** Usage of 40 to 60 % by {@link #wave} with up to 3 % of noise, and always 7 ms ready. */
  void usual(int set, Instant from, Instant to) {
    String hours = "((extract(epoch from h)::bigint - %d) / 3600)".formatted(now.getEpochSecond());
    cells(
        set,
        from,
        to,
        "50 + 10 * cos(%s * pi() / 12) + ((%s + 100000) * 7919 + s * 31) %% 13 / 4.0"
            .formatted(hours, hours));
  }

  /**
   * The rhythm of a day, highest at the hour that it is now, so that it does not matter to a test
   * at what time of the day it runs.
   */
  double wave(Instant time) {
    return 50 + 10 * Math.cos(Duration.between(now, time).toMillis() / 3.6e6 * Math.PI / 12);
  }

  /**
   * Hourly roll-ups of usage, and constant ready time.
   *
   * @param usage SQL of the mean by the hour h and the set s
   */
  void cells(int set, Instant from, Instant to, String usage) {
    data.jdbc()
        .sql(
            """
            insert into sample_1h (time, set_id, samples, avg, min, max)
            select h, s, 12, array[v, 7], array[v - 2, 7], array[v + 2, 7]
            from (select h, s, %s as v
                  from generate_series(?::timestamptz, ?::timestamptz - interval '1 hour', '1 hour') h, (values (?)) x(s)) y
            on conflict (set_id, time) do update set avg = excluded.avg, min = excluded.min, max = excluded.max
            """
                .formatted(usage))
        .params(SampleData.time(from), SampleData.time(to), set)
        .update();
  }

  PeerlensServer server(String... settings) {
    return PeerlensServer.start(data.database(), Set.of(Role.API), settings);
  }

  /** All that is learned, without when it was. */
  List<String> rows() {
    return data.jdbc()
        .sql(
            """
            select concat_ws(' ', k.group_id, k.day, k.first_position, k.width, k.set_ids, k.empty_ids, k.state, k.days, k.spread,
              b.hour, b.lower, b.upper)
            from learned_block k left join learned_band b on b.block_id = k.id
            order by k.group_id, k.day, k.first_position, k.set_ids, b.hour
            """)
        .query(String.class)
        .list();
  }

  int count(String table) {
    return data.jdbc().sql("select count(*) from " + table).query(Integer.class).single();
  }

  @Override
  public void close() {
    data.close();
  }
}
