package io.peerlens.store;

/**
 * A stretch of time to be read from one level.
 *
 * @param from microseconds since 1970, inclusive
 * @param to microseconds since 1970, exclusive
 */
public record Segment(Level level, long from, long to) {}
