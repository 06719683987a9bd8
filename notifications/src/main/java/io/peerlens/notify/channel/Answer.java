package io.peerlens.notify.channel;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Response of a receiver: status, headers and body. Secrets of the target are cut out of it, should
 * a receiver echo them.
 *
 * @param status of HTTP or SMTP; of an SNMP inform the error status (0 = no error)
 * @param line the status with its words
 * @param headers as received
 * @param body as far as it was read; what a template captures is looked up here. Only {@link #head}
 *     is meant to be kept
 * @param truncated whether the receiver had more to say than is read
 */
public record Answer(
    int status, String line, List<HeaderLine> headers, String body, boolean truncated) {

  /** Bytes of an answer that are kept. */
  public static final int HEAD_BYTES = 2048;

  public Answer {
    headers = List.copyOf(headers);
  }

  /** The first 2 KB of the body, never half a character. */
  public String head() {
    CharsetEncoder encoder =
        StandardCharsets.UTF_8
            .newEncoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    CharBuffer in = CharBuffer.wrap(body);
    encoder.encode(in, ByteBuffer.allocate(HEAD_BYTES), true);
    return body.substring(0, in.position());
  }

  /** The first value of a header, or an empty text. */
  public String header(String name) {
    return header(headers, name);
  }

  static String header(List<HeaderLine> headers, String name) {
    return headers.stream()
        .filter(header -> header.name().equalsIgnoreCase(name))
        .map(HeaderLine::value)
        .findFirst()
        .orElse("");
  }
}
