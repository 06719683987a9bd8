package io.peerlens.vcenter.performance;

import java.util.List;
import java.util.Map;

/**
 * Figure that vROps has and vCenter has not: it is computed from counters of the same object, from
 * five minutes of them, or from what the objects within it told.
 *
 * @param type of vim25
 * @param key vROps' key without instance; one that starts with {@code ~} is a step to others and is
 *     not told
 * @param unit as vROps has it; empty for none
 */
public record Figure(String type, String key, String unit, Rule rule) {

  /** Mark of a key that is not told. */
  static final char STEP = '~';

  /** How it is computed. */
  public sealed interface Rule {
    /** The same in words, for docs/vcenter-keys.md. */
    String words();
  }

  /** Computes the values by instance; empty = what it needs is not there. */
  interface Way {
    Map<String, double[]> of(Samples samples, PerfEntity entity);
  }

  /** From counters of the object itself at the same moment. */
  record Own(String words, Way way) implements Rule {}

  /** From the fifteen moments of five minutes: the highest, or all together. */
  record Window(String of, boolean peak) implements Rule {
    @Override
    public String words() {
      return (peak ? "highest of the 20 s samples of " : "sum of the 20 s samples of ")
          + of
          + " in 5 minutes";
    }
  }

  /** How figures of parts become one. */
  enum Together {
    SUM,
    HIGHEST,
    MEAN,
    SHARE
  }

  /**
   * From the objects within it at the same moment.
   *
   * @param part type of vim25 of these
   * @param weights of a mean: the sum of these figures; empty = all weigh the same
   * @param bound of a share: it is of the parts that are above this
   */
  record OfParts(String part, Together together, String of, List<String> weights, double bound)
      implements Rule {
    @Override
    public String words() {
      String parts =
          switch (part) {
            case "VirtualMachine" -> "the running machines";
            case "HostSystem" -> "the hosts";
            default -> "the " + part + " objects";
          };
      return switch (together) {
        case SUM -> "sum of " + of + " of " + parts;
        case HIGHEST -> "highest " + of + " of " + parts;
        case MEAN ->
            "mean of "
                + of
                + " of "
                + parts
                + (weights.isEmpty()
                    ? ""
                    : ", weighted by " + String.join(" + ", weights).replace("~", ""));
        case SHARE -> "share of " + parts + " whose " + of + " is above " + Figures.written(bound);
      };
    }
  }

  boolean isTold() {
    return key.charAt(0) != STEP;
  }

  /** Group of the key, {@code cpu} of {@code cpu|readyPct}. */
  String group() {
    return key.substring(0, Math.max(0, key.lastIndexOf('|')));
  }

  /** Name within the group. */
  String name() {
    return key.substring(key.lastIndexOf('|') + 1);
  }
}
