package io.peerlens.sizing;

import org.jspecify.annotations.Nullable;

/**
 * Answer of a rule: figures with a reason, or "not known" with the reason for that.
 *
 * @param <T> the figures
 */
public sealed interface Answer<T> {

  /** The figures, or null if they are not known. */
  @Nullable T orNull();

  /**
   * Figures that are known.
   *
   * @param figures with their reason in one sentence
   */
  record Known<T>(T figures) implements Answer<T> {
    @Override
    public @Nullable T orNull() {
      return figures;
    }
  }

  /**
   * Figures that are not known.
   *
   * @param because what is missing, in one sentence
   */
  record NotKnown<T>(String because) implements Answer<T> {
    @Override
    public @Nullable T orNull() {
      return null;
    }
  }
}
