package io.peerlens.supermetrics.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.supermetrics.file.ImportFile.ContentMarker;
import io.peerlens.supermetrics.file.ImportFile.Enablement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

class ZipImportTest {

  private static final FileLimits SMALL =
      new FileLimits(100_000, 20, 50_000, 5_000, 2, 16, 5, 4_000, 100, 1_000, 5_000, 10);

  @Test
  void anExportOfContentManagementIsRead() throws IOException {
    ImportFile file =
        read(
            Map.of(
                "1234567890123456789L.v1", bytes("0b8c6d0e-58a3-4a75-8a3e-51f0c5a0d2b9\n"),
                "configuration.json", bytes("{\"superMetrics\": 1, \"type\": \"ALL\"}"),
                "supermetrics.json", document(1),
                "usermappings.json", bytes("{\"users\": [{\"userId\": \"x\"}]}"),
                "dashboardsharings/x", bytes("[]"),
                "icon.png", new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10}));

    assertThat(file.superMetrics())
        .singleElement()
        .satisfies(
            it ->
                assertThat(it.place())
                    .hasToString(
                        "content.zip!/supermetrics.json, line 1, column 2, "
                            + "00000000-0000-0000-0000-000000000001"));
    assertThat(file.marker())
        .isEqualTo(
            new ContentMarker("1234567890123456789", "0b8c6d0e-58a3-4a75-8a3e-51f0c5a0d2b9"));
    assertThat(file.problems()).isEmpty();
    assertThat(file.leftAlone())
        .containsExactlyInAnyOrder(
            "content.zip!/configuration.json",
            "content.zip!/usermappings.json",
            "content.zip!/dashboardsharings/x",
            "content.zip!/icon.png");
  }

  @Test
  void aManagementPackWithOneFileForEachIsRead() throws IOException {
    ImportFile file =
        read(
            Map.of(
                "manifest.txt", bytes("{ \"name\": \"pack\" }"),
                "content/supermetrics/CPU Ready.json", document(1),
                "content/supermetrics/deeper/any name", document(2),
                "content/dashboards/d.json", bytes("{\"dashboards\": []}")));

    assertThat(file.superMetrics())
        .extracting(it -> it.definition().id())
        .containsExactlyInAnyOrder(new UUID(0, 1), new UUID(0, 2));
    assertThat(file.leftAlone())
        .containsExactlyInAnyOrder(
            "content.zip!/manifest.txt", "content.zip!/content/dashboards/d.json");
  }

  @Test
  void zipsInsideAZipAreReadAndDeeperOnesIgnored() throws IOException {
    byte[] three = zip(Map.of("c.json", document(3)));
    byte[] two = zip(Map.of("three.zip", three, "b.json", document(2)));
    byte[] one = zip(Map.of("two.zip", two, "a.json", document(1)));

    ImportFile file = read(Map.of("one.pak", one));

    assertThat(file.superMetrics())
        .extracting(it -> it.place().file())
        .containsExactlyInAnyOrder(
            "content.zip!/one.pak!/a.json", "content.zip!/one.pak!/two.zip!/b.json");
    assertThat(file.leftAlone()).containsExactly("content.zip!/one.pak!/two.zip!/three.zip");
  }

  @Test
  void aBrokenDocumentIsReportedAndTheOthersRead() throws IOException {
    byte[] cut = Arrays.copyOf(zip(Map.of("x.json", document(3))), 60);
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("broken.json", bytes("{\"a\": {\"formula\": "));
    entries.put("template.txt", bytes("{ of something else"));
    entries.put("cut.zip", cut);
    entries.put("good.json", document(1));

    ImportFile file = read(entries);

    assertThat(file.superMetrics()).hasSize(1);
    assertThat(file.problems())
        .extracting(Problem::toString)
        .satisfiesExactly(
            it -> assertThat(it).startsWith("content.zip!/broken.json, line 1, column "),
            it ->
                assertThat(it)
                    .isEqualTo(
                        "content.zip!/cut.zip: the ZIP cannot be read: its end is missing. Export"
                            + " or pack it again, without a password"));
  }

  @Test
  void policiesAreReadWithTheirSuperMetrics() throws IOException {
    ImportFile file =
        read(
            Map.of(
                "exportedPolicies.xml",
                bytes(
                    """
                    <?xml version="1.0" encoding="UTF-8"?>
                    <PolicyContent><Policies>
                      <Policy name="Production">
                        <PackageSettings>
                          <Alerts adapterKind="VMWARE"><Alert enabled="true" id="AlertDefinition-1"/></Alerts>
                          <SuperMetrics adapterKind="VMWARE" resourceKind="HostSystem">
                            <SuperMetric enabled="true" id="00000000-0000-0000-0000-000000000001"/>
                            <SuperMetric enabled="false" id="00000000-0000-0000-0000-000000000002"/>
                            <SuperMetric enabled="true" id="sm_1"/>
                          </SuperMetrics>
                        </PackageSettings>
                      </Policy>
                    </Policies></PolicyContent>
                    """),
                "views/content.xml",
                bytes("<Content><Views/></Content>")));

    assertThat(file.enablements())
        .containsExactly(
            new Enablement("Production", "VMWARE", "HostSystem", new UUID(0, 1), true),
            new Enablement("Production", "VMWARE", "HostSystem", new UUID(0, 2), false));
    assertThat(file.problems())
        .singleElement()
        .asString()
        .startsWith("content.zip!/exportedPolicies.xml, line 9: SuperMetric must have a uuid");
    assertThat(file.leftAlone()).containsExactly("content.zip!/views/content.xml");
  }

  @Test
  void otherXmlIsNotReportedAsABrokenPolicy() throws IOException {
    ImportFile file =
        read(
            Map.of(
                "notes.txt",
                bytes("<see below> & the element <SuperMetrics> of exportedPolicies.xml"),
                "help.html",
                bytes("<!DOCTYPE html><html><br>Write <SuperMetrics adapterKind=VMWARE></html>"),
                "page.html",
                bytes("<html><p>&nbsp;<code><SuperMetrics/></code></p></html>"),
                "cut-off.xml",
                bytes("<?xml version=\"1.0\"?><PolicyContent><Policies><SuperMetrics ")));

    assertThat(file.enablements()).isEmpty();
    assertThat(file.problems())
        .singleElement()
        .asString()
        .startsWith("content.zip!/cut-off.xml, line 1: the XML was not read: ")
        .endsWith("Export the policy again");
    assertThat(file.leftAlone())
        .containsExactlyInAnyOrder(
            "content.zip!/notes.txt", "content.zip!/help.html", "content.zip!/page.html");
  }

  @Test
  void documentTypesAndEntitiesAreNotRead() throws IOException {
    ImportFile file =
        read(
            Map.of(
                "a.xml",
                bytes(
                    "<!DOCTYPE Policy [<!ENTITY e SYSTEM"
                        + " \"file:///etc/passwd\">]><Policy><SuperMetrics adapterKind=\"A\""
                        + " resourceKind=\"&e;\"/></Policy>"),
                "b.xml",
                bytes(
                    "<!DOCTYPE SuperMetrics [<!ENTITY e"
                        + " \"eeeeeeeeee\">]><SuperMetrics>&e;&e;&e;</SuperMetrics>"),
                "c.xml",
                bytes("<SuperMetrics>".repeat(1_000)),
                "d.html",
                bytes("<!DOCTYPE html><html/>")));

    assertThat(file.enablements()).isEmpty();
    assertThat(file.problems())
        .hasSize(3)
        .allSatisfy(it -> assertThat(it.text()).startsWith("the XML was not read: "));
    assertThat(file.leftAlone()).containsExactly("content.zip!/d.html");
  }

  @Test
  void aZipBombIsStopped() throws IOException {
    byte[] zeros = new byte[60_000];

    assertThatThrownBy(() -> small(Map.of("zeros", zeros)))
        .isInstanceOf(UnreadableFileException.class)
        .hasMessage(
            "content.zip: the ZIP unpacks to more than 50,000 bytes; import the documents in it one"
                + " by one");
    assertThatThrownBy(() -> small(Map.of("folder/", zeros)))
        .isInstanceOf(UnreadableFileException.class)
        .hasMessageContaining("unpacks to more than 50,000 bytes");
    byte[] inner = zip(Map.of("zeros", zeros));
    assertThatThrownBy(() -> small(Map.of("inner.zip", inner)))
        .isInstanceOf(UnreadableFileException.class)
        .hasMessageContaining("unpacks to more than 50,000 bytes");
  }

  @Test
  void aTooLargeDocumentIsLeftOut() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("large.json", bytes("{" + " ".repeat(6_000) + "}"));
    entries.put("good.json", document(1));

    ImportFile file = small(entries);

    assertThat(file.superMetrics()).hasSize(1);
    assertThat(file.problems())
        .singleElement()
        .hasToString(
            "content.zip!/large.json: not read: unpacked it has more than 5,000 bytes; import it in"
                + " parts");
  }

  @Test
  void entriesAndSuperMetricsAreLimitedOverAllDocuments() throws IOException {
    Map<String, byte[]> many = new LinkedHashMap<>();
    for (int i = 0; i < 21; i++) {
      many.put("e" + i, new byte[0]);
    }
    Map<String, byte[]> six = new LinkedHashMap<>();
    for (int i = 0; i < 6; i++) {
      six.put(i + ".json", document(i));
    }

    assertThatThrownBy(() -> small(many)).hasMessageContaining("more than 20 entries");
    assertThatThrownBy(() -> small(six)).hasMessageContaining("more than 5 super metrics");
  }

  @Test
  void aTruncatedOrEncryptedZipIsRefused() throws IOException {
    byte[] whole = zip(Map.of("a.json", document(1)));
    byte[] locked = whole.clone();
    locked[6] |= 1; // general purpose flag, bit 0: encrypted

    assertThatThrownBy(
            () -> new ImportReader().read("x.zip", Arrays.copyOf(whole, whole.length - 30)))
        .isInstanceOf(UnreadableFileException.class)
        .hasMessageContaining("its end is missing");
    assertThatThrownBy(() -> new ImportReader().read("x.zip", locked))
        .isInstanceOf(UnreadableFileException.class)
        .hasMessageContaining("encrypted")
        .hasMessageContaining("without a password");
  }

  @Test
  void namesOfEveryPackerAreRead() throws IOException {
    for (Charset charset : List.of(StandardCharsets.UTF_8, Charset.forName("windows-1252"))) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ZipOutputStream zip = new ZipOutputStream(bytes, charset)) {
        zip.putNextEntry(new ZipEntry("Größe.txt"));
      }
      assertThat(new ImportReader().read("x.zip", bytes.toByteArray()).leftAlone())
          .containsExactly("x.zip!/Größe.txt");
    }
  }

  @Test
  void anEmptyZipIsRead() throws IOException {
    assertThat(read(Map.of()).superMetrics()).isEmpty();
  }

  @Test
  void controlCharactersInNamesAreNotShown() throws IOException {
    assertThat(read(Map.of("../../etc/\u001b[31mx", new byte[] {'x'})).leftAlone())
        .containsExactly("content.zip!/../../etc/?[31mx");
  }

  private static ImportFile read(Map<String, byte[]> entries) throws IOException {
    return new ImportReader().read("content.zip", zip(entries));
  }

  private static ImportFile small(Map<String, byte[]> entries) throws IOException {
    return new ImportReader(SMALL).read("content.zip", zip(entries));
  }

  private static byte[] document(int id) {
    return bytes(
        "{\"%s\": {\"name\": \"n%d\", \"formula\": \"1\"}}".formatted(new UUID(0, id), id));
  }

  private static byte[] zip(Map<String, byte[]> entries) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
        zip.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
