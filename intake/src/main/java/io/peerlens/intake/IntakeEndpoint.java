package io.peerlens.intake;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** One of the ways to send: how its bodies are cut, and how it is answered. */
interface IntakeEndpoint {

  /** Which topic takes it. */
  enum Target {
    METRICS,
    EVENTS
  }

  /**
   * What is made of a request.
   *
   * @param headers of all records
   * @param accepted headers of the answer when Kafka has them
   */
  record Cut(
      Target target,
      List<Piece> pieces,
      Map<String, String> headers,
      Map<String, String> accepted) {

    static Cut metrics(List<Piece> pieces, Map<String, String> headers) {
      return new Cut(Target.METRICS, pieces, headers, Map.of());
    }
  }

  /** Name in our own metrics. */
  String name();

  /** Longest body after uncompressing; what it grows to while it is cut counts. */
  int most(HttpServletRequest request, int setting);

  /** {@code Content-Encoding} of the body; null where the format itself is compressed. */
  default String encoding(HttpServletRequest request) {
    String encoding = request.getHeader("Content-Encoding");
    return encoding == null ? "" : encoding;
  }

  /**
   * Cuts a body into records.
   *
   * @param key of records that have none by their content: who sends
   */
  Cut cut(byte[] body, HttpServletRequest request, byte[] key, IntakeMemory.Share share)
      throws Refusal;

  /** Answers that Kafka has it. */
  void accept(HttpServletRequest request, HttpServletResponse response) throws IOException;

  /** Answers that it was not taken; status and Retry-After are set already. */
  void refuse(HttpServletRequest request, HttpServletResponse response, Refusal refusal)
      throws IOException;
}
