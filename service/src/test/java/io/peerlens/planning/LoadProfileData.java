package io.peerlens.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** A server with a month of three machines, of which the mixture is known. */
final class LoadProfileData implements AutoCloseable {

  static final int DAYS = 30;
  static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.HOURS);

  /** One hour of much more. */
  static final Instant BURST = NOW.minus(Duration.ofDays(2));

  private final SampleData data;
  private final PeerlensServer server;
  private final UUID cluster;

  /**
   * Six hours in ten are 1,000 operations of 8 KB with 70 % reads, the rest 300 of 64 KB with 20 %.
   */
  LoadProfileData() {
    data = SampleData.create();
    int group =
        data.group(
            "VMWARE",
            "VirtualMachine",
            "virtualDisk",
            List.of(
                "numberReadAveraged_average",
                "numberWriteAveraged_average",
                "read_average",
                "write_average",
                "totalReadLatency_average",
                "totalWriteLatency_average"));
    int above = data.object("VMWARE", "ClusterComputeResource", "prod");
    cluster =
        data.jdbc().sql("select uuid from object where name = 'prod'").query(UUID.class).single();
    for (String name : List.of("db-1", "db-2", "elsewhere")) {
      int vm = data.object("VMWARE", "VirtualMachine", name);
      if (!name.equals("elsewhere")) {
        data.sql("insert into relation (parent_id, child_id) values (%d, %d)".formatted(above, vm));
      }
      data.sql(
          "update object set properties = '{\"config|hardware|memoryKB\": \"8388608\"}', tags = '{\"tier\": \"db\"}' where id = "
              + vm);
      if (name.equals("elsewhere")) {
        // The same, told of its disks.
        hours(
            vm, group, "scsi0:0", "400, 100, 3200, 800, 0.5, 2.0", "30, 120, 1920, 7680, 4.0, 8.0");
        hours(
            vm,
            group,
            "scsi0:1",
            "300, 200, 2400, 1600, 1.6666667, 2.0",
            "30, 120, 1920, 7680, 4.0, 8.0");
      } else {
        hours(vm, group, "", "700, 300, 5600, 2400, 1.0, 2.0", "60, 240, 3840, 15360, 4.0, 8.0");
      }
    }
    // One burst of one machine, two days ago.
    data.jdbc()
        .sql(
            """
            update sample_1h set avg = array[9000, 1000, 72000, 8000, 1.0, 2.0]
            where time = ? and set_id = (select s.id from metric_set s join object o on o.id = s.object_id where o.name = 'db-2')
            """)
        .param(SampleData.time(BURST))
        .update();
    data.jdbc().sql("update level_state set rolled_until = ?").param(SampleData.time(NOW)).update();
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
  }

  private void hours(int vm, int group, String disk, String busy, String quiet) {
    data.jdbc()
        .sql(
            """
            insert into sample_1h (time, set_id, samples, avg)
            select t, ?, 12, case when (extract(epoch from t)::bigint / 3600) %% 10 < 6
              then array[%s] else array[%s] end
            from generate_series(?::timestamptz, ?::timestamptz - interval '1 hour', interval '1 hour') t
            """
                .formatted(busy, quiet))
        .params(
            data.set(vm, group, disk),
            SampleData.time(NOW.minus(Duration.ofDays(DAYS))),
            SampleData.time(NOW))
        .update();
  }

  @Override
  public void close() {
    server.close();
    data.close();
  }

  static String period() {
    return "\"from\": \"%s\", \"to\": \"%s\"".formatted(NOW.minus(Duration.ofDays(DAYS)), NOW);
  }

  JsonNode computed(String request) {
    Answer answer = server.admin().post("/load-profiles", request);
    assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    String path = "/load-profiles/" + answer.json().path("id").asString();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                !server
                    .admin()
                    .get(path)
                    .json()
                    .at("/summary/state")
                    .asString()
                    .equals("computing"));
    JsonNode done = server.admin().get(path).json();
    assertThat(done.at("/summary/state").asString()).as(done.toString()).isEqualTo("done");
    return done;
  }

  static JsonNode group(JsonNode profile, String name) {
    return profile
        .path("groups")
        .valueStream()
        .filter(one -> one.path("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  ApiClient admin() {
    return server.admin();
  }

  SampleData data() {
    return data;
  }

  /** Id of the cluster of two of the machines. */
  UUID cluster() {
    return cluster;
  }
}
