package io.peerlens.supermetrics.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.SuperMetric.ResourceKind;
import io.peerlens.supermetrics.file.ImportFile.Found;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

class ImportReaderTest {

  private static final String ID = "3f0c2a52-6c1e-4b0e-9d55-0a6f1f1b7c01";
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  @Test
  void everyMemberOfTheNewestLayoutIsRead() {
    Found found =
        only(
            """
            {"3f0c2a52-6c1e-4b0e-9d55-0a6f1f1b7c01": {
               "resourceKinds": [{"resourceKindKey": "HostSystem", "adapterKindKey": "VMWARE", "since": 9}],
               "modificationTime": 1795219200000, "name": "\\u200bHalf ", "formula": "${this,\\n\\tmetric=a|b} / 2 \\u200b",
               "description": "half of it", "unitId": "gb", "modifiedBy": "", "later": [1]}}
            """);

    assertThat(found.definition())
        .isEqualTo(
            new SuperMetric(
                UUID.fromString(ID),
                List.of(
                    new ResourceKind("VMWARE", "HostSystem", Map.of("since", NODES.numberNode(9)))),
                1795219200000L,
                "\u200bHalf ",
                "${this,\n\tmetric=a|b} / 2 \u200b",
                "half of it",
                "gb",
                "",
                Map.of("later", NODES.arrayNode().add(1))));
    assertThat(found.definition().metricKey()).isEqualTo("Super Metric|sm_" + ID);
    assertThat(found.definition().modified()).isEqualTo(Instant.parse("2026-11-21T00:00:00Z"));
    assertThat(found.remarks()).isEmpty();
    assertThat(found.place()).isEqualTo(new Place("test.json", ID, 1, 2));
  }

  @Test
  void absentAndEmptyAreDistinguished() {
    SuperMetric bare = only(member("")).definition();
    SuperMetric empty =
        only(member(
                ", \"resourceKinds\": [], \"description\": \"\", \"unitId\": \"\","
                    + " \"modificationTime\": 0"))
            .definition();

    assertThat(bare.resourceKinds()).isNull();
    assertThat(bare.description()).isNull();
    assertThat(bare.unitId()).isNull();
    assertThat(bare.modificationTime()).isNull();
    assertThat(bare.modifiedBy()).isNull();
    assertThat(bare.assignedTo()).isEmpty();
    assertThat(bare.unit()).isEmpty();
    assertThat(empty.resourceKinds()).isEmpty();
    assertThat(empty.description()).isEmpty();
    assertThat(empty.unitId()).isEmpty();
    assertThat(empty.modificationTime()).isZero();
    assertThat(empty.modified()).isNull();
  }

  @Test
  void unusualMembersAreKeptWithARemark() {
    Found found =
        only(
            member(
                ", \"modificationTime\": \"yesterday\", \"unitId\": 7, \"description\": null,"
                    + " \"resourceKinds\": [{\"resourceKindKey\": \"HostSystem\"}],"
                    + " \"modifiedBy\": \"me\", \"modifiedBy\": \"you\""));

    assertThat(found.definition().other())
        .containsOnlyKeys("modificationTime", "unitId", "description", "resourceKinds");
    assertThat(found.definition().modifiedBy()).isEqualTo("you");
    assertThat(found.remarks())
        .containsExactly(
            "modificationTime is kept as it stands, but it should be milliseconds since 1970",
            "unitId is kept as it stands, but it should be a text",
            "description is kept as it stands, but it should be a text",
            "resourceKinds is kept as it stands, but it should be an array of"
                + " {\"resourceKindKey\": ..., \"adapterKindKey\": ...}, so it is assigned to"
                + " nothing",
            "'modifiedBy' is there twice in one object; the last one counts");
  }

  @Test
  void anInvalidFormulaIsRead() {
    assertThat(
            only("{\"%s\": {\"name\": \"n\", \"formula\": \"sum(${\"}}".formatted(ID))
                .definition()
                .formula())
        .isEqualTo("sum(${");
  }

  @Test
  void anIdInUpperCaseBecomesLowerCaseWithARemark() {
    Found found = only(member("").replace(ID, "3F0C2A52-6C1E-4B0E-9D55-0A6F1F1B7C01"));

    assertThat(found.definition().id()).hasToString(ID);
    assertThat(found.remarks()).singleElement().asString().contains("becomes " + ID);
  }

