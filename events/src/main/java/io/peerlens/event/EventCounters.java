package io.peerlens.event;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.ingest.kafka.TopicCounters;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;

/** Counters of this node's ingest of events. */
final class EventCounters extends TopicCounters {

  private final LongAdder dropped = new LongAdder();
  private final LongAdder recorded = new LongAdder();
  private final LongAdder merged = new LongAdder();
  private final LongAdder known = new LongAdder();
  private final LongAdder waited = new LongAdder();
  private final LongAdder alarms = new LongAdder();

  EventCounters(MeterRegistry registry) {
    super(
        registry,
        "peerlens.events.",
        "Events that are changes or alarms",
        "Events that went to the dead letters",
        "Storing events, from start to commit");
    outcome(registry, "dropped", dropped, "that no rule makes a change of");
    outcome(registry, "recorded", recorded, "recorded as changes");
    outcome(registry, "merged", merged, "that belong to changes recorded before");
    outcome(registry, "known", known, "told before");
    outcome(registry, "waiting", waited, "of objects that were not known yet");
    outcome(registry, "alarm", alarms, "that are states of alarms");
    Gauge.builder("peerlens.events.stuck", this, counters -> counters.trouble().isEmpty() ? 0 : 1)
        .description("1 while something keeps events from being stored; the log says what")
        .register(registry);
  }

  private static void outcome(
      MeterRegistry registry, String outcome, LongAdder adder, String description) {
    FunctionCounter.builder("peerlens.events.outcome", adder, LongAdder::sum)
        .tag("outcome", outcome)
        .description("Events " + description)
        .register(registry);
  }

  /** Counts what was stored in one transaction. */
  void stored(
      Map<TopicPartition, Long> recordsOf,
      long records,
      long bytes,
      long moreDropped,
      EventStore.Stored stored,
      Duration took) {
    dropped.add(moreDropped);
    tried(stored);
    stored(
        recordsOf,
        records,
        bytes,
        stored.recorded() + stored.merged() + stored.known() + stored.waiting() + stored.alarms(),
        stored.letters(),
        took);
  }

  /** Counts what became of events, those that had waited as well. */
  void tried(EventStore.Stored stored) {
    recorded.add(stored.recorded());
    merged.add(stored.merged());
    known.add(stored.known());
    waited.add(stored.waiting());
    alarms.add(stored.alarms());
  }

  /** Events since the start that no rule makes a change of. */
  long dropped() {
    return dropped.sum();
  }
}
