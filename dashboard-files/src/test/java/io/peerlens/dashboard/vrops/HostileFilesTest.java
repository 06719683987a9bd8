package io.peerlens.dashboard.vrops;

import static io.peerlens.dashboard.vrops.Exports.bytes;
import static io.peerlens.dashboard.vrops.Exports.column;
import static io.peerlens.dashboard.vrops.Exports.dashboard;
import static io.peerlens.dashboard.vrops.Exports.list;
import static io.peerlens.dashboard.vrops.Exports.view;
import static io.peerlens.dashboard.vrops.Exports.widget;
import static io.peerlens.dashboard.vrops.Exports.zip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.dashboard.vrops.Archive.Budget;
import io.peerlens.dashboard.vrops.Archive.Entry;
import io.peerlens.dashboard.vrops.ImportReport.Item;
import io.peerlens.dashboard.vrops.ImportReport.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Files that mean harm, and files that are broken in every way. */
class HostileFilesTest {

  private static final Path CORPUS = Path.of("../../shared/corpus/dashboards");
  private static final int SECONDS = 10;

  private final FakeInstallation here = FakeInstallation.withVCenter();

  private VropsImport read(byte[] file) {
    return VropsImport.read("file.zip", file, here, Map.of());
  }

  private static List<Item> problems(VropsImport read) {
    return read.report().items().stream().filter(it -> it.level() == Level.FILE).toList();
  }

  private static byte[] goodView() {
    return bytes(
        view(
            Exports.CLUSTERS,
            "Good",
            "HostSystem",
            list(column("cpu|usage_average", "CURRENT")),
            "<Presentation type=\"list\"/>"));
  }

  @Test
  void aZipBombIsReportedAndItsNeighbourIsRead() {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    byte[] zeros = new byte[30 << 20];
    zeros[0] = '{';
    entries.put("bomb.json", zeros);
    entries.put("content.xml", goodView());
    VropsImport read = read(zip(entries));
    assertThat(problems(read)).hasSize(1);
    assertThat(problems(read).getFirst().text()).contains("times its size");
    assertThat(read.report().views()).hasSize(1);
  }

  @Test
  void zipsThatUnpackToMoreThanAllowedTogetherEndTheReading() {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    Random random = new Random(1);
    for (int i = 0; i < 20; i++) {
      StringBuilder text = new StringBuilder("{\"a\":\"");
      while (text.length() < 100_000) {
        text.append((char) ('a' + random.nextInt(26)));
      }
      entries.put(i + ".json", bytes(text + "\"}"));
    }
    ImportLimits d = ImportLimits.DEFAULT;
    ImportLimits small =
        new ImportLimits(
            d.fileBytes(),
            d.depth(),
            d.entries(),
            d.entryBytes(),
            1_000_000,
            d.ratio(),
            d.dashboards(),
            d.views(),
            d.problems(),
            d.originalBytes());
    VropsImport read = VropsImport.read("f.zip", zip(entries), here, Map.of(), small);
    assertThat(problems(read).getFirst().text()).contains("unpacks to more than 1,000,000 bytes");
  }

  @Test
  void zipsThatLieTooDeepInEachOtherAreNotOpened() {
    byte[] file = goodView();
    for (int i = 0; i < 12; i++) {
      file = zip(Map.of("inner.zip", file));
    }
    assertThat(problems(read(file)).getFirst().text()).contains("deep");
  }

  @Test
  void aDamagedEntryDoesNotHideTheOthers() {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("a.xml", goodView());
    entries.put(
        "b.xml",
        bytes(
            view(
                "c4c1a3ee-9a0b-4f11-a6f4-6dcd0e1a5a6f",
                "Other",
                "HostSystem",
                list(column("mem|usage_average", "CURRENT")),
                "<Presentation type=\"list\"/>")));
    byte[] file = zip(entries);
    // The packed bytes of the first entry stand behind its header and name.
    for (int i = 120; i < 160; i++) {
      file[i] ^= 0x55;
    }
    VropsImport read = read(file);
    assertThat(problems(read)).hasSize(1);
    assertThat(problems(read).getFirst().id()).endsWith("a.xml");
    assertThat(read.report().views()).hasSize(1);
  }

  @Test
  void aZipThatIsCutOffGivesTheEntriesBeforeTheCut() {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("a.xml", goodView());
    entries.put("b.xml", goodView());
    byte[] file = zip(entries);
    VropsImport read = read(java.util.Arrays.copyOf(file, file.length * 6 / 10));
    assertThat(read.report().views()).hasSize(1);
  }

