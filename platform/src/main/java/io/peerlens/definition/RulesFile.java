package io.peerlens.definition;

import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A file of rules: one JSON document with a list for each sort.
 *
 * @param summary one sentence on what it is for; null = it has none
 * @param superMetricPacks packs of super metrics that its rules read
 * @param sections the items of each list, by its name
 */
record RulesFile(
    @Nullable String summary, List<String> superMetricPacks, Map<String, List<JsonNode>> sections) {

  static final String FORMAT = "peerlens-rules";
  static final int VERSION = 1;

  private static final int MOST_ITEMS = 20_000;

  /** Names, values and brackets: each takes up to some 100 bytes of memory when it is read. */
  private static final long MOST_TOKENS = 1_000_000;

  private static final String SUPER_METRIC_PACKS = "superMetricPacks";
  private static final Set<String> HEAD =
      Set.of("format", "version", "summary", SUPER_METRIC_PACKS);

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxTokenCount(MOST_TOKENS).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                  .build())
          .build();

  /**
   * Reads a file.
   *
   * @param known names of the lists that there are
   * @throws ApiException if it is none
   */
  static RulesFile read(byte[] content, List<String> known) {
    JsonNode root;
    try {
      root = JSON.readTree(content);
    } catch (StreamConstraintsException e) {
      throw ApiException.of(
              ErrorCode.BODY_TOO_LARGE,
              "The file is too large or too deep to be read: it may hold %,d names, values and brackets, %,d within each other."
                  .formatted(MOST_TOKENS, StreamReadConstraints.DEFAULT_MAX_DEPTH))
          .hint("Import it in parts.");
    } catch (JacksonException e) {
      throw bad(
          "It is no JSON: line %d, column %d: %s"
              .formatted(
                  e.getLocation() == null ? 0 : e.getLocation().getLineNr(),
                  e.getLocation() == null ? 0 : e.getLocation().getColumnNr(),
                  e.getOriginalMessage()));
    }
    if (!root.isObject() || !FORMAT.equals(root.path("format").asString(""))) {
      throw bad("It is no file of rules: \"format\": \"" + FORMAT + "\" is missing.");
    }
    if (root.path("version").asInt(0) != VERSION) {
      throw bad(
          "It is of version %s; this is version %d."
              .formatted(root.path("version").asString("none"), VERSION));
    }
    Map<String, List<JsonNode>> sections = new LinkedHashMap<>();
    int items = 0;
    for (Map.Entry<String, JsonNode> member : root.properties()) {
      if (HEAD.contains(member.getKey())) {
        continue;
      }
      if (!known.contains(member.getKey())) {
        throw ApiException.invalidField(member.getKey(), "is unknown")
            .hint("Known are: " + String.join(", ", known) + ".");
      }
      if (!member.getValue().isArray()) {
        throw ApiException.invalidField(member.getKey(), "is no list");
      }
      List<JsonNode> list = List.copyOf(member.getValue().values());
      items += list.size();
      sections.put(member.getKey(), list);
    }
    if (items > MOST_ITEMS) {
      throw bad("It holds %,d rules, %,d are allowed.".formatted(items, MOST_ITEMS));
    }
    JsonNode summary = root.get("summary");
    return new RulesFile(
        summary == null ? null : summary.asString(null), superMetricPacks(root), sections);
  }

  private static List<String> superMetricPacks(JsonNode root) {
    JsonNode packs = root.path(SUPER_METRIC_PACKS);
    if (packs.isMissingNode()) {
      return List.of();
    }
    if (!packs.isArray() || packs.valueStream().anyMatch(pack -> !pack.isString())) {
      throw ApiException.invalidField(SUPER_METRIC_PACKS, "is no list of names");
    }
    return packs.valueStream().map(JsonNode::asString).toList();
  }

  private static ApiException bad(String detail) {
    return ApiException.of(ErrorCode.INVALID_BODY, detail)
        .hint("Send a file as GET /api/v1/rules/export gives it.");
  }

  /** An empty file to be filled. */
  static ObjectNode start() {
    ObjectNode root = JSON.createObjectNode();
    root.put("format", FORMAT);
    root.put("version", VERSION);
    return root;
  }

  /** The file, in lines. */
  static byte[] bytes(ObjectNode root) {
    return Objects.requireNonNull(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
  }

  List<JsonNode> items(String section) {
    return sections.getOrDefault(section, List.of());
  }
}
