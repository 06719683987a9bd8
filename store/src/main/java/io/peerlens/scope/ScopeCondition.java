package io.peerlens.scope;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Objects that meet all conditions given; an empty list, or null, is no condition.
 *
 * @param objectKinds any of these kinds
 * @param groups members of any of these groups
 * @param tags all of these, each {@code key=value}, or {@code key} for any value
 * @param properties likewise
 * @param name of the whole name; {@code *} = any text, letter case does not count
 * @param ancestors uuids of objects above, at any depth; any of them
 * @param objects uuids of the objects; any of them
 */
public record ScopeCondition(
    List<ObjectKind> objectKinds,
    List<UUID> groups,
    List<String> tags,
    List<String> properties,
    @Nullable String name,
    List<UUID> ancestors,
    List<UUID> objects) {

  /** Met by every object. */
  public static final ScopeCondition ALL =
      new ScopeCondition(List.of(), List.of(), List.of(), List.of(), null, List.of(), List.of());

  public ScopeCondition {
    objectKinds = List.copyOf(objectKinds);
    groups = List.copyOf(groups);
    tags = List.copyOf(tags);
    properties = List.copyOf(properties);
    ancestors = List.copyOf(ancestors);
    objects = List.copyOf(objects);
  }

  /** Whether it can be met by objects of a kind at all. */
  boolean isAbout(ObjectKind kind) {
    return objectKinds.isEmpty() || objectKinds.contains(kind);
  }

  /** Whether every object of the kinds it is about meets it. */
  boolean isUnconditional() {
    return groups.isEmpty()
        && tags.isEmpty()
        && properties.isEmpty()
        && name == null
        && ancestors.isEmpty()
        && objects.isEmpty();
  }
}