  @Test
  void anExternalEntityIsNotReadAndTheRestGoesOn() throws IOException {
    Path secret = Files.createTempFile("secret", ".txt");
    Files.writeString(secret, "TOP-SECRET");
    String xxe =
        "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY e SYSTEM \""
            + secret.toUri()
            + "\">]><Content><ViewDef id=\"1\"><Title>&e;</Title></ViewDef></Content>";
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("bad.xml", bytes(xxe));
    entries.put("good.xml", goodView());
    VropsImport read = read(zip(entries));
    assertThat(read.bundle().toString() + read.report()).doesNotContain("TOP-SECRET");
    assertThat(problems(read)).hasSize(1);
    assertThat(problems(read).getFirst().text()).contains("document type");
    assertThat(read.report().views()).hasSize(1);
    Files.delete(secret);
  }

  @Test
  void aBillionLaughsAreRefusedAtOnce() {
    StringBuilder xml =
        new StringBuilder("<?xml version=\"1.0\"?><!doctype x [<!ENTITY a0 \"ha\">");
    for (int i = 1; i < 12; i++) {
      xml.append("<!ENTITY a").append(i).append(" \"").append(("&a" + (i - 1) + ";").repeat(10));
      xml.append("\">");
    }
    xml.append("]><Content><ViewDef id=\"1\"><Title>&a11;</Title></ViewDef></Content>");
    long start = System.nanoTime();
    VropsImport read = read(bytes(xml.toString()));
    assertThat(System.nanoTime() - start).isLessThan(SECONDS * 1_000_000_000L);
    assertThat(problems(read)).hasSize(1);
    assertThat(read.report().views()).isEmpty();
  }

  @Test
  void nothingOfATextRunsOrLoads() {
    String html =
        "<p onclick='steal()'>Hello <b>you</b></p><script>alert(1)</script><iframe src='https://evil.example/x'></iframe>"
            + "<a href='javascript:alert(2)'>click</a> <a href='https://docs.example/a_b'>docs</a>"
            + "<img src=x onerror=alert(3)><svg onload=alert(4)></svg><style>body{}</style>"
            + "<a href='data:text/html,alert(5)'>d</a><form action='/x'><input value='y'></form>[x](javascript:alert(6))";
    String json = JsonNodeFactory.instance.objectNode().put("editorData", html).toString();
    VropsImport read = read(dashboard(widget("T", "TextDisplay", 1, 1, 6, 6, json), ""));
    JsonNode panel = read.bundle().path("dashboards").get(0).path("panels").path("t");
    String markdown = panel.path("markdown").asString();
    assertThat(markdown)
        .contains("Hello **you**")
        .contains("[docs](https://docs.example/a_b)")
        .contains("](https://evil.example/x)")
        .contains("click")
        .doesNotContain("alert(1)")
        .doesNotContainPattern("(?<!\\\\)\\]\\(javascript")
        .doesNotContain("](data")
        .doesNotContain("<")
        .doesNotContain("onerror");
    // Brackets of the text itself make no link either.
    assertThat(markdown).contains("\\[x\\](javascript");
    Item item = read.report().items().getFirst().items().getFirst();
    assertThat(item.status()).isEqualTo(ImportStatus.REPLACED);
    assertThat(item.text()).contains("a script").contains("an embedded page");
  }

  @Test
  void anAddressThatRunsSomethingIsNoLink() {
    VropsImport read =
        read(
            dashboard(
                widget("T", "TextDisplay", 1, 1, 6, 6, "{\"locationUrl\": \"javascript:alert(1)\"}")
                    + ","
                    + widget(
                        "U",
                        "TextDisplay",
                        1,
                        7,
                        6,
                        6,
                        "{\"locationUrl\": \"https://a.example/b\"}"),
                ""));
    JsonNode panels = read.bundle().path("dashboards").get(0).path("panels");
    assertThat(panels.path("t").path("markdown").asString()).doesNotContain("javascript");
    assertThat(panels.path("u").path("markdown").asString())
        .isEqualTo("[https://a.example/b](https://a.example/b)");
  }

