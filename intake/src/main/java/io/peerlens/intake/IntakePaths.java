package io.peerlens.intake;

import java.util.List;

/** Paths of the intake: those that senders have built in, and two of our own. */
final class IntakePaths {

  static final String OTLP = "/v1/metrics";
  static final String INFLUX_2 = "/api/v2/write";
  static final String INFLUX_1 = "/write";
  static final String REMOTE_WRITE = "/api/v1/write";
  static final String SAMPLES = "/v1/samples";
  static final String EVENTS = "/v1/events";
  static final String PING = "/ping";
  static final String QUERY = "/query";

  /** Those that take what is stored. */
  static final List<String> WRITING =
      List.of(OTLP, INFLUX_2, INFLUX_1, REMOTE_WRITE, SAMPLES, EVENTS);

  static final List<String> ASKING = List.of(PING, QUERY);

  private IntakePaths() {}
}
