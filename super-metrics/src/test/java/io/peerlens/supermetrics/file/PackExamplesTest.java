package io.peerlens.supermetrics.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.SuperMetric.ResourceKind;
import io.peerlens.supermetrics.file.PackExamples.Example;
import io.peerlens.supermetrics.file.PackExamples.Expected;
import io.peerlens.supermetrics.file.PackExamples.Node;
import io.peerlens.supermetrics.file.Packs.Pack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every pack that comes with the product, and the examples and documentation beside it. */
class PackExamplesTest {

  private static final Path FOLDER = Path.of("packs");
  private static final Pattern REFERENCE = Pattern.compile("Super Metric\\|sm_([0-9a-f-]{36})");
  private static final Pattern KEY = Pattern.compile("(?:metric|attribute)=([^,}]+)");

  static List<Pack> packs() {
    return Packs.all();
  }

  @Test
  void theIndexListsTheFilesOfTheFolder() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      Set<String> names =
          files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
      Set<String> expected = new HashSet<>(Set.of("README.md", "index.json"));
      for (Pack pack : Packs.all()) {
        expected.add(pack.name() + ".json");
        expected.add(pack.name() + ".examples.json");
      }
      assertThat(names).isEqualTo(expected);
    }
    assertThat(Packs.named("vm-basics")).get().extracting(Pack::superMetrics).isNotNull();
    assertThat(Packs.named("no-such-pack")).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("packs")
  void packsHaveUnderstandableSuperMetrics(Pack pack) {
    assertThat(pack.summary()).isNotBlank();
    assertThat(pack.superMetrics())
        .isNotEmpty()
        .allSatisfy(
            it -> {
              assertThat(it.description()).isNotBlank();
              assertThat(it.assignedTo()).isNotEmpty();
              assertThat(it.modified()).isNotNull();
              assertThat(it.other()).isEmpty();
            });
  }

  @ParameterizedTest
  @MethodSource("packs")
  void packsAreWrittenInTheLayoutOfTheProduct(Pack pack) {
    assertThat(pack.file())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(new String(ExportWriter.json(pack.superMetrics()), StandardCharsets.UTF_8));
  }

  @Test
  void idsAndNamesAreUniqueOverAllPacks() {
    List<SuperMetric> all = Packs.all().stream().flatMap(it -> it.superMetrics().stream()).toList();

    assertThat(all).hasSizeGreaterThanOrEqualTo(40);
    assertThat(all).extracting(SuperMetric::id).doesNotHaveDuplicates();
    assertThat(all).extracting(SuperMetric::name).doesNotHaveDuplicates();
  }

  /** Else a pack would have no data until another one is installed. */
  @ParameterizedTest
  @MethodSource("packs")
  void packsReadNoSuperMetricOfAnotherPack(Pack pack) {
    Set<String> own =
        pack.superMetrics().stream().map(it -> it.id().toString()).collect(Collectors.toSet());

    assertThat(pack.superMetrics())
        .allSatisfy(
            it ->
                assertThat(REFERENCE.matcher(it.formula()).results().map(r -> r.group(1)))
                    .isSubsetOf(own));
  }

  @ParameterizedTest
  @MethodSource("packs")
  void packsHaveAnExampleForEachAndOneWithMissingData(Pack pack) throws IOException {
    Map<String, SuperMetric> byName =
        pack.superMetrics().stream()
            .collect(Collectors.toMap(SuperMetric::name, Function.identity()));
    PackExamples examples = PackExamples.of(pack.name());
    Set<String> withData = new HashSet<>();
    Set<String> withMissing = new HashSet<>();

    assertThat(examples.pack()).isEqualTo(pack.name());
    for (Example example : examples.examples()) {
      Map<String, Node> objects = new HashMap<>();
      example.objects().forEach(it -> assertThat(objects.put(it.name(), it)).isNull());
      for (Node object : example.objects()) {
        assertThat(objects.keySet())
            .containsAll(object.parents() == null ? List.of() : object.parents());
      }
      for (Expected expected : example.expect()) {
        Node object = objects.get(expected.object());
        SuperMetric superMetric = byName.get(expected.superMetric());
        assertThat(object).as(expected.toString()).isNotNull();
        assertThat(superMetric).as(expected.toString()).isNotNull();
        if (object != null && superMetric != null) {
          assertThat(superMetric.assignedTo()).contains(new ResourceKind("VMWARE", object.kind()));
        }
        if (example.missing() == null && expected.value() != null) {
          withData.add(expected.superMetric());
        }
        if (example.missing() != null) {
          withMissing.add(expected.superMetric());
        }
      }
    }
    assertThat(withData).isEqualTo(byName.keySet());
    assertThat(withMissing).isEqualTo(byName.keySet());
  }

  /** README.md explains each super metric and example, and says where each key comes from. */
  @ParameterizedTest
  @MethodSource("packs")
  void packsAreDocumented(Pack pack) throws IOException {
    String readme = Files.readString(FOLDER.resolve("README.md"));
    Set<String> keys = new TreeSet<>();
    for (SuperMetric it : pack.superMetrics()) {
      KEY.matcher(it.formula())
          .results()
          .map((MatchResult result) -> result.group(1).strip())
          .filter(key -> !key.startsWith("Super Metric|"))
          .map(key -> key.replaceAll("vmnic[0-9]", "vmnic0"))
          .forEach(keys::add);
    }

    assertThat(readme).contains("## " + pack.name() + "\n");
    assertThat(pack.superMetrics())
        .allSatisfy(it -> assertThat(readme).contains("| " + it.name() + " |"));
    assertThat(PackExamples.of(pack.name()).examples())
        .allSatisfy(it -> assertThat(readme).contains("\n- " + it.name()));
    assertThat(keys).allSatisfy(key -> assertThat(readme).contains("`" + key + "`"));
  }

  /** What README.md says to come from the collector of vCenter is in the list of what it tells. */
  @Test
  void keysOfTheConfigurationAreToldByTheCollector() throws IOException {
    String told = Files.readString(Path.of("..", "docs", "vcenter-keys.md"));
    Set<String> keys = new TreeSet<>();
    for (String line : Files.readAllLines(FOLDER.resolve("README.md"))) {
      int begin = line.indexOf("V: `");
      if (line.startsWith("Keys: ") && begin >= 0) {
        int end = line.indexOf(';', begin);
        Pattern.compile("`([^`]+)`")
            .matcher(line.substring(begin, end < 0 ? line.length() : end))
            .results()
            .forEach(key -> keys.add(key.group(1)));
      }
    }
    assertThat(keys).hasSizeGreaterThan(6);
    assertThat(keys).allSatisfy(key -> assertThat(told).contains("\n- `" + key + "` "));
  }
}