  @Test
  void membersThatAreNoSuperMetricAreReportedAndTheOthersRead() {
    ImportFile file =
        read(
            """
            {"1-2-3-4-5": {"name": "n", "formula": "1"},
             "00000000-0000-0000-0000-000000000001": [],
             "00000000-0000-0000-0000-000000000002": {"name": " ", "formula": "1"},
             "00000000-0000-0000-0000-000000000003": {"name": "n", "formula": 1},
             "00000000-0000-0000-0000-000000000004": {"name": "n", "formula": "a\\u0000b"},
             "00000000-0000-0000-0000-000000000005": {"name": "n", "formula": "1", "x": ["\\ud800"]},
             "00000000-0000-0000-0000-000000000006": {"name": "n", "formula": "1", "x": 1e5000},
             "3f0c2a52-6c1e-4b0e-9d55-0a6f1f1b7c01": {"name": "good", "formula": "1"}}
            """);

    assertThat(file.superMetrics())
        .extracting(it -> it.definition().name())
        .containsExactly("good");
    String id = "00000000-0000-0000-0000-00000000000";
    assertThat(file.problems())
        .extracting(Problem::toString)
        .containsExactly(
            "test.json, line 1, column 2, 1-2-3-4-5: the member's name must be a uuid, such as"
                + " 3f0c2a52-6c1e-4b0e-9d55-0a6f1f1b7c01",
            "test.json, line 2, column 2, "
                + id
                + "1: must be an object with name, formula and resourceKinds",
            "test.json, line 3, column 2, " + id + "2: name must be a text that is not blank",
            "test.json, line 4, column 2, " + id + "3: formula must be a text",
            "test.json, line 5, column 2, "
                + id
                + "4: holds the character U+0000, which cannot be stored; remove it",
            "test.json, line 6, column 2, "
                + id
                + "5: holds half a character (U+D800), which cannot be stored; remove it",
            "test.json, line 7, column 2, "
                + id
                + "6: holds a number with more than 1000 zeros or decimal places, which cannot be"
                + " stored; remove it");
  }

