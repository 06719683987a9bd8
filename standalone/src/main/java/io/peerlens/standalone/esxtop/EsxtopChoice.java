package io.peerlens.standalone.esxtop;

import org.jspecify.annotations.Nullable;

/**
 * Choices of the user about whose samples a file holds.
 *
 * @param host name of the host; null = as the file names it
 * @param vcenter the vCenter of the host; null = any
 * @param create whether host and machines become objects of their own, without asking what is known
 */
public record EsxtopChoice(@Nullable String host, @Nullable String vcenter, boolean create) {

  /** What the file says. */
  public static final EsxtopChoice NONE = new EsxtopChoice(null, null, false);
}
