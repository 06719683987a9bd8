package io.peerlens.suiteapi;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Adapter instances. A vCenter has one, which is an object; whatever reports objects of another
 * adapter kind has one stand-in for all of them.
 */
final class Adapters {

  /** Kind of the object that stands for a vCenter. */
  static final String INSTANCE_KIND = "VMwareAdapter Instance";

  private Adapters() {}

  /** Id of the stand-in for whatever reports objects of an adapter kind. */
  static UUID standIn(String adapterKind) {
    return UUID.nameUUIDFromBytes(
        ("suite-api adapter " + adapterKind).getBytes(StandardCharsets.UTF_8));
  }
}
