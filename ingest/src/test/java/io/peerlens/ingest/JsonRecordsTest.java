package io.peerlens.ingest;

import static io.peerlens.ingest.Decoding.host;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.key.GroupKey;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReference;
import io.peerlens.ingest.mapping.Mappings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JSON records: our own form and Telegraf's. */
class JsonRecordsTest {

  private static final long T = 1_795_219_680_000_000L;
  private static final ObjectKey SWITCH = new ObjectKey("Acme", "Switch", "sw-1");

  private final Decoding d = new Decoding();

  @Test
  void ourOwnFormIsRead() {
    d.records(
        """
        {"adapterKind": "Acme", "objectKind": "Switch", "id": "sw-1", "name": "rack 4 top",
         "time": "2026-11-21T01:08:00+01:00",
         "metrics": {"cpu|usage": 12.5, "port:ge-0/0/1|speed": 1000, "port:ge-0/0/1|up": true, "none": null},
         "properties": {"model": "A1", "slots": 4}, "tags": {"room": "B"},
         "parents": [{"objectKind": "Rack", "id": "r-4"}, {"adapterKind": "Other", "objectKind": "Room", "id": "b"}]}
        """);
    assertThat(d.rejections()).isEmpty();
    assertThat(d.all())
        .containsOnly(
            Map.entry("sw-1/cpu|usage@" + T, 12.5),
            Map.entry("sw-1/port:ge-0/0/1|speed@" + T, 1000.0),
            Map.entry("sw-1/port:ge-0/0/1|up@" + T, 1.0));
    ObjectAttributes a = d.catalog.attributes(SWITCH);
    assertThat(a.name()).isEqualTo("rack 4 top");
    assertThat(a.locator()).isEqualTo("sw-1");
    assertThat(a.properties()).containsOnly(Map.entry("model", "A1"), Map.entry("slots", "4"));
    assertThat(a.tags()).containsOnly(Map.entry("room", "B"));
    assertThat(a.references())
        .containsExactlyInAnyOrder(
            new ObjectReference(ObjectReference.Role.PARENT, "Acme", "Rack", "r-4"),
            new ObjectReference(ObjectReference.Role.PARENT, "Other", "Room", "b"));
  }

  private static String sample(String members) {
    return "{\"adapterKind\":\"Acme\",\"objectKind\":\"Switch\",\"id\":\"sw-1\",%s}"
        .formatted(members);
  }

  @Test
  void goodElementsOfAnArrayAreKept() {
    d.records(
        "[%s,{\"id\":1},7,%s]"
            .formatted(
                sample("\"time\":1795219680000,\"metrics\":{\"a|b\":1}"),
                sample("\"time\":1795219680001,\"metrics\":{\"a|b\":2}")));
    assertThat(d.value(SWITCH, "a|b", T)).isEqualTo(1);
    assertThat(d.value(SWITCH, "a|b", T + 1000)).isEqualTo(2);
    assertThat(d.rejections())
        .containsExactly(
            "json: 'adapterKind' is missing: expected text that is not blank",
            "json: expected an object, found number");
    assertThat(d.letters()).extracting(DeadLetter::line).containsExactly(2, 3);
    assertThat(d.payloads()).containsExactly("{\"id\":1}", "7");
  }

  @Test
  void keysWithoutInstanceGetTheInstanceOfTheRecord() {
    d.records(
        sample(
            "\"time\":1795219680000,\"instance\":\"p1\",\"metrics\":{\"port|speed\":1,\"port:p2|speed\":2}"));
    assertThat(d.value(SWITCH, "port:p1|speed", T)).isEqualTo(1);
    assertThat(d.value(SWITCH, "port:p2|speed", T)).isEqualTo(2);
  }

