package io.peerlens.vcenter.vim;

/**
 * Performance counter of a vCenter.
 *
 * @param id its number in this vCenter; others number otherwise
 * @param group such as {@code cpu}
 * @param name such as {@code usage}
 * @param rollup such as {@code average}
 * @param unit key of the unit, such as {@code percent}, in which values are hundredths of percents
 * @param level statistics level from which on it is kept beyond the real-time hour, 1 to 4
 */
public record PerfCounter(
    int id, String group, String name, String rollup, String unit, int level) {

  /** Its full name, {@code cpu.usage.average}. */
  public String fullName() {
    return group + "." + name + "." + rollup;
  }
}
