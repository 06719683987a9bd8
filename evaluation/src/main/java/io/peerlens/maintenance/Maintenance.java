package io.peerlens.maintenance;

import java.util.UUID;

/** A maintenance window that an object is in. */
public record Maintenance(UUID id, String name) {}
