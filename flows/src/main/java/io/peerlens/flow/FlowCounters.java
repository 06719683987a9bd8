package io.peerlens.flow;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.flow.decode.FlowDecoder;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.kafka.TopicCounters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;

/** Counters of this node's ingest of flows. */
final class FlowCounters extends TopicCounters {

  private final LongAdder flows = new LongAdder();
  private final LongAdder late = new LongAdder();
  private final LongAdder internalLines = new LongAdder();
  private final LongAdder optionRecords = new LongAdder();
  private final LongAdder otherTraffic = new LongAdder();
  private final LongAdder beyondGuard;

  FlowCounters(MeterRegistry registry, LongAdder beyondGuard) {
    super(
        registry,
        "peerlens.flows.",
        "Sums by minute stored",
        "Flow records that went to the dead letters",
        "Storing sums, from start to commit");
    this.beyondGuard = beyondGuard;
    counter("flows", "Flow records added to the sums", flows);
    counter("late", "Sums by minute stored after their 5 minutes may have been rolled up", late);
    counter(
        "addresses.beyond.guard",
        "Times an internal address got no object because there are too many",
        beyondGuard);
    passedOver(registry, "internal", internalLines);
    passedOver(registry, "options", optionRecords);
    passedOver(registry, "other", otherTraffic);
    Gauge.builder("peerlens.flows.stuck", this, counters -> counters.trouble().isEmpty() ? 0 : 1)
        .description("1 while something keeps flows from being stored; the log says what")
        .register(registry);
  }

  /** Telegraf's own statistics, options of NetFlow, and events without traffic are no flows. */
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

  /** Counts what was stored in one transaction. */
  void stored(
      Map<TopicPartition, Long> recordsOf,
      long records,
      long bytes,
      long moreFlows,
      long rows,
      long moreLate,
      List<DeadLetter> letters,
      Duration took) {
    flows.add(moreFlows);
    late.add(moreLate);
    stored(recordsOf, records, bytes, rows, letters, took);
  }

  /** Flow records added to sums since the start. */
  long flows() {
    return flows.sum();
  }

  /** Rows since the start that came after their bucket may have been rolled up. */
  long late() {
    return late.sum();
  }

  /** Times that an internal address got no object because there are too many. */
  long beyondGuard() {
    return beyondGuard.sum();
  }
}
