package io.peerlens.definition;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** Packs of rules that come with the product: rules files in {@code rule-packs}. */
final class RulePacks {

  private static final String FILES = "classpath*:/rule-packs/*.json";

  /**
   * A pack.
   *
   * @param name of its file, without the ending
   */
  record Pack(String name, byte[] file) {}

  private final List<Pack> packs;

  RulePacks() {
    try {
      packs =
          Arrays.stream(new PathMatchingResourcePatternResolver().getResources(FILES))
              .map(RulePacks::pack)
              .sorted(Comparator.comparing(Pack::name))
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Pack pack(Resource resource) {
    String file = Objects.requireNonNull(resource.getFilename());
    try {
      return new Pack(
          file.substring(0, file.length() - ".json".length()), resource.getContentAsByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All packs, by name. */
  List<Pack> all() {
    return packs;
  }

  Optional<Pack> named(String name) {
    return packs.stream().filter(pack -> pack.name().equals(name)).findFirst();
  }
}
