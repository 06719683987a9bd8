package io.peerlens.dashboard.file;

/**
 * A mistake in a file.
 *
 * @param path where, such as {@code dashboards[0].panels.heat.columns[2].metric}
 * @param text what is wrong; it follows the path as its predicate, such as "is missing"
 * @param hint how to mend it; empty = the text says it
 */
public record Mistake(String path, String text, String hint) {

  @Override
  public String toString() {
    return path + " " + text + "." + (hint.isEmpty() ? "" : " " + hint);
  }
}
