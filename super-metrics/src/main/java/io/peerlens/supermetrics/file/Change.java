package io.peerlens.supermetrics.file;

import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.SuperMetric.ResourceKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A field in which two definitions differ.
 *
 * @param field name of the member in the file, {@code id} for the member's own name
 * @param before what is stored, as text; {@code null} = the member is absent
 * @param after what the file has
 * @param lines the two texts line by line; only for {@code formula}, otherwise empty
 */
public record Change(
    String field, @Nullable String before, @Nullable String after, List<Line> lines) {

  public Change {
    lines = List.copyOf(lines);
  }

  /**
   * One line of a formula.
   *
   * @param kind what becomes of it
   * @param text without the line feed
   */
  public record Line(Kind kind, String text) {

    /** Fate of a line. */
    public enum Kind {
      SAME,
      REMOVED,
      ADDED
    }
  }

  /** Every field in which the definitions differ, in the order of the product's files. */
  public static List<Change> between(SuperMetric before, SuperMetric after) {
    List<Change> changes = new ArrayList<>();
    add(changes, "id", before.id().toString(), after.id().toString());
    if (!sameKinds(before.resourceKinds(), after.resourceKinds())) {
      changes.add(
          new Change(
              "resourceKinds",
              text(before.resourceKinds()),
              text(after.resourceKinds()),
              List.of()));
    }
    add(
        changes,
        "modificationTime",
        text(before.modificationTime()),
        text(after.modificationTime()));
    add(changes, "name", before.name(), after.name());
    if (!before.formula().equals(after.formula())) {
      changes.add(
          new Change(
              "formula",
              before.formula(),
              after.formula(),
              LineDiff.between(before.formula(), after.formula())));
    }
    add(changes, "description", before.description(), after.description());
    add(changes, "unitId", before.unitId(), after.unitId());
    add(changes, "modifiedBy", before.modifiedBy(), after.modifiedBy());
    Set<String> others = new LinkedHashSet<>(before.other().keySet());
    others.addAll(after.other().keySet());
    for (String name : others) {
      JsonNode old = before.other().get(name);
      JsonNode now = after.other().get(name);
      if (!sameJson(old, now)) {
        changes.add(new Change(name, text(old), text(now), List.of()));
      }
    }
    return changes;
  }

  private static void add(
      List<Change> changes, String field, @Nullable String before, @Nullable String after) {
    if (!Objects.equals(before, after)) {
      changes.add(new Change(field, before, after, List.of()));
    }
  }

  private static boolean sameKinds(@Nullable List<ResourceKind> a, @Nullable List<ResourceKind> b) {
    if (a == null || b == null || a.size() != b.size()) {
      return a == b;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!a.get(i).adapterKind().equals(b.get(i).adapterKind())
          || !a.get(i).objectKind().equals(b.get(i).objectKind())
          || !sameMembers(a.get(i).other(), b.get(i).other())) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameMembers(Map<String, JsonNode> a, Map<String, JsonNode> b) {
    return a.keySet().equals(b.keySet())
        && a.keySet().stream().allMatch(name -> sameJson(a.get(name), b.get(name)));
  }

  /** Equal as JSON: 1 and 1.0 are, whatever type a store has made of them. */
  private static boolean sameJson(@Nullable JsonNode a, @Nullable JsonNode b) {
    if (a == null || b == null) {
      return a == b;
    }
    return a.equals(
        (x, y) -> {
          if (x.isNumber() && y.isNumber()) {
            return x.decimalValue().compareTo(y.decimalValue());
          }
          return x.equals(y) ? 0 : 1;
        },
        b);
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  private static @Nullable String text(@Nullable List<ResourceKind> kinds) {
    return kinds == null
        ? null
        : kinds.stream()
            .map(
                kind ->
                    kind.adapterKind()
                        + "/"
                        + kind.objectKind()
                        + (kind.other().isEmpty() ? "" : " " + kind.other()))
            .collect(Collectors.joining(", "));
  }
}
