package io.peerlens.supermetric;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Objects for which a super metric is computed.
 *
 * @param enabled whether it is computed at all
 * @param rules exceptions in order; the last one that matches an object decides, and an object that
 *     none matches is computed
 */
public record Policy(boolean enabled, List<Rule> rules) {

  /** Computed for every object of its kinds. */
  public static final Policy ALL = new Policy(true, List.of());

  public Policy {
    rules = List.copyOf(rules);
  }

  /**
   * Enables or disables the objects that meet all its conditions; null = no such condition.
   *
   * @param tag {@code key=value}, or {@code key} for any value
   * @param property likewise
   * @param name of the whole name; {@code *} = any text, letter case does not count
   * @param ancestor uuid of an object above, at any depth
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Rule(
      boolean enabled,
      @Nullable String adapterKind,
      @Nullable String objectKind,
      @Nullable String tag,
      @Nullable String property,
      @Nullable String name,
      @Nullable UUID ancestor) {

    /** Whether it can match objects of a kind at all. */
    boolean isAbout(String adapter, String kind) {
      return (adapterKind == null || adapterKind.equals(adapter))
          && (objectKind == null || objectKind.equals(kind));
    }

    /** Whether it matches every object of the kinds it is about. */
    boolean isUnconditional() {
      return tag == null && property == null && name == null && ancestor == null;
    }
  }
}
