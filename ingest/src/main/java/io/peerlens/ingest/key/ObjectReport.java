package io.peerlens.ingest.key;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Report on an object: what the tags of a series or a record in our own form say of it, and take
 * away.
 *
 * @param attributes what is said
 * @param withoutProperties names of properties that the object does not have
 * @param withoutTags names of tags that the object does not have
 * @param withoutParents kinds of which the object has no parent
 */
public record ObjectReport(
    Source source,
    ObjectAttributes attributes,
    Set<String> withoutProperties,
    Set<String> withoutTags,
    Set<String> withoutParents) {

  /** Source of a report. */
  public enum Source {
    /** Tags and fields of a line, which a mapping file explains. */
    LINE,
    /** A record in our own form, which names what it means. */
    RECORD
  }

  public ObjectReport {
    withoutProperties = Set.copyOf(withoutProperties);
    withoutTags = Set.copyOf(withoutTags);
    withoutParents = Set.copyOf(withoutParents);
  }

  /** What the tags of a line say. */
  public static ObjectReport ofLine(ObjectAttributes attributes) {
    return new ObjectReport(Source.LINE, attributes, Set.of(), Set.of(), Set.of());
  }

  /** Whether nothing is said and nothing taken away. */
  public boolean isEmpty() {
    return attributes.equals(ObjectAttributes.NONE) && takesNothing();
  }

  /** Whether nothing is taken away. */
  boolean takesNothing() {
    return withoutProperties.isEmpty() && withoutTags.isEmpty() && withoutParents.isEmpty();
  }

  /** Whether this would change what is known. */
  boolean changes(ObjectAttributes known) {
    return known.isChangedBy(attributes)
        || withoutProperties.stream().anyMatch(known.properties()::containsKey)
        || withoutTags.stream().anyMatch(known.tags()::containsKey)
        || known.parentKinds().stream().anyMatch(withoutParents::contains);
  }

  /** What is known once this was said. */
  ObjectAttributes on(ObjectAttributes known) {
    ObjectAttributes more = known.with(attributes);
    if (takesNothing()) {
      return more;
    }
    Map<String, String> properties = new HashMap<>(more.properties());
    properties.keySet().removeAll(withoutProperties);
    Map<String, String> tags = new HashMap<>(more.tags());
    tags.keySet().removeAll(withoutTags);
    Set<ObjectReference> references = new HashSet<>(more.references());
    references.removeIf(
        r -> r.role() == ObjectReference.Role.PARENT && withoutParents.contains(r.objectKind()));
    return new ObjectAttributes(more.name(), more.locator(), properties, tags, references);
  }
}
