package io.peerlens.flow;

import io.peerlens.flow.decode.Exporters;
import io.peerlens.flow.decode.FlowBatch;
import io.peerlens.flow.decode.FlowDeadLetters;
import io.peerlens.flow.decode.FlowDecoder;
import io.peerlens.flow.decode.FlowGuards;
import io.peerlens.samples.DeadLetterCheck;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Check of dead letters of flows: decodes them as ingest would, and forgets what they say. */
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
    FlowDeadLetters refused = new FlowDeadLetters();
    new FlowDecoder(() -> guards, new Exporters(), clock).decode(letter, new FlowBatch(), refused);
    return refused.take().stream()
        .findFirst()
        .map(why -> new Refusal(why.reason().code(), why.detail()));
  }
}
