package io.peerlens.event.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.event.EventCaptures;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RejectReason;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventDecoderTest {

  private static final Instant NOW = Instant.parse("2026-11-22T21:00:00Z");

  private static final String DATA =
      """
      {"_typeName":"VmPoweredOffEvent","key":41,"createdTime":"2026-11-22T20:02:22.652011012Z","vm":{"name":"web1","vm":{"type":"VirtualMachine","value":"vm-57"}}}""";

  private static final String CLOUD_EVENT =
      """
      {"specversion":"1.0","type":"com.vmware.vsphere.VmPoweredOffEvent.v0","source":"https://vc1.example/sdk","id":"41","time":"2026-11-22T20:02:22Z","data":%s}"""
          .formatted(DATA);

  private final EventDecoder decoder =
      new EventDecoder(() -> EventGuards.DEFAULT, InstantSource.fixed(NOW));
  private final List<Event> events = new ArrayList<>();
  private final List<DeadLetter> letters = new ArrayList<>();

  private void decode(byte[] value, Map<String, String> headers) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("peerlens.events", 1, 7, null, value);
    headers.forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
    decoder.decode(
        record,
        new EventReader() {
          @Override
          public void take(Event event) {
            events.add(event);
          }

          @Override
          public void reject(DeadLetter letter) {
            letters.add(letter);
          }
        });
  }

  private void decode(String value) {
    decode(value.getBytes(UTF_8), Map.of());
  }

  private void assertPoweredOff(String source) {
    assertThat(letters).isEmpty();
    assertThat(events)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.source()).isEqualTo(source);
              assertThat(event.name()).isEqualTo("VmPoweredOffEvent");
              assertThat(event.key()).isEqualTo("41");
              assertThat(event.time()).isEqualTo("2026-11-22T20:02:22.652011Z");
              assertThat(event.data().path("vm").path("vm").path("value").asString(""))
                  .isEqualTo("vm-57");
            });
  }

  @Test
  void aCloudEventIsReadWhole() {
    decode(CLOUD_EVENT);
    assertPoweredOff("https://vc1.example/sdk");
  }

  @Test
  void aCloudEventIsReadFromHeaders() {
    decode(
        DATA.replace("\"_typeName\":\"VmPoweredOffEvent\",", "").getBytes(UTF_8),
        Map.of(
            "content-type", "application/json",
            "ce_specversion", "1.0",
            "ce_type", "com.vmware.vsphere.VmPoweredOffEvent.v0",
            "ce_source", "vc1.example",
            "ce_id", "41"));
    assertPoweredOff("vc1.example");
    // What would be sent again has no headers, so that the bytes have to say it all.
    byte[] again = events.getFirst().payload();
    events.clear();
    decode(again, Map.of());
    assertPoweredOff("vc1.example");
  }

  @Test
  void dataOfACloudEventMayBeEncoded() {
    decode(
        CLOUD_EVENT.replace(
            "\"data\":" + DATA,
            "\"data_base64\":\""
                + Base64.getEncoder().encodeToString(DATA.getBytes(UTF_8))
                + "\""));
    assertPoweredOff("https://vc1.example/sdk");
  }

  @Test
  void anEventAloneNamesNoSource() {
    decode(DATA);
    assertPoweredOff("");
  }

  @Test
  void namesOfMembersMayBeginWithCapitals() {
    decode(
        """
        {"specversion":"1.0","type":"com.vmware.vsphere.VmPoweredOffEvent.v0","source":"vc1.example","id":"41",
         "data":{"Key":41,"ChainId":41,"CreatedTime":"2026-11-22T20:02:22.652011012Z","UserName":"user",
                 "Vm":{"Name":"DC0_H0_VM0","Vm":{"Type":"VirtualMachine","Value":"vm-57"}},"Ds":null}}""");
    assertPoweredOff("vc1.example");
  }

  @Test
  void anArrayHoldsSeveralEvents() {
    decode("[" + CLOUD_EVENT + ",17," + DATA + "]");
    assertThat(events).extracting(Event::line).containsExactly(1, 3);
    assertThat(letters)
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.line()).isEqualTo(2);
              assertThat(letter.reason()).isEqualTo(RejectReason.JSON);
              assertThat(new String(letter.payload(), UTF_8)).isEqualTo("17");
            });
  }

  @Test
  void whatComesBeforeGarbageIsRead() {
    decode(DATA + "\n" + CLOUD_EVENT + "\n{\"key\": nonsense}\n");
    assertThat(events).hasSize(2);
    assertThat(letters)
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.reason()).isEqualTo(RejectReason.JSON);
              assertThat(letter.detail()).contains("line 3", "docs/events.md");
              assertThat(new String(letter.payload(), UTF_8).strip())
                  .isEqualTo("{\"key\": nonsense}");
            });
  }

  @ParameterizedTest
  @CsvSource({
    "com.vmware.vsphere.VmPoweredOffEvent.v0, VmPoweredOffEvent",
    "vmware.vsphere.VmPoweredOffEvent.v0, VmPoweredOffEvent",
    "com.vmware.vsphere.VmPoweredOffEvent.v12, VmPoweredOffEvent",
    "com.vmware/event, VmSuspendedEvent",
    "com.vmware.vsphere.EventEx.v0, esx.audit.host.boot",
    "com.vmware.vsphere.esx.audit.host.boot.v0, esx.audit.host.boot",
    "com.vmware.vc.ha.VmRestartedByHAEvent, com.vmware.vc.ha.VmRestartedByHAEvent"
  })
  void theClassIsFoundInTheTypeOfACloudEvent(String type, String name) {
    decode(
        """
        {"specversion":"1.0","type":"%s","subject":"VmSuspendedEvent","source":"vc1","id":"1",
         "data":{"key":1,"createdTime":"2026-11-22T20:00:00Z","eventTypeId":"esx.audit.host.boot"}}"""
            .formatted(type));
    assertThat(events).extracting(Event::name).containsExactly(name);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"createdTime\":\"2026-11-22T20:00:00Z\",\"category\":\"info\",\"message\":\"x\"}; EVENT; -l",
        "{\"key\":1}; EVENT; _typeName",
        "{\"_typeName\":\"E\",\"createdTime\":\"yesterday\"}; TIMESTAMP; yesterday",
        "{\"_typeName\":\"E\",\"createdTime\":\"2026-11-22T22:00:00Z\"}; FUTURE; max-future",
        "{\"_typeName\":\"E\",\"createdTime\":\"2020-11-22T22:00:00Z\"}; TOO_OLD; max-age",
        "{\"specversion\":\"1.0\",\"type\":\"t\",\"datacontenttype\":\"application/xml\",\"data\":\"<a/>\"}; EVENT; payloadEncoding",
        "{\"specversion\":\"1.0\",\"type\":\"t\"}; EVENT; data",
        "\"text\"; JSON; string",
        "''; JSON; empty"
      })
  void whatCannotBeRecordedIsADeadLetterThatSaysWhy(
      String value, RejectReason reason, String detail) {
    decode(value == null ? "" : value);
    assertThat(events).isEmpty();
    assertThat(letters)
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.reason()).isEqualTo(reason);
              assertThat(letter.detail()).contains(detail);
              assertThat(letter.topic()).isEqualTo("peerlens.events");
              assertThat(letter.offset()).isEqualTo(7);
            });
  }

  @Test
  void aRecordOfNothingButGarbageMakesAHundredDeadLetters() {
    decode("1 ".repeat(5_000));
    assertThat(letters).hasSize(100);
    assertThat(letters.getLast().detail()).contains("4,900 more");
  }

  @Test
  void aRecordThatNestsTooDeepIsADeadLetter() {
    decode("{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000));
    assertThat(letters).extracting(DeadLetter::reason).containsExactly(RejectReason.JSON);
  }

  @Test
  void everyCaptureIsRead() {
    for (String line : EventCaptures.lines("cloudevents-vi.jsonl.gz")) {
      decode(line);
    }
    assertThat(events).hasSize(184).allMatch(event -> event.source().equals("127.0.0.1:18990"));
    events.clear();
    for (String line : EventCaptures.lines("cloudevents-go.jsonl.gz")) {
      decode(line);
    }
    assertThat(events).hasSize(185);
    events.clear();
    decode(EventCaptures.read("govc-tasks.json"), Map.of());
    assertThat(events).hasSize(50).allMatch(event -> event.name().equals(Event.TASK));
    events.clear();
    decode(EventCaptures.read("govc-events-objects.json"), Map.of());
    decode(EventCaptures.read("govc-events-l.json"), Map.of());
    assertThat(events).hasSize(119);
    assertThat(letters).isEmpty();
    decode(EventCaptures.read("govc-events.json"), Map.of());
    assertThat(events).hasSize(119);
    assertThat(letters)
        .hasSize(100)
        .allMatch(letter -> letter.detail().contains("call govc events with -l"));
  }
}
