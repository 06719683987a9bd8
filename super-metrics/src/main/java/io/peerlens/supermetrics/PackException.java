package io.peerlens.supermetrics;

import java.util.List;

/** A file is no pack of super metrics. The message holds every mistake, one a line. */
public final class PackException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * A pack with mistakes.
   *
   * @param pack name of the pack
   * @param problems what is wrong, and where
   */
  PackException(String pack, List<String> problems) {
    super(pack + ": " + String.join(System.lineSeparator() + pack + ": ", problems));
  }
}
