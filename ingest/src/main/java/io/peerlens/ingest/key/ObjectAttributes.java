package io.peerlens.ingest.key;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of an object, from the tags of one series or from one JSON record. A series tells only
 * part: an attribute that is absent here is not taken away from the object.
 *
 * @param name what people call it; empty when this series does not tell
 * @param locator what other objects' tags call it; null when this series does not tell
 * @param properties configuration by vROps property name
 * @param tags labels that people gave it
 * @param references its parents and children as named by the collector; all parents of one kind are
 *     replaced together; children are added, and replaced together only by a record
 */
public record ObjectAttributes(
    String name,
    @Nullable String locator,
    Map<String, String> properties,
    Map<String, String> tags,
    Set<ObjectReference> references) {

  public ObjectAttributes {
    properties = Map.copyOf(properties);
    tags = Map.copyOf(tags);
    references = Set.copyOf(references);
  }

  /** What a series or record says that says nothing. */
  public static final ObjectAttributes NONE =
      new ObjectAttributes("", null, Map.of(), Map.of(), Set.of());

  /**
   * What is known after {@code told} was said too: parents of a kind take the place of parents of
   * that kind, everything else is added or replaced by name.
   */
  public ObjectAttributes with(ObjectAttributes told) {
    Map<String, String> allProperties = new HashMap<>(properties);
    allProperties.putAll(told.properties);
    Map<String, String> allTags = new HashMap<>(tags);
    allTags.putAll(told.tags);
    Set<String> parentKinds = told.parentKinds();
    Set<ObjectReference> allReferences = new HashSet<>(told.references);
    for (ObjectReference reference : references) {
      if (reference.role() == ObjectReference.Role.CHILD
          || !parentKinds.contains(reference.objectKind())) {
        allReferences.add(reference);
      }
    }
    return new ObjectAttributes(
        told.name.isEmpty() ? name : told.name,
        told.locator == null ? locator : told.locator,
        allProperties,
        allTags,
        allReferences);
  }

  /** Whether {@link #with} would give anything else than this. */
  boolean isChangedBy(ObjectAttributes told) {
    if ((!told.name.isEmpty() && !told.name.equals(name))
        || (told.locator != null && !told.locator.equals(locator))
        || !holds(properties, told.properties)
        || !holds(tags, told.tags)
        || !references.containsAll(told.references)) {
      return true;
    }
    Set<String> parentKinds = told.parentKinds();
    return references.stream()
        .anyMatch(
            r ->
                r.role() == ObjectReference.Role.PARENT
                    && parentKinds.contains(r.objectKind())
                    && !told.references.contains(r));
  }

  private static boolean holds(Map<String, String> texts, Map<String, String> told) {
    for (Map.Entry<String, String> entry : told.entrySet()) {
      if (!entry.getValue().equals(texts.get(entry.getKey()))) {
        return false;
      }
    }
    return true;
  }

  /** The kinds of which a parent is named. */
  Set<String> parentKinds() {
    return kinds(ObjectReference.Role.PARENT);
  }

  /** The kinds of which a child is named. */
  Set<String> childKinds() {
    return kinds(ObjectReference.Role.CHILD);
  }

  private Set<String> kinds(ObjectReference.Role role) {
    return references.stream()
        .filter(r -> r.role() == role)
        .map(ObjectReference::objectKind)
        .collect(Collectors.toSet());
  }
}
