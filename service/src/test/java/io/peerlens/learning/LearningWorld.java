package io.peerlens.learning;

import io.peerlens.role.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Virtual machines with hourly roll-ups that follow a daily rhythm, made from their numbers alone.
 */
final class LearningWorld implements AutoCloseable {

  static final String KIND = "VirtualMachine";
  static final String CPU = "cpu|usage_average";
  static final String READY = "cpu|ready_summation";

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

  void known() {
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
  }

  /** Usage of 40 to 60 % with noise, highest at 6 o'clock UTC, and always 7 ms ready. */
  void usual(int set, Instant from, Instant to) {
    cells(
        set,
        from,
        to,
        "50 + 10 * sin(extract(hour from h at time zone 'UTC') * pi() / 12) + (extract(epoch from h)::bigint / 3600 * 7919 + s * 31) % 13 / 4.0");
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
