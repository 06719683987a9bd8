package io.peerlens.notify.channel;

/** Refusal of a message that cannot become a request to its target; the message is for people. */
final class RequestException extends Exception {

  RequestException(String message) {
    super(message);
  }
}
