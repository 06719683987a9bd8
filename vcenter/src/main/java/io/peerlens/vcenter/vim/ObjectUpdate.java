package io.peerlens.vcenter.vim;

import java.util.List;

/**
 * News of one managed object.
 *
 * @param kind whether it is new, changed or gone
 * @param changes what changed; of a new one all properties that are set
 * @param missing paths that could not be read, with the type of the fault; mostly for want of
 *     rights
 */
public record ObjectUpdate(
    Kind kind, Moref object, List<PropertyChange> changes, List<Missing> missing) {

  /** What happened to an object. */
  public enum Kind {
    ENTER,
    MODIFY,
    LEAVE
  }

  /** A property that could not be read. */
  public record Missing(String path, String fault) {}

  public ObjectUpdate {
    changes = List.copyOf(changes);
    missing = List.copyOf(missing);
  }
}
