package io.peerlens.event;

import io.peerlens.event.decode.EventDecoder;
import io.peerlens.event.mapping.EventRules;
import io.peerlens.samples.DeadLetterCheck;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Check of dead letters of events: reads them as ingest would, and forgets what they say. Whether
 * their objects are known shows when they are sent again.
 */
final class EventDeadLetterCheck implements DeadLetterCheck {

  private final String topic;
  private final EventDecoder decoder;
  private final EventRules rules;

  EventDeadLetterCheck(String topic, EventDecoder decoder, EventRules rules) {
    this.topic = topic;
    this.decoder = decoder;
    this.rules = rules;
  }

  @Override
  public String topic() {
    return topic;
  }

  @Override
  public Optional<Refusal> check(ConsumerRecord<byte[], byte[]> letter) {
    EventIntake intake = new EventIntake(decoder, rules, Integer.MAX_VALUE);
    intake.add(letter);
    return intake.letters().stream()
        .findFirst()
        .map(why -> new Refusal(why.reason().code(), why.detail()));
  }
}
