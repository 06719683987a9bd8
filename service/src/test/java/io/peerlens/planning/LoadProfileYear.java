package io.peerlens.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.OperatingSystemMXBean;
import io.peerlens.node.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Measures how long a load profile takes of machines whose roll-ups are stored as the store keeps
 * them: in the order of time, with means, least, most, last and sketches. Run by hand, since it
 * takes minutes and gigabytes: {@code -Dit.test=LoadProfileYear -Dprofile.machines=1000}.
 */
class LoadProfileYear {

  private static final int MACHINES = Integer.getInteger("profile.machines", 1000);
  private static final int DAYS = Integer.getInteger("profile.days", 365);
  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.HOURS);

  private static final List<String> METRICS =
      List.of(
          "numberReadAveraged_average",
          "numberWriteAveraged_average",
          "read_average",
          "write_average",
          "totalReadLatency_average",
          "totalWriteLatency_average");

  private static final String HOURS =
      """
      insert into %s (time, set_id, samples, avg, min, max, last%s)
      select t, s.id, %d, v.v, v.v, v.v, v.v%s
      from generate_series(?::timestamptz, ?::timestamptz - interval '1 second', interval '%s') t
      cross join metric_set s
      cross join lateral (select 50 + 100 * ((hashint8((extract(epoch from t)::bigint / 3600) * 7919 + s.id) & 1023) / 1023.0) as load) l
      cross join lateral (select array[l.load, l.load / 2, l.load * 8, l.load * 8, 1.0, 2.0]::float8[] as v) v
      where s.group_id = ?
      """;

  @Test
  void aYearOfMachines() {
    try (SampleData data = SampleData.create()) {
      fill(data);
      try (PeerlensServer server = PeerlensServer.start(data.database(), Set.of(Role.API))) {
        for (int run = 0; run < 2; run++) {
          measure(server, data);
        }
      }
    }
  }

  private static void fill(SampleData data) {
    long began = System.nanoTime();
    int group = data.group("VMWARE", "VirtualMachine", "virtualDisk", METRICS);
    data.sql(
        """
        insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
        select gen_random_uuid(), 'VMWARE', kind, kind || n, kind || n, now(), now()
        from (select 'VirtualMachine' as kind, generate_series(1, %d) as n
          union all select 'ClusterComputeResource', generate_series(1, 10)) o
        """
            .formatted(MACHINES));
    data.sql(
        """
        insert into relation (parent_id, child_id)
        select c.id, v.id from object v join object c on c.object_kind = 'ClusterComputeResource'
          and c.name = 'ClusterComputeResource' || (substring(v.name from '[0-9]+$')::int %% 10 + 1)
        where v.object_kind = 'VirtualMachine'
        """
            .replace("%%", "%"));
    data.sql(
        "insert into metric_set (object_id, group_id, instance) select id, %d, '' from object where object_kind = 'VirtualMachine'"
            .formatted(group));
    // A month at a time, as the rows come; with the indexes made afterwards, to wait less.
    data.sql("drop index sample_1h_set_time");
    data.sql("drop index sample_5m_set_time");
    for (Instant at = NOW.minus(Duration.ofDays(DAYS));
        at.isBefore(NOW);
        at = at.plus(Duration.ofDays(30))) {
      Instant end = at.plus(Duration.ofDays(30)).isAfter(NOW) ? NOW : at.plus(Duration.ofDays(30));
      insert(data, "sample_1h", 12, "1 hour", true, at, end, group);
    }
    insert(data, "sample_5m", 1, "5 minutes", false, NOW.minus(Duration.ofDays(7)), NOW, group);
    data.sql("create unique index sample_1h_set_time on sample_1h (set_id, time)");
    data.sql("create unique index sample_5m_set_time on sample_5m (set_id, time)");
    data.jdbc().sql("update level_state set rolled_until = ?").param(SampleData.time(NOW)).update();
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    data.sql("analyze");
    System.out.printf(
        "%d machines, %d days filled in %.0f s; hours take %s%n",
        MACHINES,
        DAYS,
        (System.nanoTime() - began) / 1e9,
        data.jdbc()
            .sql("select pg_size_pretty(pg_database_size(current_database()))")
            .query(String.class)
            .single());
  }

  private static void insert(
      SampleData data,
      String table,
      int samples,
      String step,
      boolean sketches,
      Instant from,
      Instant to,
      int group) {
    // As many bytes as a sketch of an hour takes.
    String sketch =
        ", array_fill(decode(repeat('a5', 28), 'hex'), array[%d])".formatted(METRICS.size());
    data.jdbc()
        .sql(
            HOURS.formatted(
                table, sketches ? ", sketches" : "", samples, sketches ? sketch : "", step))
        .params(SampleData.time(from), SampleData.time(to), group)
        .update();
  }

  private static void measure(PeerlensServer server, SampleData data) {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    double ofDatabase = secondsOfDatabase(data);
    long used = system.getProcessCpuTime();
    long began = System.nanoTime();
    String id =
        server
            .admin()
            .post(
                "/load-profiles",
                "{\"from\": \"%s\", \"to\": \"%s\"}"
                    .formatted(NOW.minus(Duration.ofDays(DAYS)), NOW))
            .json()
            .path("id")
            .asString();
    AtomicLong most = new AtomicLong();
    JsonNode summary =
        await()
            .pollInterval(Duration.ofMillis(200))
            .atMost(Duration.ofHours(1))
            .until(
                () -> {
                  Runtime runtime = Runtime.getRuntime();
                  most.accumulateAndGet(runtime.totalMemory() - runtime.freeMemory(), Math::max);
                  return server.admin().get("/load-profiles/" + id).json().path("summary");
                },
                one -> !one.path("state").asString().equals("computing"));
    System.out.printf(
        "%s: %.1f s; processor time %.1f s of the server's process, %.1f s of the database; at most %d MB used%n",
        summary.path("state").asString(),
        (System.nanoTime() - began) / 1e9,
        (system.getProcessCpuTime() - used) / 1e9,
        secondsOfDatabase(data) - ofDatabase,
        most.get() >> 20);
    assertThat(summary.path("state").asString()).as(summary.toString()).isEqualTo("done");
    assertThat(summary.path("machines").asInt()).isEqualTo(MACHINES);
  }

  /** Processor time of the database's container; 0 = it runs in none. */
  private static double secondsOfDatabase(SampleData data) {
    return data.jdbc()
        .sql(
            """
            select coalesce(
              (regexp_match(pg_read_file('/sys/fs/cgroup/cpu.stat', 0, 1000, true), 'usage_usec (\\d+)'))[1]::float8 / 1e6,
              pg_read_file('/sys/fs/cgroup/cpuacct/cpuacct.usage', 0, 100, true)::float8 / 1e9, 0)
            """)
        .query(Double.class)
        .single();
  }
}
