package io.peerlens.dashboard.lint;

/**
 * Something in a file that is right, but keeps it from working in other installations, or from
 * being read on a wall.
 *
 * @param code name of the kind of finding; it stays the same for good
 * @param path where, such as {@code dashboards[0].panels.heat}
 * @param text what is found, as a sentence
 * @param hint how to mend it, as a sentence
 */
public record Finding(String code, String path, String text, String hint) {

  @Override
  public String toString() {
    return "%s: %s %s".formatted(path, text, hint);
  }
}
