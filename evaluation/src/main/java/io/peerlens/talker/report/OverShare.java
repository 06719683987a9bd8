package io.peerlens.talker.report;

import java.time.Instant;

/**
 * A talker above the limit of a report.
 *
 * @param key what rankings call it
 * @param name what people call it
 * @param object number of the object that its alert is about
 * @param value for people, with its unit
 * @param total of all, for people
 * @param since end of the first window in which it was above the limit, seconds since 1970
 */
record OverShare(
    String key, String name, int object, double share, String value, String total, long since) {

  Instant first() {
    return Instant.ofEpochSecond(since);
  }
}
