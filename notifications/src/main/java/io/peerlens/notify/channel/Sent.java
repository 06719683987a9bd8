package io.peerlens.notify.channel;

import java.util.List;

/**
 * Message as it was sent, for people: the delivery log and the Test button show it. Secrets stand
 * in it as {@code [secret NAME]}, never as their values.
 *
 * @param line what in one line: {@code POST https://example.com/hook}, {@code SMTP
 *     mx.example.com:587 STARTTLS}, {@code SNMP v3 inform to 192.0.2.1:162}
 * @param headers in the order sent
 * @param body the text as sent; of a mail its text part, of a trap one variable per line
 */
public record Sent(String line, List<HeaderLine> headers, String body) {

  public Sent {
    headers = List.copyOf(headers);
  }

  /** The first value of a header, or an empty text. */
  public String header(String name) {
    return Answer.header(headers, name);
  }
}