  @Test
  void aRepeatedIdIsReadTwice() {
    String one = member("").substring(1, member("").length() - 1);

    assertThat(read("{" + one + "," + one + "}").superMetrics()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE"})
  void aByteOrderMarkIsAccepted(String charset) {
    byte[] content = ("\ufeff" + member("")).getBytes(Charset.forName(charset));

    assertThat(new ImportReader().read("test.json", content).superMetrics()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "[]",
        "null",
        "7",
        "\"text\"",
        "hello",
        "<html/>",
        "{",
        "{\"a\": }",
        "{\"a\": 1,}",
        "{} {}",
        "{\"a\": 'b'}",
        "\u0000\u0001\u0002"
      })
  void aFileThatIsNoObjectIsRefusedWithThePosition(String content) {
    assertThatThrownBy(() -> read(content))
        .isInstanceOf(UnreadableFileException.class)
        .hasMessageStartingWith("test.json, line 1");
  }

  @Test
  void brokenJsonIsReportedWithLineAndColumn() {
    assertThatThrownBy(() -> read("{\n  \"a\": }"))
        .isInstanceOf(UnreadableFileException.class)
        .hasMessageStartingWith("test.json, line 2, column 8: not JSON: ");
  }

  @Test
  void bytesThatAreNoTextAreRefused() {
    assertThatThrownBy(
            () ->
                new ImportReader()
                    .read(
                        "test.json", "{\"gr\u00e4fin\": 1}".getBytes(StandardCharsets.ISO_8859_1)))
        .isInstanceOf(UnreadableFileException.class)
        .hasMessageContaining("UTF-8");
  }

  @Test
  void theSizeOfTheFileIsLimited() {
    ImportReader reader = new ImportReader(limits(100, 4, 3));

    assertThatThrownBy(() -> reader.read("test.json", new byte[101]))
        .hasMessage("test.json: the file has 101 bytes, 100 are allowed; import it in parts");
  }

  @Test
  void nestingIsLimited() {
    String deep = "[".repeat(100_000) + "]".repeat(100_000);

    assertThatThrownBy(() -> read(member(", \"x\": " + deep)))
        .isInstanceOf(UnreadableFileException.class)
        .hasMessageContaining("nesting depth");
    assertThatThrownBy(() -> read("{\"x\": " + deep + "}"))
        .isInstanceOf(UnreadableFileException.class)
        .hasMessageContaining("nesting depth");
  }

  @Test
  void theNumberOfSuperMetricsIsLimited() {
    String five =
        IntStream.range(0, 5)
            .mapToObj(i -> "\"" + new UUID(0, i) + "\": {\"name\": \"n\", \"formula\": \"1\"}")
            .collect(Collectors.joining(",", "{", "}"));

    assertThatThrownBy(() -> new ImportReader(limits(10_000, 64, 4)).read("test.json", bytes(five)))
        .hasMessageContaining("more than 4 super metrics in one file");
    assertThat(
            new ImportReader(limits(10_000, 64, 5)).read("test.json", bytes(five)).superMetrics())
        .hasSize(5);
  }

  @Test
  void theSizeOfOneSuperMetricIsLimited() {
    assertThat(read(member("").replace("\"n\"", "\"" + "n".repeat(1001) + "\"")).problems())
        .singleElement()
        .asString()
        .contains("the name is longer than 1000 characters");
    assertThat(read(member("").replace("\"1\"", "\"" + "1".repeat(65_537) + "\"")).problems())
        .singleElement()
        .asString()
        .contains("the formula is longer than 65536 characters");
    assertThat(read(member("").replace("\"1\"", "\"" + "1".repeat(65_536) + "\"")).problems())
        .isEmpty();
    assertThat(read(member(", \"x\": \"" + "x".repeat(1 << 20) + "\"")).problems())
        .singleElement()
        .asString()
        .contains("larger than 1048576 bytes");
  }

  @Test
  void theLimitsAreThoseOfTheDocumentation() throws IOException {
    FileLimits it = FileLimits.DEFAULT;
    int mib = 1 << 20;

    assertThat(Files.readString(Path.of("..", "docs", "super-metric-files.md")))
        .contains("| file | %d MiB |".formatted(it.fileBytes() / mib))
        .contains(
            "| one document in a ZIP, unpacked | %d MiB |".formatted(it.documentBytes() / mib))
        .contains("| all of a ZIP, unpacked | %d MiB |".formatted(it.inflatedBytes() / mib))
        .contains(String.format(Locale.ROOT, "| entries of a ZIP | %,d |", it.zipEntries()))
        .contains("| ZIPs inside each other | %d |".formatted(it.zipsInside()))
        .contains("| objects and arrays inside each other | %d |".formatted(it.nesting()))
        .contains(String.format(Locale.ROOT, "| super metrics | %,d |", it.superMetrics()))
        .contains("| one super metric in the file | %d MiB |".formatted(it.memberBytes() / mib))
        .contains(String.format(Locale.ROOT, "| name | %,d characters |", it.nameLength()))
        .contains(String.format(Locale.ROOT, "| formula | %,d characters (", it.formulaLength()))
        .contains(
            String.format(
                Locale.ROOT, "| names, values and brackets of all JSON | %,d |", it.tokens()))
        .contains(String.format(Locale.ROOT, "reported one by one | %,d |", it.problems()));
  }

  @Test
  void theNumberOfReportedProblemsIsLimited() {
    String wrong =
        IntStream.range(0, 2000)
            .mapToObj(i -> "\"" + i + "\": 1")
            .collect(Collectors.joining(",", "{", "}"));

    ImportFile file = read(wrong);

    assertThat(file.problems()).hasSize(1000);
    assertThat(file.problemCount()).isEqualTo(2000);
  }

  /** Any bytes give a result or the reader's own exception, with seed 20261121. */
  @Test
  void brokenFilesAreReported() {
    Random random = new Random(20261121);
    byte[] json =
        bytes(
            member(
                ", \"resourceKinds\": [{\"resourceKindKey\": \"K\", \"adapterKindKey\": \"A\"}],"
                    + " \"x\": [1.5e3, true, null, \"\\u00e4\", 99999999999999999999]"));
    byte[] zip =
        ExportWriter.zip(List.of(only(member("")).definition()), ExportWriter.NO_INSTALLATION);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] content = (i % 2 == 0 ? json : zip).clone();
      for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
        content[random.nextInt(content.length)] = (byte) random.nextInt(256);
      }
      try {
        new ImportReader().read("any", content);
        read++;
      } catch (UnreadableFileException e) {
        assertThat(e.getMessage()).startsWith("any");
      }
    }
    assertThat(read).isBetween(1_000, 19_000);
  }

  private static FileLimits limits(int fileBytes, int nesting, int superMetrics) {
    return new FileLimits(
        fileBytes, 10, 10_000, 10_000, 2, nesting, superMetrics, 10_000, 100, 1_000, 100_000, 10);
  }

  private static String member(String more) {
    return "{\"" + ID + "\": {\"name\": \"n\", \"formula\": \"1\"" + more + "}}";
  }

  private static Found only(String json) {
    ImportFile file = read(json);
    assertThat(file.problems()).isEmpty();
    assertThat(file.superMetrics()).hasSize(1);
    return file.superMetrics().getFirst();
  }

  private static ImportFile read(String json) {
    return new ImportReader().read("test.json", bytes(json));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