  @Test
  void timeAndNameDefaultToThoseOfTheRecord() {
    d.batch(
        List.of(
            d.record(
                sample("\"metrics\":{\"a|b\":1}").getBytes(StandardCharsets.UTF_8),
                T / 1000,
                null)));
    assertThat(d.value(SWITCH, "a|b", T)).isEqualTo(1);
    assertThat(d.catalog.attributes(SWITCH).name()).isEqualTo("sw-1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "\"metrics\":{}; json: nothing is said of the object: expected 'metrics', an object of numbers by metric key like {\"cpu|usage_average\": 12.5}, or any of 'name', 'locator', 'properties', 'tags', 'parents', 'children', 'gone'",
        "\"properties\":{},\"tags\":null,\"parents\":[],\"name\":\" \",\"units\":{}; json: nothing is said of the object: expected 'metrics', an object of numbers by metric key like {\"cpu|usage_average\": 12.5}, or any of 'name', 'locator', 'properties', 'tags', 'parents', 'children', 'gone'",
        "\"metric\":{\"a|b\":1},\"name\":\"n\"; json: 'metric' is no member of a record: write 'metrics'",
        "\"locator\":5; json: 'locator' is 5: expected text",
        "\"parents\":[{\"objectKind\":\"R\"}]; json: an element of 'parents' is {\"objectKind\":\"R\"}: expected {\"objectKind\": ..., \"id\": ...}",
        "\"properties\":{\"p\":\"\\u0000\"}; text: a text of the object holds a NUL character or half of a surrogate pair",
        "\"locator\":\"\\u0000\"; text: a text of the object holds a NUL character or half of a surrogate pair",
        "\"metrics\":[1]; json: 'metrics' is [1]: expected an object of numbers by metric key, like {\"cpu|usage_average\": 12.5}",
        "\"metrics\":{\"a|b\":\"x\"}; number: metric 'a|b' is \"x\": expected a number that fits 64 bits, or a boolean",
        "\"metrics\":{\"a|b\":1e999}; number: metric 'a|b' is %s: expected a number that fits 64 bits, or a boolean",
        "\"metrics\":{\"a|b\":{}}; number: metric 'a|b' is {}: expected a number that fits 64 bits, or a boolean",
        "\"metrics\":{\"a|\":1}; json: metric 'a|' has no name after the last '|'",
        "\"metrics\":{\"a|b\":null}; no-value: nothing to store: no metric is a number or boolean",
        "\"time\":\"yesterday\",\"metrics\":{\"a|b\":1}; timestamp: 'time' is \"yesterday\": expected RFC 3339 text or milliseconds since 1970",
        "\"time\":true,\"metrics\":{\"a|b\":1}; timestamp: 'time' is true: expected RFC 3339 text or milliseconds since 1970",
        "\"time\":1e300,\"metrics\":{\"a|b\":1}; timestamp: 'time' is 1.0E300: expected RFC 3339 text or milliseconds since 1970",
        "\"tags\":\"x\",\"metrics\":{\"a|b\":1}; json: 'tags' is \"x\": expected an object of texts",
        "\"properties\":[],\"metrics\":{\"a|b\":1}; json: 'properties' is []: expected an object of texts",
        "\"name\":5,\"metrics\":{\"a|b\":1}; json: 'name' is 5: expected text",
        "\"instance\":5,\"metrics\":{\"a|b\":1}; json: 'instance' is 5: expected text",
        "\"parents\":{},\"metrics\":{\"a|b\":1}; json: 'parents' is {}: expected an array of {\"objectKind\": ..., \"id\": ...}",
        "\"parents\":[\"r\"],\"metrics\":{\"a|b\":1}; json: an element of 'parents' is \"r\": expected {\"objectKind\": ..., \"id\": ...}",
        "\"metrics\":{\"a\\u0000|b\":1}; text: a text of the object holds a NUL character or half of a surrogate pair",
        "\"tags\":{\"k\":\"\\ud800x\"},\"metrics\":{\"a|b\":1}; text: a text of the object holds a NUL character or half of a surrogate pair",
        "\"parents\":[{\"objectKind\":\"R\",\"id\":\"\\u0000\"}],\"metrics\":{\"a|b\":1}; text: a text of the object holds a NUL character or half of a surrogate pair",
      })
  void errorsInARecordAreNamed(String members, String what) {
    d.records(sample(members), sample("\"time\":1795219680000,\"metrics\":{\"ok|v\":1}"));
    assertThat(d.rejections()).hasSize(1);
    assertThat(d.rejections().getFirst().replaceAll("is \"Infinity\"", "is %s")).isEqualTo(what);

    assertThat(d.value(SWITCH, "ok|v", T)).isEqualTo(1);
  }

