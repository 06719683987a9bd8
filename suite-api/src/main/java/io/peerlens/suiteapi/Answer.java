package io.peerlens.suiteapi;

import java.io.IOException;
import tools.jackson.core.JsonGenerator;

/** Answer to a request. */
sealed interface Answer {

  /** A body that was made as a whole. */
  record Whole(int status, Object body) implements Answer {}

  /** A body that is written while it is read. */
  record Streamed(Writer writer) implements Answer {}

  /** No body. */
  record Empty(int status) implements Answer {}

  /** Writer of a body. */
  @FunctionalInterface
  interface Writer {
    void write(JsonGenerator json) throws IOException;
  }

  static Answer ok(Object body) {
    return new Whole(200, body);
  }

  static Answer created(Object body) {
    return new Whole(201, body);
  }

  static Answer empty(int status) {
    return new Empty(status);
  }
}
