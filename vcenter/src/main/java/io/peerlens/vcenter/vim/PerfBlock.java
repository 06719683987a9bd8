package io.peerlens.vcenter.vim;

import java.util.List;

/**
 * Samples of one entity.
 *
 * @param times of the samples in milliseconds since 1970, in the order of vCenter
 */
public record PerfBlock(Moref entity, long[] times, List<Series> series) {

  /**
   * Values of one counter and instance.
   *
   * @param values one for each time, in the counter's raw unit; negative = vCenter has none. May be
   *     shorter or longer than the times, when the answer is damaged
   */
  public record Series(int counter, String instance, long[] values) {}
}
