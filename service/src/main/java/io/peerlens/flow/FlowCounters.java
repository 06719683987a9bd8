package io.peerlens.flow;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RejectReason;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;

/** What this node's reading of flows amounts to; counted when it is durable. */
final class FlowCounters {

  private final LongAdder records = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder flows = new LongAdder();
  private final LongAdder rows = new LongAdder();
  private final Map<RejectReason, LongAdder> rejected = new EnumMap<>(RejectReason.class);
  private final Map<TopicPartition, Long> lag = new ConcurrentHashMap<>();
  private final Timer writeTime;
  private volatile boolean stuck;

  FlowCounters(MeterRegistry registry, LongAdder beyondGuard) {
    counter(registry, "peerlens.flows.records", "Kafka records taken in", records);
    counter(registry, "peerlens.flows.bytes", "Bytes of the Kafka records taken in", bytes);
    counter(registry, "peerlens.flows.flows", "Flow records added to the sums", flows);
    counter(registry, "peerlens.flows.rows", "Sums by minute stored", rows);
    counter(
        registry,
        "peerlens.flows.addresses.beyond.guard",
        "Times an internal address got no object because there are too many",
        beyondGuard);
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
    Gauge.builder("peerlens.flows.stuck", this, counters -> counters.stuck ? 1 : 0)
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

  void stored(
      long moreRecords,
      long moreBytes,
      long moreFlows,
      long moreRows,
      List<DeadLetter> letters,
      Duration took) {
    records.add(moreRecords);
    bytes.add(moreBytes);
    flows.add(moreFlows);
    rows.add(moreRows);
    writeTime.record(took);
    for (DeadLetter letter : letters) {
      Objects.requireNonNull(rejected.get(letter.reason())).increment();
    }
    stuck = false;
  }

  /** Something keeps the sums from being stored. */
  void trouble() {
    stuck = true;
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
