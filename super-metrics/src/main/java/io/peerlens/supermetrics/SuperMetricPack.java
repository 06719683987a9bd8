package io.peerlens.supermetrics;

import io.peerlens.supermetrics.SuperMetric.ResourceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A file of super metrics in the export format of vRealize Operations: one JSON object whose member
 * names are the ids. The format has grown: unit and author came with 8.1, descriptions may be
 * absent, the order of the members is free and unknown members are left alone.
 *
 * @param name what the pack is called, usually its file name; used in messages
 * @param superMetrics in the order of the file
 */
public record SuperMetricPack(String name, List<SuperMetric> superMetrics) {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  public SuperMetricPack {
    superMetrics = List.copyOf(superMetrics);
  }

  /**
   * Reads a pack from a file.
   *
   * @throws PackException if the file is no pack; its message names every mistake
   * @throws IOException if the file cannot be read
   */
  public static SuperMetricPack read(Path file) throws IOException {
    return parse(file.getFileName().toString(), Files.readAllBytes(file));
  }

  /**
   * Reads a pack. Formulas are taken over as they stand: whether one can be evaluated is not asked
   * here.
   *
   * @param name what to call the pack in messages
   * @param json UTF-8, with or without a byte order mark
   * @throws PackException if the text is no pack; its message names every mistake
   */
  public static SuperMetricPack parse(String name, byte[] json) {
    JsonNode root;
    try {
      root = JSON.readTree(json);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      String where = at == null ? "" : ", line " + at.getLineNr() + ", column " + at.getColumnNr();
      throw new PackException(name, List.of("not JSON" + where + ": " + e.getOriginalMessage()));
    }
    if (!root.isObject()) {
      throw new PackException(
          name,
          List.of(
              "the file must hold one object, {\"<uuid>\": {\"name\": ..., \"formula\": ...}}"));
    }
    List<String> problems = new ArrayList<>();
    List<SuperMetric> found = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : root.properties()) {
      SuperMetric superMetric = new Reader(member.getKey(), problems).read(member.getValue());
      if (superMetric != null) {
        found.add(superMetric);
      }
    }
    if (!problems.isEmpty()) {
      throw new PackException(name, problems);
    }
    return new SuperMetricPack(name, found);
  }

  /** Reads one member, and notes each mistake with the member's name in front. */
  private record Reader(String member, List<String> problems) {

    @Nullable SuperMetric read(JsonNode node) {
      UUID id = uuid();
      if (!node.isObject()) {
        problem("must be an object with name, formula and resourceKinds");
        return null;
      }
      String name = required(node, "name");
      String formula = required(node, "formula");
      String description = optional(node, "description");
      String unit = optional(node, "unitId");
      List<ResourceKind> kinds = resourceKinds(node.path("resourceKinds"));
      Instant modified = modified(node.path("modificationTime"));
      if (id == null || name == null || formula == null) {
        return null;
      }
      return new SuperMetric(
          id, name.strip(), formula, description, unit.equals("none") ? "" : unit, kinds, modified);
    }

    private @Nullable UUID uuid() {
      // UUID.fromString also takes short forms such as 1-2-3-4-5, which would come back changed.
      if (member.matches("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}")) {
        return UUID.fromString(member);
      }
      problem("the member's name must be a uuid, such as 3f0c2a52-6c1e-4b0e-9d55-0a6f1f1b7c01");
      return null;
    }

    private @Nullable String required(JsonNode node, String field) {
      JsonNode value = node.path(field);
      if (!value.isString() || value.stringValue().isBlank()) {
        problem(field + " must be a text that is not blank");
        return null;
      }
      return value.stringValue();
    }

    private String optional(JsonNode node, String field) {
      JsonNode value = node.path(field);
      if (value.isMissingNode() || value.isNull()) {
        return "";
      }
      if (!value.isString()) {
        problem(field + " must be a text, or be left out");
        return "";
      }
      return value.stringValue();
    }

    private List<ResourceKind> resourceKinds(JsonNode node) {
      List<ResourceKind> kinds = new ArrayList<>();
      if (!node.isArray()) {
        problem("resourceKinds must be an array; [] assigns the super metric to nothing");
        return kinds;
      }
      for (JsonNode element : node) {
        String adapterKind = element.path("adapterKindKey").stringValue("");
        String objectKind = element.path("resourceKindKey").stringValue("");
        if (adapterKind.isBlank() || objectKind.isBlank()) {
          problem("each of resourceKinds must have adapterKindKey and resourceKindKey as texts");
        } else {
          kinds.add(new ResourceKind(adapterKind, objectKind));
        }
      }
      return kinds;
    }

    private @Nullable Instant modified(JsonNode node) {
      if (node.isMissingNode() || node.isNull()) {
        return null;
      }
      if (!node.isIntegralNumber() || !node.canConvertToLong()) {
        problem("modificationTime must be milliseconds since 1970, or be left out");
        return null;
      }
      return node.longValue() == 0 ? null : Instant.ofEpochMilli(node.longValue());
    }

    private void problem(String text) {
      problems.add(member + ": " + text);
    }
  }
}