  @Test
  void invalidJsonIsReportedWithItsPosition() {
    d.records("{\"a\": }", "[1, 2", "{} {}", "[".repeat(100));
    assertThat(d.letters()).extracting(DeadLetter::reason).containsOnly(RejectReason.JSON);
    assertThat(d.letters()).hasSize(4);
    assertThat(d.rejections().getFirst()).contains("line 1, column");
    assertThat(d.payloads().get(1)).isEqualTo("[1, 2");
  }

  @Test
  void theContentTypeCountsBeforeTheContent() {
    d.batch(
        List.of(
            d.record("{m},host=a v=1\n".getBytes(StandardCharsets.UTF_8), T / 1000, "text/plain"),
            d.record("m v=1".getBytes(StandardCharsets.UTF_8), T / 1000, "application/json"),
            d.record(
                " \n[]".getBytes(StandardCharsets.UTF_8), T / 1000, "application/octet-stream")));
    assertThat(d.value(host("a"), "{m}|v", T)).isEqualTo(1);
    assertThat(d.letters()).extracting(DeadLetter::reason).containsExactly(RejectReason.JSON);
  }

  @ParameterizedTest
  @CsvSource({
    "1795219680, 1795219680000000",
    "1795219680123, 1795219680123000",
    "1795219680123456, 1795219680123456",
    "1795219680123456789, 1795219680123456"
  })
  void telegrafJsonIsReadInAnyTimestampUnit(long written, long micros) {
    d.records(
        """
        {"fields":{"usage_average":5.5,"memorySizeMB":"1024","up":true},"name":"vsphere_vm_cpu",
         "tags":{"vcenter":"vc","moid":"vm-1","vmname":"a","cpu":"instance-total","empty":""},"timestamp":%d}
        """
            .formatted(written));
    assertThat(d.rejections()).isEmpty();
    ObjectKey vm = new ObjectKey("VMWARE", "VirtualMachine", "vc/vm-1");
    assertThat(d.value(vm, "cpu|usage_average", micros)).isEqualTo(5.5);
    assertThat(d.value(vm, "cpu|up", micros)).isEqualTo(1);
    assertThat(d.catalog.attributes(vm).properties())
        .containsEntry("config|hardware|memoryKB", "1048576");
  }

  @Test
  void theBatchFormatOfTelegrafIsRead() {
    d.records(
        """
        {"metrics":[{"fields":{"v":1},"name":"m","tags":{"host":"a"},"timestamp":1795219680},
                    {"fields":{"v":"text"},"name":"m","tags":{"host":"a"},"timestamp":1795219680},
                    {"fields":{"v":2},"name":"m","tags":{"host":"b"},"timestamp":1795219680}]}
        """);
    assertThat(d.value(host("a"), "m|v", T)).isEqualTo(1);
    assertThat(d.value(host("b"), "m|v", T)).isEqualTo(2);
    assertThat(d.rejections()).as("text alone is passed over").isEmpty();
  }

