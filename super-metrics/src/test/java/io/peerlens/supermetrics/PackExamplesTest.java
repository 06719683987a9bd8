package io.peerlens.supermetrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every shipped pack, and published exports where they are at hand. */
class PackExamplesTest {

  private static final Path PACKS = Path.of("packs");
  private static final Path PUBLISHED = Path.of("..", "..", "shared", "corpus", "super-metrics");

  static List<Path> packs() throws IOException {
    return jsonFiles(PACKS);
  }

  @ParameterizedTest
  @MethodSource("packs")
  void holdsSuperMetricsThatPeopleCanUnderstandAndUse(Path file) throws IOException {
    assertThat(SuperMetricPack.read(file).superMetrics())
        .isNotEmpty()
        .allSatisfy(
            it -> {
              assertThat(it.description()).isNotBlank();
              assertThat(it.resourceKinds()).isNotEmpty();
              assertThat(it.modified()).isNotNull();
              assertThat(unbalanced(it.formula())).as(it.formula()).isEmpty();
            });
  }

  @Test
  void usesEachIdAndEachNameOnce() throws IOException {
    List<SuperMetric> all = new ArrayList<>();
    for (Path file : packs()) {
      all.addAll(SuperMetricPack.read(file).superMetrics());
    }

    assertThat(all).isNotEmpty();
    assertThat(all).extracting(SuperMetric::id).doesNotHaveDuplicates();
    assertThat(all).extracting(SuperMetric::name).doesNotHaveDuplicates();
  }

  @Test
  void isOnTheClassPathToo() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            SuperMetricPack.class.getResourceAsStream("/super-metrics/packs/vm-basics.json"))) {
      assertThat(in.readAllBytes()).isEqualTo(Files.readAllBytes(PACKS.resolve("vm-basics.json")));
    }
  }

  @Test
  void readsPublishedExports() throws IOException {
    assumeTrue(Files.isDirectory(PUBLISHED), "skipped: no published exports in " + PUBLISHED);
    int superMetrics = 0;
    for (Path file : jsonFiles(PUBLISHED)) {
      List<SuperMetric> found = SuperMetricPack.read(file).superMetrics();
      assertThat(found).as(file.toString()).isNotEmpty();
      superMetrics += found.size();
    }
    assertThat(superMetrics).isGreaterThanOrEqualTo(254);
  }

  /** Brackets that have no partner; the text of a name or a where clause may hold none either. */
  private static String unbalanced(String formula) {
    StringBuilder open = new StringBuilder();
    for (char c : formula.toCharArray()) {
      switch (c) {
        case '(', '[', '{' -> open.append(c);
        case ')', ']', '}' -> {
          char partner = c == ')' ? '(' : c == ']' ? '[' : '{';
          int last = open.length() - 1;
          if (last < 0 || open.charAt(last) != partner) {
            return open.append(c).toString();
          }
          open.deleteCharAt(last);
        }
        default -> {}
      }
    }
    return open.toString();
  }

  private static List<Path> jsonFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> f.toString().endsWith(".json")).sorted().toList();
    }
  }
}
