package io.peerlens.outlier;

import io.peerlens.support.SampleData;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Machines that do the same job, with a sample every five minutes, made from a seed. */
final class PeersWorld {

  static final String KIND = "{'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'}";

  private final SampleData data;
  private final int group;
  private final Random random = new Random(11);

  /** How busy a machine is. */
  interface Load {
    /** Values of the metrics; NaN = none. */
    double[] at(Instant time, double wave, Random random);
  }

  PeersWorld(SampleData data) {
    this.data = data;
    group =
        data.group(
            "VMWARE",
            "VirtualMachine",
            "cpu",
            List.of("usage_average", "ready_summation", "idle_summation"));
    data.sql("update metric_group set units = '{percent,ms,ms}' where id = " + group);
  }

  /** An ordinary machine of an application: busy by day, like the others. */
  static Load usual() {
    return (time, wave, random) ->
        new double[] {
          30 + 15 * wave + random.nextGaussian() * 2, 20 + random.nextGaussian() * 2, 400
        };
  }

  /**
   * A machine with its samples.
   *
   * @param tags as JSON with single quotes
   * @return its id within the database
   */
  int machine(String name, String tags, Instant from, Instant to, Load load) {
    int id = data.object("VMWARE", "VirtualMachine", name);
    data.jdbc()
        .sql("update object set tags = ?::jsonb where id = ?")
        .params(tags.replace('\'', '"'), id)
        .update();
    samples(data.set(id, group, ""), from, to, load);
    return id;
  }

  private void samples(int set, Instant from, Instant to, Load load) {
    try (Connection connection = data.dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "insert into sample (time, set_id, values) select t, ?, string_to_array(v, ',', 'NaN')::float8[] from unnest(?, ?) as u(t, v)")) {
      List<Object> times = new ArrayList<>();
      List<String> values = new ArrayList<>();
      for (Instant t = from; t.isBefore(to); t = t.plusSeconds(300)) {
        double wave = Math.sin(t.getEpochSecond() / 86_400.0 * 2 * Math.PI);
        double[] now = load.at(t, wave, random);
        if (!Double.isNaN(now[0])) {
          times.add(t.plusSeconds(random.nextInt(200)).atOffset(ZoneOffset.UTC));
          values.add(now[0] + "," + now[1] + "," + now[2]);
        }
      }
      statement.setInt(1, set);
      statement.setArray(2, connection.createArrayOf("timestamptz", times.toArray()));
      statement.setArray(3, connection.createArrayOf("text", values.toArray()));
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The service learns of new objects. */
  void ready() {
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
  }
}
