package io.peerlens.dashboard;

import io.peerlens.web.ApiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import tools.jackson.databind.JsonNode;

/** Packs of dashboards that come with Peerlens: files of our format in {@code dashboard-packs}. */
final class DashboardPacks {

  private static final String FILES = "classpath*:/dashboard-packs/*.json";
  private static final String ENDING = ".json";

  private final List<Pack> packs;

  DashboardPacks() {
    try {
      packs =
          Arrays.stream(new PathMatchingResourcePatternResolver().getResources(FILES))
              .map(DashboardPacks::pack)
              .sorted(Comparator.comparing(Pack::name))
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A pack.
   *
   * @param name of its file, without the ending
   * @param summary what it is for
   */
  record Pack(String name, String summary, DashboardFile file) {}

  private static Pack pack(Resource resource) {
    String name = Objects.requireNonNull(resource.getFilename());
    try {
      JsonNode root = Json.MAPPER.readTree(resource.getContentAsByteArray());
      return new Pack(
          name.substring(0, name.length() - ENDING.length()),
          root.path("x-summary").asString(""),
          DashboardFile.read(root));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All packs, by name. */
  List<Pack> all() {
    return packs;
  }

  /** A pack, or 404. */
  Pack named(String name) {
    return packs.stream()
        .filter(pack -> pack.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                ApiException.notFound("pack", name)
                    .hint(
                        "There are: "
                            + String.join(", ", packs.stream().map(Pack::name).toList())
                            + "."));
  }
}
