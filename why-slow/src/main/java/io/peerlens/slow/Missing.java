package io.peerlens.slow;

/**
 * Something that is not measured.
 *
 * @param what in words
 * @param collector what would bring it
 * @param needed whether a cause may hide in it
 */
public record Missing(Band band, String what, String collector, boolean needed) {}
