package io.peerlens.slow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A series of the path, with those that should be alike.
 *
 * @param values a mean for each step; NaN = none
 * @param learned what is usual at the hour of the window; null = nothing is learned
 * @param peerKind who the peers are, such as "hosts of Cluster B"
 * @param peers their series, without this one
 */
public record Track(
    Signal signal,
    Origin origin,
    double[] values,
    @Nullable Usual learned,
    String peerKind,
    List<double[]> peers) {

  public Track {
    peers = List.copyOf(peers);
  }
}
