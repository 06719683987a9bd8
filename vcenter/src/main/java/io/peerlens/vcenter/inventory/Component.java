package io.peerlens.vcenter.inventory;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of a managed object that is an object of ours, such as a disk group of a host, and has no
 * managed object of its own.
 *
 * @param kind vROps' object kind
 * @param id unique within the vCenter
 * @param name after that of the managed object
 * @param of id of the part that holds it; null = the managed object itself
 */
record Component(
    String kind,
    String id,
    String name,
    @Nullable String of,
    Map<String, String> properties,
    Map<String, Double> metrics) {}
