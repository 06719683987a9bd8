package io.peerlens.samples;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Check of whether dead letters of a topic without samples could be read now. */
public interface DeadLetterCheck {

  /** Header of a Kafka record that is a dead letter sent again: the letter's id as digits. */
  String REPLAY_OF = "replay-of";

  /**
   * Reason why a record is refused.
   *
   * @param reason code of the reason
   * @param detail what is wrong, where, and how to mend it
   */
  record Refusal(String reason, String detail) {}

  /** The topic whose letters this is asked about. */
  String topic();

  /** Says what is wrong with a record; empty when all of it can be read. */
  Optional<Refusal> check(ConsumerRecord<byte[], byte[]> letter);
}
