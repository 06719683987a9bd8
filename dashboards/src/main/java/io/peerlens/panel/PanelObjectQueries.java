package io.peerlens.panel;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What panels need of objects beside their values. */
interface PanelObjectQueries {

  /** References by id. */
  Map<Integer, ObjectRef> references(int[] ids);

  /** Ids within the inventory; unknown ones are left out. */
  int[] ids(Collection<UUID> objects);

  /**
   * The object of a name; empty = there is none, or there are several.
   *
   * @param identifiers that tell objects of one name apart: each value is a part of the object's
   *     id, such as the managed object id, or the property of its key
   */
  Optional<Integer> pinned(ObjectKind kind, String name, Map<String, String> identifiers);

  /** The group of a name. */
  Optional<UUID> group(String name);

  /** Values of a tag by object. */
  Map<Integer, String> tags(int[] ids, String key);

  /** When objects were first and last seen; the second is null for one that never reported. */
  record Seen(Instant first, @Nullable Instant last) {}

  Map<Integer, Seen> seen(int[] ids);

  /** When the last of some objects was seen; null = none ever reported. */
  @Nullable Instant lastSeen(int[] ids);

  /** Unit of a metric of a group; null = none is known. */
  @Nullable String unit(int group, int position);

  /**
   * What properties or tags were at a moment, where they changed since.
   *
   * @param kind {@code property} or {@code tag}
   * @return by object and key; a null value = it had none
   */
  Map<Integer, Map<String, @Nullable String>> former(
      int[] ids, String kind, Collection<String> keys, Instant at);

  /** A property; {@code changedAt} is null if it did not change since it is known. */
  record Property(String key, String value, @Nullable Instant changedAt) {}

  /** Properties of an object at a moment, by key. */
  List<Property> properties(int id, Instant at);

  /** A change of an object; texts are null where there is none. */
  record Changed(
      int object,
      Instant at,
      String kind,
      @Nullable String key,
      @Nullable String before,
      @Nullable String now) {}

  /** The newest changes of some objects in a window, newest first. */
  List<Changed> changes(int[] ids, Instant from, Instant to, int limit);
}
