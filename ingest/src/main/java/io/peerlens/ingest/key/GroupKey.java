package io.peerlens.ingest.key;

/**
 * A metric group: the metrics that one kind of object reports together, {@code VMWARE,
 * VirtualMachine, cpu}. Their positions in a sample are append-only.
 */
public record GroupKey(String adapterKind, String objectKind, String name) {}
