package io.peerlens.supermetrics;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Definition of a super metric in the export format. It holds everything that a file of the export
 * format says of it, so that writing it again gives the same members with the same values: {@code
 * null} means that the file does not have the member, which is not the same as an empty one.
 *
 * <p>A member that the format does not know, or that has another type than the format says, is kept
 * in {@code other} and is written as it was read; in the second case the typed component is {@code
 * null}. Nothing is corrected: the formula need not even parse.
 *
 * @param id never changes; names can
 * @param resourceKinds the object kinds that it is computed for, in the order of the file; empty =
 *     assigned to none
 * @param modificationTime milliseconds since 1970; 0 occurs and means unknown
 * @param name unique within an installation; may begin with a zero-width blank, and keeps it
 * @param formula as written: line breaks, tabs and trailing blanks included
 * @param description for people
 * @param unitId unit id of the format, for instance {@code percent} or {@code gb}; empty and {@code
 *     none} mean no unit
 * @param modifiedBy id of the user who changed it last, normally a uuid; empty occurs
 * @param other everything else by member name, in the order of the file. The nodes must not be
 *     changed
 */
public record SuperMetric(
    UUID id,
    @Nullable List<ResourceKind> resourceKinds,
    @Nullable Long modificationTime,
    String name,
    String formula,
    @Nullable String description,
    @Nullable String unitId,
    @Nullable String modifiedBy,
    Map<String, JsonNode> other) {

  public SuperMetric {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a super metric needs a name: " + id);
    }
    resourceKinds = resourceKinds == null ? null : List.copyOf(resourceKinds);
    other = Collections.unmodifiableMap(new LinkedHashMap<>(other));
  }

  /**
   * An object kind that a super metric is computed for.
   *
   * @param adapterKind such as {@code VMWARE}
   * @param objectKind such as {@code VirtualMachine}
   * @param other members of the entry that the format does not know
   */
  public record ResourceKind(String adapterKind, String objectKind, Map<String, JsonNode> other) {

    public ResourceKind {
      other = Collections.unmodifiableMap(new LinkedHashMap<>(other));
    }

    /** An entry with nothing but the two keys of the format. */
    public ResourceKind(String adapterKind, String objectKind) {
      this(adapterKind, objectKind, Map.of());
    }
  }

  /** Key under which the result is stored and other formulas refer to it. */
  public String metricKey() {
    return "Super Metric|sm_" + id;
  }

  /** The object kinds that it is computed for; empty also when the file says nothing of them. */
  public List<ResourceKind> assignedTo() {
    return resourceKinds == null ? List.of() : resourceKinds;
  }

  /** Unit id, empty when there is none. */
  public String unit() {
    return unitId == null || unitId.equals("none") ? "" : unitId;
  }

  /** When it was last changed, if that is known. */
  public @Nullable Instant modified() {
    return modificationTime == null || modificationTime == 0
        ? null
        : Instant.ofEpochMilli(modificationTime);
  }
}
