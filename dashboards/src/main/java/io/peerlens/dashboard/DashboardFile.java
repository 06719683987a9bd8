package io.peerlens.dashboard;

import io.peerlens.dashboard.file.Bundle;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.BundleReader.Result;
import io.peerlens.dashboard.file.Dashboard;
import io.peerlens.dashboard.file.Panel.ViewRef;
import io.peerlens.dashboard.file.View;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A file of our format in parts: a mistake in one dashboard does not keep the others from being
 * read.
 *
 * @param superMetrics as vRealize Operations exports them; null = none
 * @param needs what is not in the file
 * @param tests example inventories and what is expected of them
 */
record DashboardFile(
    List<FileItem<View>> views,
    List<FileItem<Dashboard>> dashboards,
    @Nullable JsonNode superMetrics,
    Bundle.Needs needs,
    List<Bundle.Example> tests) {

  private static final int MOST_VIEWS = 1000;
  private static final int MOST_DASHBOARDS = 500;

  /** Names, values and brackets: each takes up to some 100 bytes of memory when it is read. */
  private static final long MOST_TOKENS = 4_000_000;

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxTokenCount(MOST_TOKENS).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .build();

  DashboardFile {
    views = List.copyOf(views);
    dashboards = List.copyOf(dashboards);
    tests = List.copyOf(tests);
  }

  /** Whether a file says that it is one of ours. */
  static boolean isOurs(JsonNode root) {
    return BundleReader.FORMAT.equals(root.path("format").asString(""));
  }

  /** A file as JSON; empty = it is none, but a ZIP or XML. */
  static Optional<JsonNode> json(byte[] content) {
    int first = 0;
    while (first < content.length && (content[first] <= ' ' || (content[first] & 0x80) != 0)) {
      first++; // white space, or a byte order mark
    }
    if (first == content.length || content[first] != '{') {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readTree(content));
    } catch (StreamConstraintsException e) {
      throw ApiException.of(
              ErrorCode.BODY_TOO_LARGE,
              "The file is too large or too deep to be read: it may hold %,d names, values and brackets, %,d within each other."
                  .formatted(MOST_TOKENS, StreamReadConstraints.DEFAULT_MAX_DEPTH))
          .hint("Import it in parts.");
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads a file.
   *
   * @throws ApiException if the file itself is none; mistakes of its items stand with them
   */
  static DashboardFile read(JsonNode root) {
    return read(root, Mistakes.valid(BundleReader.bundle(head(root))));
  }

  private static DashboardFile read(JsonNode root, Bundle head) {
    return new DashboardFile(
        items(root, "views", MOST_VIEWS, BundleReader::view),
        items(root, "dashboards", MOST_DASHBOARDS, BundleReader::dashboard),
        head.superMetrics(),
        head.needs(),
        head.tests());
  }

  /** All but the dashboards and views. */
  private static JsonNode head(JsonNode root) {
    if (!(root instanceof ObjectNode object)) {
      return root;
    }
    ObjectNode head = object.deepCopy();
    for (String list : List.of("views", "dashboards")) {
      if (head.path(list).isArray()) {
        head.putArray(list);
      }
    }
    return head;
  }

  private static <T> List<FileItem<T>> items(
      JsonNode root, String list, int most, BiFunction<JsonNode, String, Result<T>> reader) {
    JsonNode all = root.path(list);
    if (all.size() > most) {
      throw ApiException.invalidField(list, "has more than %,d items".formatted(most))
          .hint("Import it in parts.");
    }
    List<FileItem<T>> items = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Result<T> result = reader.apply(all.get(i), "%s[%d]".formatted(list, i));
      items.add(
          new FileItem<>(
              SuperMetricKeys.id(all.get(i).path("id").asString("")),
              all.get(i).path("name").asString(""),
              withoutId(all.get(i)),
              result.value(),
              Mistakes.errors(result.mistakes())));
    }
    return items;
  }

  private static ObjectNode withoutId(JsonNode item) {
    if (!(item instanceof ObjectNode object)) {
      return JSON.createObjectNode();
    }
    ObjectNode copy = object.deepCopy();
    copy.remove("id");
    return copy;
  }

  /** The file with its tests, and with those of its items that have no mistakes. */
  Bundle withTests() {
    return new Bundle(needs, superMetrics, sound(views), sound(dashboards), tests);
  }

  private static <T> List<Bundle.Item<T>> sound(List<FileItem<T>> items) {
    List<Bundle.Item<T>> sound = new ArrayList<>();
    for (FileItem<T> item : items) {
      T read = item.read();
      if (read != null) {
        sound.add(new Bundle.Item<>(read, item.json()));
      }
    }
    return sound;
  }

  /** A view of the file by its id or name. */
  Optional<View> view(ViewRef reference) {
    return views.stream()
        .filter(
            one ->
                reference.id() == null
                    ? one.name().equals(reference.name())
                    : reference.id().equals(one.id()))
        .flatMap(one -> Optional.ofNullable(one.read()).stream())
        .findFirst();
  }
}
