package io.peerlens.supermetrics.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.SuperMetric.ResourceKind;
import io.peerlens.supermetrics.file.ImportFile.ContentMarker;
import io.peerlens.supermetrics.file.ImportFile.Found;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

class ExportWriterTest {

  private static final Path GOLDEN = Path.of("src", "test", "resources", "ExportWriterTest");
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final SuperMetric ONE =
      new SuperMetric(
          UUID.fromString("3f0c2a52-6c1e-4b0e-9d55-0a6f1f1b7c01"),
          List.of(new ResourceKind("VMWARE", "ClusterComputeResource")),
          1763683200000L,
          "\u200bCluster \u2013 caf\u00e9 </b>",
          "count(${this,\n\tmetric=a|b, where=\"> 1\"}) \\ \u200b ",
          "",
          "percent",
          "0b8c6d0e-58a3-4a75-8a3e-51f0c5a0d2b9",
          Map.of());

  private static final SuperMetric TWO =
      new SuperMetric(
          UUID.fromString("9a1d7a1e-0d3b-4e0a-8c2b-6d9be5b6a702"),
          List.of(
              new ResourceKind("VMWARE", "HostSystem"),
              new ResourceKind(
                  "VMWARE", "Datacenter", Map.of("future", NODES.arrayNode().add(1).add("x")))),
          0L,
          "Bare",
          "1",
          null,
          null,
          null,
          Map.of("later", NODES.objectNode().put("number", new BigDecimal("1.50"))));

  private static final SuperMetric THREE =
      new SuperMetric(new UUID(0, 3), List.of(), null, "n", "", null, null, null, Map.of());

  @Test
  void aSingleMemberIsOnTheLineOfItsBracket() throws IOException {
    assertGolden("one.json", ExportWriter.json(List.of(ONE)));
  }

  @Test
  void severalMembersAreWrittenInOrder() throws IOException {
    assertGolden("several.json", ExportWriter.json(List.of(TWO, ONE, THREE)));
  }

  @Test
  void anEmptyExportIsAnEmptyObject() {
    assertThat(ExportWriter.json(List.of())).asString(StandardCharsets.UTF_8).isEqualTo("{}");
  }

  @Test
  void theZipOfContentManagementIsWritten() throws IOException {
    ContentMarker marker = new ContentMarker("1234567890123456789", "owner");
    byte[] zip = ExportWriter.zip(List.of(TWO, ONE, THREE), marker);

    Map<String, String> entries = new LinkedHashMap<>();
    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        entries.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    assertThat(entries)
        .containsExactly(
            Map.entry("1234567890123456789L.v1", "owner"),
            Map.entry(
                "configuration.json", "{\n   \"superMetrics\": 3,\n   \"type\": \"CUSTOM\"\n}"),
            Map.entry("supermetrics.json", Files.readString(GOLDEN.resolve("several.json"))));
    assertThat(ExportWriter.zip(List.of(TWO, ONE, THREE), marker)).isEqualTo(zip);
    assertThat(new ImportReader().read("x.zip", zip).marker()).isEqualTo(marker);
  }

  @Test
  void aRepeatedIdIsRefused() {
    assertThatThrownBy(() -> ExportWriter.json(List.of(ONE, TWO, ONE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(ONE.id().toString());
  }

  /** Whatever is stored comes back equal, with seed 7. */
  @Test
  void anExportReadsBackUnchanged() {
    Random random = new Random(7);
    for (int round = 0; round < 500; round++) {
      List<SuperMetric> written = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        written.add(superMetric(random));
      }
      assertThat(read(ExportWriter.json(written))).containsExactlyElementsOf(written);
      assertThat(read(ExportWriter.zip(written, ExportWriter.NO_INSTALLATION)))
          .containsExactlyElementsOf(written);
    }
  }

  private static List<SuperMetric> read(byte[] file) {
    ImportFile read = new ImportReader().read("file", file);
    assertThat(read.problems()).isEmpty();
    return read.superMetrics().stream().map(Found::definition).toList();
  }

  private static SuperMetric superMetric(Random random) {
    List<ResourceKind> kinds = random.nextInt(5) == 0 ? null : new ArrayList<>();
    for (int i = random.nextInt(3); kinds != null && i > 0; i--) {
      kinds.add(new ResourceKind("a" + text(random), "k" + text(random), members(random, 0)));
    }
    return new SuperMetric(
        new UUID(random.nextLong(), random.nextLong()),
        kinds,
        random.nextInt(4) == 0 ? null : Long.valueOf(random.nextLong()),
        text(random) + "n",
        text(random),
        random.nextBoolean() ? null : text(random),
        random.nextBoolean() ? null : text(random),
        random.nextBoolean() ? null : text(random),
        members(random, 0));
  }

  private static Map<String, JsonNode> members(Random random, int depth) {
    Map<String, JsonNode> members = new HashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      members.put("~" + text(random), json(random, depth));
    }
    return members;
  }

  private static JsonNode json(Random random, int depth) {
    return switch (random.nextInt(depth > 3 ? 6 : 8)) {
      case 0 -> NODES.nullNode();
      case 1 -> NODES.booleanNode(random.nextBoolean());
      case 2 -> NODES.stringNode(text(random));
      case 3 -> NODES.numberNode(random.nextInt());
      case 4 -> NODES.numberNode(new BigInteger(80, random).setBit(70));
      case 5 ->
          NODES.numberNode(
              new BigDecimal(BigInteger.valueOf(random.nextLong()), random.nextInt(1, 60)));
      case 6 -> {
        var array = NODES.arrayNode();
        for (int i = random.nextInt(3); i > 0; i--) {
          array.add(json(random, depth + 1));
        }
        yield array;
      }
      default -> NODES.objectNode().setAll(members(random, depth + 1));
    };
  }

  /** Letters, everything that must be escaped, and characters of every length in UTF-8. */
  private static String text(Random random) {
    int[] characters = {
      'a', ' ', '"', '\\', '/', '<', '\n', '\t', '\r', '\b', '\f', 1, 31, 127, 0x85, 0xa0, 0xe4,
      0x200b, 0x201d, 0x20ff, 0x2100, 0xfeff, 0xffff, 0x1f600
    };
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.appendCodePoint(characters[random.nextInt(characters.length)]);
    }
    return text.toString();
  }

  private static void assertGolden(String name, byte[] written) throws IOException {
    assertThat(written)
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(Files.readString(GOLDEN.resolve(name)));
  }
}
