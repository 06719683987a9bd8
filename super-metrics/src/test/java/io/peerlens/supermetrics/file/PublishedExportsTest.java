package io.peerlens.supermetrics.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.file.ImportFile.Found;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Export files that others have published, where they are at hand. They are not ours to copy. */
class PublishedExportsTest {

  private static final Path FOLDER = Path.of("..", "..", "shared", "corpus", "super-metrics");
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  @BeforeEach
  void publishedExportsAreAvailable() {
    assumeTrue(Files.isDirectory(FOLDER), "skipped: no published exports in " + FOLDER);
  }

  @Test
  void exportsAreReproducedMemberForMember() throws IOException {
    int superMetrics = 0;
    for (Path file : files()) {
      byte[] content = Files.readAllBytes(file);
      ImportFile read = read(file);
      assertThat(read.problems()).as(file.toString()).isEmpty();

      byte[] written = ExportWriter.json(definitions(read));
      assertThat(JSON.readTree(written)).as(file.toString()).isEqualTo(JSON.readTree(content));
      assertThat(membersInOrder(written)).as(file.toString()).isEqualTo(membersInOrder(content));
      superMetrics += read.superMetrics().size();
    }
    assertThat(files()).hasSizeGreaterThanOrEqualTo(88);
    assertThat(superMetrics).isGreaterThanOrEqualTo(254);
  }

  @Test
  void exportsAreReproducedThroughAZip() throws IOException {
    Map<Object, SuperMetric> all = new LinkedHashMap<>();
    for (Path file : files()) {
      definitions(read(file)).forEach(it -> all.putIfAbsent(it.id(), it));
    }

    ImportFile read =
        new ImportReader()
            .read("all.zip", ExportWriter.zip(all.values(), ExportWriter.NO_INSTALLATION));

    assertThat(read.problems()).isEmpty();
    assertThat(definitions(read)).containsExactlyElementsOf(all.values());
    assertThat(read.leftAlone()).containsExactly("all.zip!/configuration.json");
  }

  /** Our layout is the product's: what it has written since 2020 comes back byte for byte. */
  @Test
  void exportsInTheNewestLayoutAreReproducedByteForByte() throws IOException {
    int same = 0;
    List<String> different = new ArrayList<>();
    for (Path file : files()) {
      byte[] content = Files.readAllBytes(file);
      String text = Files.readString(file);
      boolean newest = text.contains("\n   \"resourceKinds\": [{") || text.startsWith("{\n   \"");
      if (newest && Arrays.equals(ExportWriter.json(definitions(read(file))), content)) {
        same++;
      } else if (newest) {
        different.add(file.getFileName().toString());
      }
    }
    // One export, with every bracket on a line of its own, was laid out again by somebody.
    assertThat(different).hasSizeLessThanOrEqualTo(1);
    assertThat(same).isGreaterThanOrEqualTo(70);
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  private static ImportFile read(Path file) throws IOException {
    return new ImportReader().read(file.getFileName().toString(), Files.readAllBytes(file));
  }

  private static List<SuperMetric> definitions(ImportFile file) {
    return file.superMetrics().stream().map(Found::definition).toList();
  }

  private static List<String> membersInOrder(byte[] document) {
    List<String> members = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : JSON.readTree(document).properties()) {
      members.add(member.getKey() + member.getValue().propertyNames());
    }
    return members;
  }
}
