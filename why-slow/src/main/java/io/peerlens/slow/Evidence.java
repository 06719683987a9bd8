package io.peerlens.slow;

import java.util.List;

/**
 * All that is known of a machine and its path around a moment.
 *
 * @param machine its name
 * @param stepSeconds length of a step
 * @param steps how many steps each series has
 * @param window how many of the last ones are the moment
 * @param vsan whether its disks are on vSAN
 * @param tracks series of the path
 * @param neighbours machines that share something with it
 * @param limits its disks with a limit
 * @param limitsKnown whether a disk without a limit would be known as such
 * @param missing what is not measured
 */
public record Evidence(
    String machine,
    int stepSeconds,
    int steps,
    int window,
    boolean vsan,
    List<Track> tracks,
    List<Neighbour> neighbours,
    List<DiskLimit> limits,
    boolean limitsKnown,
    List<Missing> missing) {

  public Evidence {
    if (window < 1 || window >= steps || stepSeconds < 1) {
      throw new IllegalArgumentException(
          steps + " steps of " + stepSeconds + " s with a window of " + window);
    }
    tracks = List.copyOf(tracks);
    neighbours = List.copyOf(neighbours);
    limits = List.copyOf(limits);
    missing = List.copyOf(missing);
  }

  int stepsIn(int minutes) {
    return Math.max(1, minutes * 60 / stepSeconds);
  }
}
