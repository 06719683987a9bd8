package io.peerlens.supermetrics.file;

/**
 * Part of a file that was not taken over.
 *
 * @param place where
 * @param text what is wrong and how to mend it
 */
public record Problem(Place place, String text) {

  @Override
  public String toString() {
    return place + ": " + text;
  }
}