  @Test
  void deepAndWideDocumentsEndInAnItemOfTheReport() {
    assertThat(problems(read(bytes("[".repeat(100_000) + "\"widgets\"")))).hasSize(1);
    assertThat(problems(read(bytes("<ViewDef>" + "<a>".repeat(100_000))))).hasSize(1);
    String html =
        JsonNodeFactory.instance
            .objectNode()
            .put("editorData", "<div><b><ul>".repeat(60_000) + "x")
            .toString();
    long start = System.nanoTime();
    read(dashboard(widget("T", "TextDisplay", 1, 1, 6, 6, html), ""));
    assertThat(System.nanoTime() - start).isLessThan(SECONDS * 1_000_000_000L);
    StringBuilder widgets = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      widgets.append(i == 0 ? "" : ",").append(widget("w" + i, "TextDisplay", 1, 1, 12, 60, "{}"));
    }
    VropsImport many = read(dashboard(widgets.toString(), ""));
    assertThat(many.bundle().path("dashboards").get(0).path("panels").size()).isEqualTo(100);
    assertThat(BundleSchema.errors(many.bundle())).isEmpty();
  }

  /** Documents of the published files, changed at random places to other types and values. */
  @Test
  void changedJsonGivesABundleOfTheSchemaAndNoException() throws IOException {
    List<byte[]> documents = documents('{');
    Random random = new Random(20261127);
    long end = System.nanoTime() + 25_000_000_000L;
    int done = 0;
    int valid = 0;
    while (System.nanoTime() < end && done < 1500) {
      byte[] document = documents.get(random.nextInt(documents.size()));
      JsonNode root = Documents.MAPPER.readTree(document);
      int changes = 1 + random.nextInt(30);
      for (int i = 0; i < changes; i++) {
        change(root, random, 0);
      }
      VropsImport read = timed(bytes(root.toString()), "JSON " + done);
      if (done % 5 == 0 && read.bundle().toString().length() < 300_000) {
        assertThat(BundleSchema.errors(read.bundle())).as("mutation %d", done).isEmpty();
        valid++;
      }
      done++;
    }
    System.out.println(done + " changed JSON documents, " + valid + " held to the schema");
    assertThat(done).isGreaterThan(50);
  }

  @Test
  void changedXmlGivesABundleOfTheSchemaAndNoException() throws IOException {
    List<byte[]> documents = documents('<');
    Random random = new Random(42);
    long end = System.nanoTime() + 20_000_000_000L;
    int done = 0;
    while (System.nanoTime() < end && done < 1500) {
      String text =
          new String(
              documents.get(random.nextInt(documents.size())),
              java.nio.charset.StandardCharsets.UTF_8);
      StringBuilder changed = new StringBuilder(text);
      for (int i = 0; i < 1 + random.nextInt(20); i++) {
        changeXml(changed, random);
      }
      VropsImport read = timed(bytes(changed.toString()), "XML " + done);
      if (done % 5 == 0 && read.bundle().toString().length() < 300_000) {
        assertThat(BundleSchema.errors(read.bundle())).as("mutation %d", done).isEmpty();
      }
      done++;
    }
    System.out.println(done + " changed XML documents");
    assertThat(done).isGreaterThan(50);
  }

  @Test
  void changedBytesOfFilesNeverEndInAnException() throws IOException {
    List<Path> files = corpus();
    Random random = new Random(7);
    long end = System.nanoTime() + 15_000_000_000L;
    int done = 0;
    while (System.nanoTime() < end && done < 1500) {
      byte[] file = Files.readAllBytes(files.get(random.nextInt(files.size())));
      if (file.length == 0 || file.length > 400_000) {
        continue;
      }
      for (int i = 0; i < 1 + random.nextInt(40); i++) {
        file[random.nextInt(file.length)] = (byte) random.nextInt(256);
      }
      if (random.nextInt(4) == 0) {
        file = java.util.Arrays.copyOf(file, random.nextInt(file.length) + 1);
      }
      timed(file, "bytes " + done);
      done++;
    }
    System.out.println(done + " changed files");
    assertThat(done).isGreaterThan(50);
  }

  private VropsImport timed(byte[] file, String what) {
    long start = System.nanoTime();
    VropsImport read = read(file);
    assertThat((System.nanoTime() - start) / 1_000_000_000)
        .as("seconds for %s", what)
        .isLessThan(SECONDS);
    return read;
  }

  private static List<Path> corpus() throws IOException {
    assumeTrue(Files.isDirectory(CORPUS), "skipped: no published dashboards in " + CORPUS);
    return PublishedDashboardsTest.files();
  }

  private static List<byte[]> documents(char first) throws IOException {
    List<byte[]> documents = new ArrayList<>();
    for (Path file : corpus()) {
      collect(Files.readAllBytes(file), first, documents, 0);
    }
    assertThat(documents).hasSizeGreaterThan(50);
    return documents;
  }

  private static void collect(byte[] file, char first, List<byte[]> documents, int depth) {
    if (Archive.isZip(file) && depth < 5) {
      for (Entry entry :
          new Archive(file, new Budget(ImportLimits.DEFAULT)).entries((name, start) -> true)) {
        if (entry instanceof Entry.Content content) {
          collect(content.bytes(), first, documents, depth + 1);
        }
      }
      return;
    }
    String start =
        new String(file, 0, Math.min(200, file.length), java.nio.charset.StandardCharsets.UTF_8)
            .strip();
    boolean meant =
        first == '{'
            ? start.startsWith("{")
            : start.startsWith("<") && start.toLowerCase(Locale.ROOT).contains("view");
    if (meant && file.length < 300_000) {
      documents.add(file);
    }
  }

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Walks down to a random member and puts something of another type there. */
  private static void change(JsonNode node, Random random, int depth) {
    if (node instanceof ObjectNode object && !object.isEmpty()) {
      List<String> names = new ArrayList<>(object.propertyNames());
      String name = names.get(random.nextInt(names.size()));
      JsonNode child = object.path(name);
      if (child.isContainer() && !child.isEmpty() && (depth < 2 || random.nextInt(6) > 0)) {
        change(child, random, depth + 1);
      } else if (random.nextInt(8) == 0) {
        object.remove(name);
      } else {
        object.set(name, any(random));
      }
    } else if (node instanceof ArrayNode array && !array.isEmpty()) {
      int index = random.nextInt(array.size());
      JsonNode child = array.get(index);
      if (child.isContainer() && !child.isEmpty() && random.nextInt(10) > 0) {
        change(child, random, depth + 1);
      } else if (random.nextInt(4) == 0) {
        array.add(child.deepCopy());
      } else {
        array.set(index, any(random));
      }
    }
  }

  private static JsonNode any(Random random) {
    return switch (random.nextInt(16)) {
      case 0 -> JSON.nullNode();
      case 1 -> JSON.booleanNode(random.nextBoolean());
      case 2 -> JSON.numberNode(random.nextInt());
      case 3 -> JSON.numberNode(Double.longBitsToDouble(random.nextLong()) > 0 ? 1e300 : -1e-300);
      case 4 -> JSON.stringNode("");
      case 5 -> JSON.stringNode("x".repeat(random.nextInt(2000)));
      case 6 -> JSON.stringNode("\u0000\u0007\ud83d\ude00 /|:$[]<>\n\t'\"%25%5E");
      case 7 -> JSON.arrayNode();
      case 8 -> JSON.objectNode();
      case 9 -> JSON.arrayNode().add(JSON.arrayNode().add(3).add("a")).addNull();
      case 10 -> JSON.objectNode().put("id", "resourceKind:id:1_::_").put("name", -5);
      case 11 -> JSON.stringNode("002006VMWAREHostSystem");
      case 12 -> JSON.stringNode("Super Metric|sm_not-a-uuid");
      case 13 -> JSON.stringNode("NaN");
      case 14 -> JSON.stringNode("1e999");
      default -> JSON.stringNode("99999999999999999999");
    };
  }

  private static void changeXml(StringBuilder text, Random random) {
    int at = random.nextInt(text.length());
    int quote = text.indexOf("\"", at);
    int end = quote < 0 ? -1 : text.indexOf("\"", quote + 1);
    switch (random.nextInt(4)) {
      case 0 -> {
        int open = text.indexOf("<", at);
        int close = open < 0 ? -1 : text.indexOf(">", open);
        if (close > 0 && random.nextInt(3) == 0) {
          text.delete(open, close + 1);
        }
      }
      default -> {
        if (end > 0 && end - quote < 400) {
          String[] values = {
            "",
            "0",
            "-1",
            "1e400",
            "NaN",
            "true",
            "x".repeat(500),
            "Ä/|:%$",
            "99999999999",
            "PERCENTILE",
            "TRANSFORM_EXPRESSION",
            "donut-chart",
            "list",
            "COLUMN",
            "[[{]]",
            "[[1,[2]]]"
          };
          text.replace(quote + 1, end, values[random.nextInt(values.length)]);
        }
      }
    }
  }
}