  @Test
  void jsonGivesTheSameSamplesAsLines() {
    Decoding lines = new Decoding();
    lines.records(
        "net,host=a,interface=eth0 bytes_recv=5i 1795219680000000000\n",
        "net,host=a,interface=eth0 bytes_recv=25i 1795219690000000000\n");
    d.records(
        "{\"fields\":{\"bytes_recv\":5},\"name\":\"net\",\"tags\":{\"host\":\"a\",\"interface\":\"eth0\"},\"timestamp\":1795219680}",
        "{\"fields\":{\"bytes_recv\":25},\"name\":\"net\",\"tags\":{\"host\":\"a\",\"interface\":\"eth0\"},\"timestamp\":1795219690}");
    assertThat(d.all()).isEqualTo(lines.all()).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"fields\":{\"v\":1},\"tags\":{}}; json: 'name' is missing: expected the measurement",
        "{\"fields\":5,\"tags\":{},\"name\":\"m\"}; json: expected objects as 'fields' and 'tags'",
        "{\"fields\":{\"v\":1},\"tags\":{},\"name\":\"m\",\"timestamp\":1.5}; timestamp: 'timestamp' is 1.5: expected a whole number",
        "{\"fields\":{\"v\":[]},\"tags\":{},\"name\":\"m\"}; number: field 'v' is []: expected a number that fits 64 bits, a boolean or text",
      })
  void errorsInTelegrafJsonAreNamed(String record, String what) {
    d.records(record);
    assertThat(d.rejections()).containsExactly(what);
  }

  @Test
  void aSampleWithoutNameRenamesNothing() {
    d.records(sample("\"name\":\"rack 4 top\",\"metrics\":{\"a|b\":1}"));
    d.records(sample("\"metrics\":{\"a|c\":1},\"properties\":{\"model\":\"A1\"}"));
    d.restart();
    d.records(sample("\"name\":null,\"metrics\":{\"a|c\":2},\"properties\":{\"model\":\"A2\"}"));
    ObjectAttributes a = d.catalog.attributes(SWITCH);
    assertThat(a.name()).isEqualTo("rack 4 top");
    assertThat(a.locator()).isEqualTo("sw-1");
    assertThat(a.properties()).containsEntry("model", "A2");

    d.records(sample("\"metrics\":{\"a|b\":1}").replace("sw-1", "sw-2"));
    ObjectAttributes unnamed = d.catalog.attributes(new ObjectKey("Acme", "Switch", "sw-2"));
    assertThat(unnamed.name()).as("a new one is called like its id").isEqualTo("sw-2");
    assertThat(unnamed.locator()).isEqualTo("sw-2");
  }

  @Test
  void addingToAnObjectOfTelegrafKeepsItsNameAndLocator() {
    String vm =
        "vsphere_vm_cpu,vcenter=vc,moid=vm-1,vmname=web1,dcname=DC0,cpu=instance-total usage_average=1";
    d.records(vm);
    d.records(
        """
        {"adapterKind":"VMWARE","objectKind":"VirtualMachine","id":"vc/vm-1","metrics":{"app|users":3},
         "properties":{"summary|guest|ipAddress":"10.0.0.1"}}
        """);
    ObjectAttributes a = d.catalog.attributes(new ObjectKey("VMWARE", "VirtualMachine", "vc/vm-1"));
    assertThat(a.name()).isEqualTo("web1");
    assertThat(a.locator()).isEqualTo("vc/DC0/web1");
    assertThat(a.properties()).containsEntry("summary|guest|ipAddress", "10.0.0.1");
  }

  private @Nullable String unit(String group, String metric) {
    return d.catalog.metrics(new GroupKey("Acme", "Switch", group)).stream()
        .filter(m -> m.name().equals(metric))
        .toList()
        .getFirst()
        .unit();
  }

  @Test
  void unitsComeWithSamplesAndTheFirstOneThatIsKnownStays() {
    d.records(sample("\"metrics\":{\"cpu|u\":1,\"net:e0|rx\":2}"));
    assertThat(unit("cpu", "u")).isNull();
    d.records(
        sample(
            "\"metrics\":{\"cpu|u\":1,\"net:e0|rx\":2,\"mem|m\":3},"
                + "\"units\":{\"cpu|u\":\"%\",\"net|rx\":\"KB/s\",\"mem|m\":\"MB\",\"x|y\":\"z\"}"));
    assertThat(unit("cpu", "u")).isEqualTo("%");
    assertThat(unit("net", "rx")).isEqualTo("KB/s");
    assertThat(unit("mem", "m")).isEqualTo("MB");
    d.restart();
    d.records(sample("\"metrics\":{\"cpu|u\":1},\"units\":{\"cpu|u\":\"MHz\"}"));
    assertThat(unit("cpu", "u")).isEqualTo("%");
    d.records(sample("\"metrics\":{\"cpu|u\":1},\"units\":{\"cpu|u\":7}"));
    assertThat(d.rejections())
        .containsExactly("text: the unit of 'cpu|u' is no text of 1 to 40 characters");
  }

  @Test
  void aMappingThatComesLaterGivesItsUnits() {
    d.records(
        """
        {"adapterKind":"VMWARE","objectKind":"VirtualMachine","id":"j","metrics":{"cpu|usage_average":1}}
        """);
    d.records(
        "vsphere_vm_cpu,vcenter=vc,moid=vm-1,vmname=web1,dcname=DC0,cpu=instance-total usage_average=1");
    assertThat(d.catalog.metrics(new GroupKey("VMWARE", "VirtualMachine", "cpu")))
        .containsExactly(new Metric("usage_average", "%"));
  }

  @Test
  void theAggregateOfAllInstancesIsTheAggregate() {
    d.records(
        sample(
            "\"time\":1795219680000,\"metrics\":"
                + "{\"net:Aggregate of all instances|u\":8,\"net:1|u\":3,\"net:2|u\":5}"));
    assertThat(d.all())
        .containsOnly(
            Map.entry("sw-1/net|u@" + T, 8.0),
            Map.entry("sw-1/net:1|u@" + T, 3.0),
            Map.entry("sw-1/net:2|u@" + T, 5.0));
  }

  @Test
  void theSampleOfTheDocumentationIsStored() throws IOException {
    String docs = Files.readString(Path.of("..", "docs", "mappings.md"));
    String block = docs.substring(docs.indexOf("sample = '''") + 12);
    d.records(block.substring(0, block.indexOf("'''")));
    assertThat(d.rejections()).isEmpty();
    ObjectKey till = new ObjectKey("Shop", "Till", "till-1");
    assertThat(d.value(till, "cpu|usage_average", Decoding.NOW.toEpochMilli() * 1_000))
        .isEqualTo(12.5);
    assertThat(d.catalog.attributes(till).name()).isEqualTo("Till 1, ground floor");
    assertThat(d.catalog.metrics(new GroupKey("Shop", "Till", "net")))
        .containsExactly(new Metric("received_average", "KB/s"));
  }

  @ParameterizedTest
  @CsvSource({"host, host", "vsphere, moid"})
  void theTelegrafConfigurationsOfTheDocumentationFitTheMappings(String file, String key)
      throws IOException {
    String text = Files.readString(Path.of("..", "docs", "telegraf", file + ".conf"));
    for (String line : text.lines().toList()) {
      assertThat(line)
          .matches(
              "\\s*(#.*)?|\\[\\[?[a-z_.]+]]?|\\s*[a-z_]+ = (\"[^\"]*\"|\\[.*]|true|false|-?[0-9]+)( +#.*)?");
    }
    assertThat(text).contains("topic = \"peerlens.metrics\"", "routing_tag = \"" + key + "\"");
    for (Mappings.Source source : Mappings.shipped().sources()) {
      if (source.file().equals("telegraf-" + file + ".yaml")) {
        assertThat(source.yaml()).contains("{" + key + "}");
        Matcher input = Pattern.compile("\\[\\[inputs\\.([a-z]+)]]").matcher(text);
        while (input.find()) {
          assertThat(source.yaml()).contains("measurement: " + input.group(1));
        }
      }
    }
  }
}
