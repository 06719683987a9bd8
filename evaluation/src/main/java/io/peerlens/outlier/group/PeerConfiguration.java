package io.peerlens.outlier.group;

import io.peerlens.outliers.Majority;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Properties in which the members of a group are compared, and when a difference counts.
 *
 * @param properties empty = members are compared in metrics only
 * @param lasts how long a difference must last before it opens an event
 */
public record PeerConfiguration(List<Property> properties, Majority.Rule rule, Duration lasts) {

  /** Nothing is compared. */
  public static final PeerConfiguration NONE =
      new PeerConfiguration(List.of(), Majority.Rule.DEFAULT, Duration.ofHours(1));

  public PeerConfiguration {
    properties = List.copyOf(properties);
  }

  /**
   * Properties of one pattern.
   *
   * @param accepted values that members may have beside the one of the majority
   */
  public record Property(PropertyPattern pattern, Set<String> accepted) {
    public Property {
      accepted = Set.copyOf(accepted);
    }
  }

  /** Whether anything is compared. */
  public boolean compares() {
    return !properties.isEmpty();
  }

  /** Whether a key is one of those that are compared. */
  public boolean fits(String key) {
    return properties.stream().anyMatch(one -> one.pattern().fits(key));
  }

  /** Values of a key that are accepted by any of the patterns that fit it. */
  public Set<String> accepted(String key) {
    Set<String> accepted = new HashSet<>();
    for (Property one : properties) {
      if (!one.accepted().isEmpty() && one.pattern().fits(key)) {
        accepted.addAll(one.accepted());
      }
    }
    return accepted;
  }

  /**
   * What differences are found by. While that is the same they go on, also where other values are
   * accepted.
   */
  public boolean findsAs(PeerConfiguration other) {
    return patterns().equals(other.patterns())
        && (!compares() || rule.equals(other.rule) && lasts.equals(other.lasts));
  }

  private Set<PropertyPattern> patterns() {
    Set<PropertyPattern> patterns = new HashSet<>();
    properties.forEach(one -> patterns.add(one.pattern()));
    return patterns;
  }
}
