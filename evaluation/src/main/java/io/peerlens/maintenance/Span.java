package io.peerlens.maintenance;

import java.time.Instant;

/**
 * A stretch of time.
 *
 * @param from inclusive
 * @param to exclusive
 */
public record Span(Instant from, Instant to) {

  boolean contains(Instant moment) {
    return !moment.isBefore(from) && moment.isBefore(to);
  }
}
