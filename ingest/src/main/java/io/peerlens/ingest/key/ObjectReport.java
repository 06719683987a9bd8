package io.peerlens.ingest.key;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Report on an object: what the tags of a series or a record in our own form say of it, and take
 * away.
 *
 * @param attributes what is said; a record names all children of the kinds of which it names any
 * @param withoutProperties names of properties that the object does not have
 * @param withoutTags names of tags that the object does not have
 * @param withoutParents kinds of which the object has no parent
 * @param withoutChildren kinds of which the object has no child
 * @param gone whether its source has removed the object
 */
public record ObjectReport(
    Source source,
    ObjectAttributes attributes,
    Set<String> withoutProperties,
    Set<String> withoutTags,
    Set<String> withoutParents,
    Set<String> withoutChildren,
    boolean gone) {

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
    withoutChildren = Set.copyOf(withoutChildren);
  }

  /** What the tags of a line say. */
  public static ObjectReport ofLine(ObjectAttributes attributes) {
    return new ObjectReport(Source.LINE, attributes, Set.of(), Set.of(), Set.of(), Set.of(), false);
  }

  /** Whether nothing is said of the object, not even that it is gone. */
  public boolean isEmpty() {
    return !gone && tellsNothing();
  }

  /** Whether nothing is said of its attributes and none are taken away. */
  boolean tellsNothing() {
    return attributes.equals(ObjectAttributes.NONE) && takesNothing();
  }

  /** Whether nothing is taken away. */
  private boolean takesNothing() {
    return withoutProperties.isEmpty()
        && withoutTags.isEmpty()
        && withoutParents.isEmpty()
        && withoutChildren.isEmpty();
  }

  /** Whether the object is no longer below or above another, as it was known to be. */
  private boolean takes(ObjectReference known) {
    String kind = known.objectKind();
    return switch (known.role()) {
      case PARENT -> withoutParents.contains(kind);
      case CHILD ->
          withoutChildren.contains(kind)
              || source == Source.RECORD
                  && attributes.childKinds().contains(kind)
                  && !attributes.references().contains(known);
    };
  }

  /** Whether this would change what is known. */
  boolean changes(ObjectAttributes known) {
    return known.isChangedBy(attributes)
        || withoutProperties.stream().anyMatch(known.properties()::containsKey)
        || withoutTags.stream().anyMatch(known.tags()::containsKey)
        || known.references().stream().anyMatch(this::takes);
  }

  /** What is known once this was said. */
  ObjectAttributes on(ObjectAttributes known) {
    ObjectAttributes more = known.with(attributes);
    if (takesNothing() && attributes.childKinds().isEmpty()) {
      return more;
    }
    Map<String, String> properties = new HashMap<>(more.properties());
    properties.keySet().removeAll(withoutProperties);
    Map<String, String> tags = new HashMap<>(more.tags());
    tags.keySet().removeAll(withoutTags);
    Set<ObjectReference> references = new HashSet<>(more.references());
    references.removeIf(this::takes);
    return new ObjectAttributes(more.name(), more.locator(), properties, tags, references);
  }
}
