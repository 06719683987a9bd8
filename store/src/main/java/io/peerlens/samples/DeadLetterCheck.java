package io.peerlens.samples;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Says of dead letters of a topic that holds no samples whether they could be read now. */
public interface DeadLetterCheck {

  /** Header of a Kafka record that is a dead letter sent again: the letter's id as digits. */
  String REPLAY_OF = "replay-of";

  /**
   * Why a record is refused.
   *
   * @param reason code of the reason
   * @param detail what is wrong, where, and how to mend it
   */
  record Refusal(String reason, String detail) {}

  /** The topic whose letters this is asked about. */
  String topic();

  /** What is wrong with a record; empty when all of it can be read. */
  Optional<Refusal> check(ConsumerRecord<byte[], byte[]> letter);
}
