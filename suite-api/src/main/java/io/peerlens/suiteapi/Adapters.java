package io.peerlens.suiteapi;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Adapter instances, and the collector that has them all. A vCenter has an instance, which is an
 * object; whatever reports objects of another adapter kind has one stand-in for all of them.
 */
final class Adapters {

  /** Kind of the object that stands for a vCenter. */
  static final String INSTANCE_KIND = "VMwareAdapter Instance";

  /** Name of the one collector. */
  static final String COLLECTOR = "Peerlens";

  static final int COLLECTOR_ID = 1;

  static final UUID COLLECTOR_UUID = id("suite-api collector");

  static final UUID COLLECTOR_GROUP = id("suite-api collector group");

  private Adapters() {}

  /** Id of the stand-in for whatever reports objects of an adapter kind. */
  static UUID standIn(String adapterKind) {
    return id("suite-api adapter " + adapterKind);
  }

  private static UUID id(String of) {
    return UUID.nameUUIDFromBytes(of.getBytes(StandardCharsets.UTF_8));
  }
}
