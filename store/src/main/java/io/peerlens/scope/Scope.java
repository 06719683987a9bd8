package io.peerlens.scope;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Scope of a rule: the objects that it is about.
 *
 * @param only objects that meet this
 * @param exclude and none of these
 */
public record Scope(ScopeCondition only, List<ScopeCondition> exclude) {

  /** Every object. */
  public static final Scope ALL = new Scope(ScopeCondition.ALL, List.of());

  public Scope {
    exclude = List.copyOf(exclude);
  }

  /** Groups that it names. */
  public Set<UUID> groups() {
    Set<UUID> groups = new TreeSet<>(only.groups());
    exclude.forEach(condition -> groups.addAll(condition.groups()));
    return groups;
  }
}
