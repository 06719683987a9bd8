package io.peerlens.notify.webhook;

/** A request cannot be made of message and target; the message is for people. */
final class RequestException extends Exception {

  RequestException(String message) {
    super(message);
  }
}
