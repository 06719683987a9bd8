package io.peerlens.flow;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RejectReason;
import io.peerlens.ingest.flow.FlowDecoder;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;

/** What this node's reading of flows amounts to; counted when it is durable. */
final class FlowCounters {

  private final LongAdder records = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder flows = new LongAdder();
  private final LongAdder rows = new LongAdder();
  private final LongAdder late = new LongAdder();
  private final Map<RejectReason, LongAdder> rejected = new EnumMap<>(RejectReason.class);
  private final Map<TopicPartition, Long> lag = new ConcurrentHashMap<>();
  private final Map<TopicPartition, LongAdder> recordsOf = new ConcurrentHashMap<>();
  private final LongAdder internalLines = new LongAdder();
  private final LongAdder optionRecords = new LongAdder();
  private final LongAdder otherTraffic = new LongAdder();
  private final LongAdder beyondGuard;
  private final Timer writeTime;
  private volatile String trouble = "";

  FlowCounters(MeterRegistry registry, LongAdder beyondGuard) {
    this.beyondGuard = beyondGuard;
    counter(registry, "peerlens.flows.records", "Kafka records taken in", records);
    counter(registry, "peerlens.flows.bytes", "Bytes of the Kafka records taken in", bytes);
    counter(registry, "peerlens.flows.flows", "Flow records added to the sums", flows);
    counter(registry, "peerlens.flows.rows", "Sums by minute stored", rows);
    counter(
        registry,
        "peerlens.flows.late",
        "Sums by minute stored after their 5 minutes may have been rolled up",
        late);
    counter(
        registry,
        "peerlens.flows.addresses.beyond.guard",
        "Times an internal address got no object because there are too many",
        beyondGuard);
    passedOver(registry, "internal", internalLines);
    passedOver(registry, "options", optionRecords);
    passedOver(registry, "other", otherTraffic);
    for (RejectReason reason : RejectReason.values()) {
      LongAdder adder = new LongAdder();
      rejected.put(reason, adder);
      FunctionCounter.builder("peerlens.flows.rejected", adder, LongAdder::sum)
          .tag("reason", reason.code())
          .description("Flow records that went to the dead letters")
          .register(registry);
    }
    Gauge.builder("peerlens.flows.lag", this, FlowCounters::totalLag)
        .description("Records in Kafka that are not read yet, of this node's partitions")
        .register(registry);
    Gauge.builder("peerlens.flows.stuck", this, counters -> counters.trouble.isEmpty() ? 0 : 1)
        .description("1 while something keeps flows from being stored; the log says what")
        .register(registry);
    writeTime =
        Timer.builder("peerlens.flows.write")
            .description("Storing sums, from begin to commit")
            .register(registry);
  }

  private static void counter(
      MeterRegistry registry, String name, String description, LongAdder adder) {
    FunctionCounter.builder(name, adder, LongAdder::sum)
        .description(description)
        .register(registry);
  }

  /** What is no flow: Telegraf's own statistics, options of NetFlow, events without traffic. */
  private static void passedOver(MeterRegistry registry, String kind, LongAdder adder) {
    FunctionCounter.builder("peerlens.flows.passed.over", adder, LongAdder::sum)
        .tag("kind", kind)
        .description("Records that are no flows and were passed over")
        .register(registry);
  }

  /** Adds what a decoder has passed over since it was asked last. */
  void passedOver(FlowDecoder.PassedOver more) {
    internalLines.add(more.internalLines());
    optionRecords.add(more.optionRecords());
    otherTraffic.add(more.otherTraffic());
  }

  void stored(
      Map<TopicPartition, Long> moreOf,
      long moreRecords,
      long moreBytes,
      long moreFlows,
      long moreRows,
      long moreLate,
      List<DeadLetter> letters,
      Duration took) {
    moreOf.forEach(
        (partition, count) ->
            recordsOf.computeIfAbsent(partition, any -> new LongAdder()).add(count));
    records.add(moreRecords);
    bytes.add(moreBytes);
    flows.add(moreFlows);
    rows.add(moreRows);
    late.add(moreLate);
    writeTime.record(took);
    for (DeadLetter letter : letters) {
      Objects.requireNonNull(rejected.get(letter.reason())).increment();
    }
    trouble = "";
  }

  /** Something keeps the sums from being stored. */
  void trouble(String reason) {
    trouble = reason;
  }

  /** What keeps the sums from being stored; empty = nothing. */
  String trouble() {
    return trouble;
  }

  /** What was stored since the start. */
  record Totals(
      long records, long bytes, long flows, long rows, long late, long commits, double millis) {}

  Totals totals() {
    return new Totals(
        records.sum(),
        bytes.sum(),
        flows.sum(),
        rows.sum(),
        late.sum(),
        writeTime.count(),
        writeTime.totalTime(TimeUnit.MILLISECONDS));
  }

  /** Records that wait, by partition that this node reads. */
  Map<TopicPartition, Long> lag() {
    return Map.copyOf(lag);
  }

  /** Records stored since the start, by partition. */
  Map<TopicPartition, Long> recordsByPartition() {
    Map<TopicPartition, Long> sums = new HashMap<>();
    recordsOf.forEach((partition, sum) -> sums.put(partition, sum.sum()));
    return sums;
  }

  /** How often an internal address got no object because there are too many. */
  long beyondGuard() {
    return beyondGuard.sum();
  }

  void lag(TopicPartition partition, long waiting) {
    lag.put(partition, waiting);
  }

  void released(Collection<TopicPartition> partitions) {
    lag.keySet().removeAll(partitions);
  }

  private double totalLag() {
    return lag.values().stream().mapToLong(Long::longValue).sum();
  }
}
