package io.peerlens.ingest;

import io.peerlens.ingest.OtlpMessages.Message;
import java.util.ArrayList;
import java.util.List;

/** Messages with points of every kind. */
final class OtlpSamples {

  static final String HOST_SCOPE =
      "github.com/open-telemetry/opentelemetry-collector-contrib/receiver/hostmetricsreceiver/internal/scraper/cpuscraper";

  private OtlpSamples() {}

  /**
   * A message of three resources: a service with all kinds of points, a host with its cpus, and a
   * datastore of a vCenter.
   *
   * @param time in seconds
   * @param round makes cumulative values grow
   */
  static byte[] all(OtlpMessages m, long time, int round) {
    return m.metrics(service(m, time, round), host(m, time, round), datastore(m, time));
  }

  /** Messages of one metric each, one for each kind of points. */
  static List<byte[]> small(OtlpMessages m, long time) {
    List<byte[]> all = new ArrayList<>();
    for (Message metric : serviceMetrics(m, time, 0)) {
      all.add(m.metrics(m.resource("lib", List.of(metric), "service.name", "shop")));
    }
    all.add(m.metrics(host(m, time, 0)));
    all.add(m.metrics(datastore(m, time)));
    return all;
  }

  private static Message service(OtlpMessages m, long time, int round) {
    return m.resource(
        "shop.checkout",
        serviceMetrics(m, time, round),
        "service.name",
        "shop",
        "host.name",
        "vm-1");
  }

  private static List<Message> serviceMetrics(OtlpMessages m, long time, int round) {
    long nanos = time * 1_000_000_000L;
    Message histogram =
        m.message()
            .fixed(2, nanos - 10_000_000_000L)
            .fixed(3, nanos)
            .fixed(4, 10)
            .decimal(5, 15)
            .packed(6, 4L, 4L, 2L)
            .packed(7, 1.0, 2.0)
            .decimal(11, 0.25)
            .decimal(12, 3)
            .attributes(9, "route", "/cart");
    Message exponential =
        m.message()
            .attributes(1, "route", "/pay")
            .fixed(2, nanos - 10_000_000_000L)
            .fixed(3, nanos)
            .fixed(4, 9)
            .decimal(5, 20)
            .varint(6, 2)
            .fixed(7, 1)
            .message(8, m.message().varint(1, 3).packedVarint(2, 1, 2, 3))
            .message(9, m.message().varint(1, 0).packedVarint(2, 2))
            .decimal(12, -1)
            .decimal(13, 3);
    Message summary =
        m.message()
            .fixed(3, nanos)
            .fixed(4, 100 + 10L * round)
            .decimal(5, 50 + 10 * round)
            .message(6, m.message().decimal(1, 0.5).decimal(2, 0.4))
            .message(6, m.message().decimal(1, 0.99).decimal(2, 0.9))
            .attributes(7, "route", "/cart");
    return List.of(
        m.gauge("queue.depth", "{message}", m.number(0, time, 32, "queue", "orders")),
        m.sum(
            "http.requests",
            "{request}",
            2,
            true,
            m.number(time - 1_000, time, 100 + 20 * round, "route", "/cart"),
            m.number(time - 1_000, time, 300 + 10 * round, "route", "/pay")),
        m.sum("http.active", "", 2, false, m.number(time - 1_000, time, 4)),
        m.sum("jobs.done", "", 1, true, m.number(time - 10, time, 40)),
        m.histogram(9, "http.duration", 1, histogram),
        m.histogram(10, "db.duration", 1, exponential),
        m.message()
            .text(1, "rpc.duration")
            .text(3, "s")
            .message(11, m.message().message(1, summary)));
  }

  private static Message host(OtlpMessages m, long time, int round) {
    List<Message> points = new ArrayList<>();
    for (int cpu = 0; cpu < 2; cpu++) {
      points.add(
          m.number(100, time, 1_000 + (8 - 4 * cpu) * round, "cpu", "cpu" + cpu, "state", "idle"));
      points.add(m.number(100, time, 500 + 2 * round, "cpu", "cpu" + cpu, "state", "user"));
      points.add(
          m.number(100, time, 50 + 4 * cpu * round, "cpu", "cpu" + cpu, "state", "interrupt"));
    }
    return m.resource(
        HOST_SCOPE,
        List.of(m.sum("system.cpu.time", "s", 2, true, points.toArray(new Message[0]))),
        "host.name",
        "vm-1",
        "os.type",
        "linux");
  }

  private static Message datastore(OtlpMessages m, long time) {
    return m.resource(
        "github.com/open-telemetry/opentelemetry-collector-contrib/receiver/vcenterreceiver",
        List.of(
            m.sum(
                "vcenter.datastore.disk.usage",
                "By",
                2,
                false,
                m.number(1, time, 1024 * 300, "disk_state", "used"),
                m.number(1, time, 1024 * 700, "disk_state", "available"))),
        "vcenter.datacenter.name",
        "DC0",
        "vcenter.datastore.name",
        "ds-1");
  }
}
