package io.peerlens.web;

import java.util.Set;

/**
 * Paths whose handlers bound the bodies of their requests themselves, after they know the caller.
 *
 * @param paths as a request names them
 */
public record OwnBodyLimits(Set<String> paths) {

  public OwnBodyLimits {
    paths = Set.copyOf(paths);
  }
}
