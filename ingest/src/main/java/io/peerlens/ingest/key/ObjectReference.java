package io.peerlens.ingest.key;

/**
 * Reference to another object as the tags of this one name it: collectors give a VM's host by name,
 * not by id.
 *
 * @param role what the other object is to this one
 * @param adapterKind of the other object
 * @param objectKind of the other object
 * @param locator matches {@link ObjectAttributes#locator()} of the other object
 */
public record ObjectReference(Role role, String adapterKind, String objectKind, String locator) {

  /** Role of the other object. */
  public enum Role {
    PARENT,
    CHILD
  }
}
