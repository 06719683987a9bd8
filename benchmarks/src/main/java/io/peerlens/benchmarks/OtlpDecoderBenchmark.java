package io.peerlens.benchmarks;

import io.peerlens.ingest.RecordDecoder;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.otlp.OtlpJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.json.JsonMapper;

/**
 * Records of OpenTelemetry in, a batch in columns out, when every series is known. One operation is
 * one point of a vcenterreceiver, with one record for each machine; {@link DecoderBenchmark} is the
 * same of Telegraf's lines, of which one has several values.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class OtlpDecoderBenchmark {

  /** Points of a machine. */
  private static final int POINTS = 20;

  private static final int MACHINES = 1_000;

  private static final List<String> GAUGES =
      List.of(
          "cpu.usage",
          "cpu.utilization",
          "cpu.readiness",
          "memory.usage",
          "memory.utilization",
          "memory.ballooned",
          "memory.swapped",
          "memory.swapped_ssd",
          "disk.utilization",
          "network.usage");

  @Param({"1000", "30000"})
  int virtualMachines;

  private final SampleBatch batch = new SampleBatch();
  private final RecordDecoder decoder = Workload.decoder();
  private final List<List<ConsumerRecord<byte[], byte[]>>> rounds = new ArrayList<>();
  private int next;

  @Setup(Level.Trial)
  public void decodeOnce() throws OtlpJson.WrongForm {
    long offset = 0;
    for (int from = 0; from < virtualMachines; from += MACHINES) {
      List<ConsumerRecord<byte[], byte[]>> round = new ArrayList<>();
      for (int machine = from; machine < from + MACHINES; machine++) {
        byte[] message = OtlpJson.toProtobuf(JsonMapper.shared().readTree(machine(machine)));
        round.add(new ConsumerRecord<>("peerlens.metrics", 0, offset++, null, message));
      }
      rounds.add(round);
    }
    for (int i = 0; i < 2; i++) {
      for (List<ConsumerRecord<byte[], byte[]>> records : rounds) {
        Workload.decode(decoder, records, batch);
      }
    }
    System.out.printf(
        "%.1f values and %.1f bytes a point, %d series%n",
        batch.points() / (double) (MACHINES * POINTS),
        rounds.stream().flatMap(List::stream).mapToInt(r -> r.value().length).average().orElse(0)
            / POINTS,
        decoder.seriesCount());
  }

  private static String machine(int number) {
    StringBuilder metrics = new StringBuilder();
    for (int i = 0; i < GAUGES.size(); i++) {
      metrics.append(metric(GAUGES.get(i), "gauge", point("", number + i)));
    }
    for (String metric : List.of("network.throughput", "network.packet.rate", "disk.throughput")) {
      String[] directions =
          metric.startsWith("disk")
              ? new String[] {"read", "write"}
              : new String[] {"received", "transmitted"};
      metrics.append(
          metric(
              metric,
              "gauge",
              point(attributes("direction", directions[0], "object", "4000"), number)
                  + ','
                  + point(attributes("direction", directions[1], "object", "4000"), number)));
    }
    for (String object : List.of("scsi0:0", "scsi0:1")) {
      metrics.append(
          metric("disk.latency.max", "gauge", point(attributes("object", object), number)));
    }
    metrics.append(
        metric(
            "disk.usage",
            "sum",
            point(attributes("disk_state", "used"), number)
                + ','
                + point(attributes("disk_state", "available"), number)));
    metrics.setLength(metrics.length() - 1);
    return """
        {"resourceMetrics":[{"resource":{%s},"scopeMetrics":[{"scope":{"name":\
        "github.com/open-telemetry/opentelemetry-collector-contrib/receiver/vcenterreceiver"},"metrics":[%s]}]}]}
        """
        .formatted(
            attributes(
                "vcenter.datacenter.name",
                "DC0",
                "vcenter.cluster.name",
                "cluster-" + number / 500,
                "vcenter.host.name",
                "esx-%d.example.net".formatted(number / 25),
                "vcenter.vm.name",
                "vm-%05d".formatted(number),
                "vcenter.vm.id",
                "5029%08d-8b1c-4c6e-9d62-3f6f0f6b0000".formatted(number),
                "server.address",
                "vc-1.example.net"),
            metrics);
  }

  private static String metric(String name, String kind, String points) {
    return """
        {"name":"vcenter.vm.%s","description":"What the receiver says of it.","unit":"{KiBy/s}","%s":{"dataPoints":[%s]}},"""
        .formatted(name, kind, points);
  }

  private static String point(String attributes, int value) {
    return """
        {%s"startTimeUnixNano":"%d","timeUnixNano":"%d","asInt":"%d"}"""
        .formatted(
            attributes.isEmpty() ? "" : attributes + ',',
            Workload.TIME.getEpochSecond() * 1_000_000_000 - 1,
            Workload.TIME.getEpochSecond() * 1_000_000_000,
            value);
  }

  private static String attributes(String... texts) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < texts.length; i += 2) {
      all.append(all.isEmpty() ? "" : ",")
          .append(
              "{\"key\":\"%s\",\"value\":{\"stringValue\":\"%s\"}}"
                  .formatted(texts[i], texts[i + 1]));
    }
    return "\"attributes\":[" + all + "]";
  }

  @Benchmark
  @OperationsPerInvocation(MACHINES * POINTS)
  public SampleBatch decode() {
    batch.clear();
    decoder.decode(rounds.get(next), Map.of(), batch);
    next = (next + 1) % rounds.size();
    return batch;
  }
}
