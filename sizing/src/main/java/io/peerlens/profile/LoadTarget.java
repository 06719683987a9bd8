package io.peerlens.profile;

import java.time.Duration;
import java.util.List;

/**
 * Where and how long a load is made. None of this follows from a profile.
 *
 * @param paths files or devices that are read and <em>written over</em>; 1 to 256
 * @param bytesEach how much of each is used, from its beginning: the working set by the number of
 *     paths, where that is known; at least 1 MB
 * @param threads of each path, 1 to 1,024
 * @param depth operations that a thread has on their way at once, 1 to 4,096
 * @param warmUp before what is measured; whole seconds
 * @param length of what is measured; whole seconds, at least one
 */
public record LoadTarget(
    List<String> paths, long bytesEach, int threads, int depth, Duration warmUp, Duration length) {

  private static final int MOST_PATHS = 256;
  private static final int LONGEST_PATH = 1_024;
  private static final long LEAST_BYTES = 1 << 20;

  public LoadTarget {
    paths = List.copyOf(paths);
    range("number of paths", paths.size(), 1, MOST_PATHS);
    for (String path : paths) {
      if (path.isBlank()
          || path.length() > LONGEST_PATH
          || path.chars().anyMatch(c -> c < ' ' || c == 0x7f || "\"'`;*?<>|".indexOf(c) >= 0)) {
        throw new IllegalArgumentException(
            "The path \"%s\" cannot be written in a file of parameters: give one without quotes,"
                    .formatted(path.length() > 60 ? path.substring(0, 60) + "..." : path)
                + " ; * ? < > | and control characters");
      }
    }
    range("bytes of each path", bytesEach, LEAST_BYTES, 1L << 50);
    range("threads", threads, 1, 1_024);
    range("depth", depth, 1, 4_096);
    range("seconds of warming up", warmUp.toSeconds(), 0, 604_800);
    range("seconds", length.toSeconds(), 1, 2_592_000);
  }

  private static void range(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "The %s is %d: give %d to %d".formatted(what, value, least, most));
    }
  }

  /** Threads of all paths. */
  int allThreads() {
    return paths.size() * threads;
  }

  /**
   * That no path has a character that a tool takes for something else.
   *
   * @param characters that it does
   */
  void without(String characters, String tool) {
    for (String path : paths) {
      if (path.chars().anyMatch(c -> characters.indexOf(c) >= 0)) {
        throw new IllegalArgumentException(
            "%s takes \"%s\" for something else: give a path without any of %s"
                .formatted(tool, path, characters.replace(" ", "(blank)")));
      }
    }
  }
}
