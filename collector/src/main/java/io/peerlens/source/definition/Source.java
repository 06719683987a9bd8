package io.peerlens.source.definition;

import io.peerlens.source.Part;
import io.peerlens.source.Trust;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Source that Peerlens reads itself, as it is stored.
 *
 * @param kind as the API calls it
 * @param address https, with host and perhaps a port, and nothing behind them
 * @param password name of the secret that holds it
 * @param version its ETag, from 1
 */
public record Source(
    UUID id,
    String name,
    String kind,
    URI address,
    String username,
    String password,
    Trust trust,
    Set<Part> reads,
    Map<String, String> options,
    long version) {

  public Source {
    reads = Set.copyOf(reads);
    options = Map.copyOf(options);
  }
}
