package io.peerlens.flow;

import io.peerlens.ingest.flow.Exporters;
import io.peerlens.ingest.flow.FlowBatch;
import io.peerlens.ingest.flow.FlowDecoder;
import io.peerlens.ingest.flow.FlowGuards;
import io.peerlens.pipeline.DeadLetterCheck;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Decodes dead letters of flows as ingest would, and forgets what they say. */
final class FlowDeadLetterCheck implements DeadLetterCheck {

  private final String topic;
  private final FlowGuards guards;
  private final InstantSource clock;

  FlowDeadLetterCheck(String topic, FlowGuards guards, InstantSource clock) {
    this.topic = topic;
    this.guards = guards;
    this.clock = clock;
  }

  @Override
  public String topic() {
    return topic;
  }

  @Override
  public Optional<Refusal> check(ConsumerRecord<byte[], byte[]> letter) {
    List<Refusal> refusals = new ArrayList<>();
    byte[] value = letter.value();
    new FlowDecoder(() -> guards, new Exporters(), clock)
        .decode(
            value,
            0,
            value.length,
            letter.timestamp(),
            new FlowBatch(),
            (number, reason, detail, from, to) -> refusals.add(new Refusal(reason.code(), detail)));
    return refusals.stream().findFirst();
  }
}
