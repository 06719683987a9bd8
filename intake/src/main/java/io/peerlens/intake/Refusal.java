package io.peerlens.intake;

import io.peerlens.ingest.protobuf.Malformed;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request that is not taken. Nothing of it is in Kafka, unless Kafka failed in the middle of it.
 */
final class Refusal extends Exception {

  private static final long serialVersionUID = 1;

  private final int status;
  private final transient @Nullable Duration retryAfter;

  private Refusal(int status, String message, @Nullable Duration retryAfter) {
    super(message, null, false, false);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** What was sent is wrong; sending it again does not help. */
  static Refusal bad(String message) {
    return new Refusal(400, message, null);
  }

  static Refusal malformed(Malformed e) {
    return bad("The body is not the protobuf message that is expected: " + e.getMessage() + ".");
  }

  static Refusal of(int status, String message) {
    return new Refusal(status, message, null);
  }

  static Refusal tooLarge(String message) {
    return new Refusal(413, message, null);
  }

  /** Too much at once, here or in Kafka. */
  static Refusal busy(String message) {
    return new Refusal(429, message, Duration.ofSeconds(1));
  }

  /** Kafka does not answer. */
  static Refusal unavailable(String message) {
    return new Refusal(503, message, Duration.ofSeconds(5));
  }

  int status() {
    return status;
  }

  /** When to send it again; null = never. */
  @Nullable Duration retryAfter() {
    return retryAfter;
  }

  String message() {
    return String.valueOf(getMessage());
  }
}
