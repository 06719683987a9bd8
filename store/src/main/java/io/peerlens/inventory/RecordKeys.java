package io.peerlens.inventory;

import io.peerlens.ingest.key.Told;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keys of what records in our own form have said of an object, as the database holds them: {@code
 * name}, {@code locator}, {@code property:NAME}, {@code tag:NAME}, {@code parent:KIND}, {@code
 * child:KIND}.
 */
final class RecordKeys {

  private static final String NAME = "name";
  private static final String LOCATOR = "locator";
  private static final String PROPERTY = "property:";
  private static final String TAG = "tag:";
  private static final String PARENT = "parent:";
  private static final String CHILD = "child:";

  private RecordKeys() {}

  /** The keys, in order. */
  static List<String> of(Told told) {
    TreeSet<String> keys = new TreeSet<>();
    if (told.name()) {
      keys.add(NAME);
    }
    if (told.locator()) {
      keys.add(LOCATOR);
    }
    add(keys, PROPERTY, told.properties());
    add(keys, TAG, told.tags());
    add(keys, PARENT, told.parents());
    add(keys, CHILD, told.children());
    return List.copyOf(keys);
  }

  private static void add(Set<String> keys, String prefix, Collection<String> names) {
    names.forEach(name -> keys.add(prefix + name));
  }

  /**
   * What the keys mean.
   *
   * @param timeMicros {@link Long#MIN_VALUE} = there was no record
   */
  static Told told(long timeMicros, String[] keys) {
    if (timeMicros == Long.MIN_VALUE) {
      return Told.NOTHING;
    }
    boolean name = false;
    boolean locator = false;
    Set<String> properties = new HashSet<>();
    Set<String> tags = new HashSet<>();
    Set<String> parents = new HashSet<>();
    Set<String> children = new HashSet<>();
    for (String key : keys) {
      if (key.startsWith(PROPERTY)) {
        properties.add(key.substring(PROPERTY.length()));
      } else if (key.startsWith(TAG)) {
        tags.add(key.substring(TAG.length()));
      } else if (key.startsWith(PARENT)) {
        parents.add(key.substring(PARENT.length()));
      } else if (key.startsWith(CHILD)) {
        children.add(key.substring(CHILD.length()));
      } else {
        name |= key.equals(NAME);
        locator |= key.equals(LOCATOR);
      }
    }
    return new Told(timeMicros, name, locator, properties, tags, parents, children);
  }
}
