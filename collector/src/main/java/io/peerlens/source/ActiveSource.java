package io.peerlens.source;

import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Source that is to be read, as a collector needs it.
 *
 * @param address where it is; always https, with host, without user, query and fragment
 * @param password the password now, read from the secret store with each call; keep it no longer
 *     than signing in takes. Fails with a message for people where it cannot be opened
 * @param trust whose certificate is accepted
 * @param reads what is read from it; not empty
 * @param options settings of its kind; those that are left out have their default
 * @param version moves with every change; a changed source gets a new collector
 */
public record ActiveSource(
    UUID id,
    String name,
    URI address,
    String username,
    Supplier<String> password,
    Trust trust,
    Set<Part> reads,
    Map<String, String> options,
    long version) {

  public ActiveSource {
    reads = Set.copyOf(reads);
    options = Map.copyOf(options);
  }
}
