package io.peerlens.ingest.key;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Identity of a watched object. Names change and repeat, so they are no part of it.
 *
 * @param adapterKind who reports it, {@code VMWARE}
 * @param objectKind what it is, {@code VirtualMachine}
 * @param externalId its id there, {@code vcenter.example/vm-42}
 */
public record ObjectKey(String adapterKind, String objectKind, String externalId) {

  /** The id in the API: name-based (version 3), so every node and every restart finds the same. */
  public UUID uuid() {
    return UUID.nameUUIDFromBytes(
        (adapterKind + '\0' + objectKind + '\0' + externalId).getBytes(StandardCharsets.UTF_8));
  }
}
