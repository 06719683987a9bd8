package io.peerlens.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.ingest.sender.Sender;
import io.peerlens.ingest.sender.SenderCounters;
import io.peerlens.ingest.sender.SenderCounters.Report;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class SendersOfRecordsTest {

  private static final long NOW = Decoding.NOW.toEpochMilli();
  private static final String SOURCE = "0b6f3a52-0c5e-4f0a-9d3e-6a4c2f1b7d90";

  private final Decoding helper = new Decoding();
  private final InMemorySampleSink sink = new InMemorySampleSink();
  private final RecordDecoder decoder =
      new RecordDecoder(
          Mappings.shipped(),
          new InMemoryCatalog(sink::lastRow),
          () -> IngestGuards.DEFAULT,
          TimePrecision.NS,
          () -> Decoding.NOW);
  private final SenderCounters counters = new SenderCounters();
  private final SampleBatch batch = new SampleBatch();

  private ConsumerRecord<byte[], byte[]> record(String text) {
    return helper.record(text.getBytes(StandardCharsets.UTF_8), NOW, null);
  }

  private List<Report> reports(ConsumerRecord<byte[], byte[]>... records) {
    batch.clear();
    decoder.decode(List.of(records), Map.of(), batch);
    counters.add(batch.senders());
    return counters.take(NOW);
  }

  private static String time(long secondsAgo) {
    return Long.toString((NOW / 1000 - secondsAgo) * 1_000_000_000L);
  }

  private static Report of(List<Report> reports, Sender.Kind kind, String name) {
    return reports.stream()
        .filter(one -> one.sender().equals(new Sender(kind, name)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(kind + " " + name + " in " + reports));
  }

  @Test
  @SuppressWarnings("unchecked")
  void linesCountForTheTagHost() {
    List<Report> reports =
        reports(
            record(
                """
                cpu,host=tg-1,cpu=cpu-total usage_idle=1 %s
                cpu,host=tg-1,cpu=cpu-total usage_idle=2 %s
                mem,host=tg-1 used=2 %s
                cpu,host=tg-2,cpu=cpu-total usage_idle=1 %s
                shop,till=7 sold=1 %s
                """
                    .formatted(time(30), time(20), time(20), time(300), time(5))));
    Report first = of(reports, Sender.Kind.LINES, "tg-1");
    assertThat(first.lines()).isEqualTo(3);
    assertThat(first.newestMicros()).isEqualTo((NOW - 20_000) * 1_000);
    assertThat(first.offsetMillis()).isEqualTo(-20_000);
    assertThat(first.plugins()).containsExactly("cpu", "mem");
    assertThat(first.objects()).isEqualTo(1);
    assertThat(of(reports, Sender.Kind.LINES, "tg-2").offsetMillis()).isEqualTo(-300_000);
    assertThat(of(reports, Sender.Kind.LINES, Sender.UNNAMED).lines()).isEqualTo(1);
    assertThat(reports).hasSize(3);
  }

  @Test
  @SuppressWarnings("unchecked")
  void machinesOfOneCollectorAreItsObjects() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      lines
          .append(
              "vsphere_vm_cpu,vcenter=vc,moid=vm-%d,vmname=v%d,host=tg usage_average=1 "
                  .formatted(i, i))
          .append(time(20))
          .append('\n');
    }
    Report first = of(reports(record(lines.toString())), Sender.Kind.LINES, "tg");
    assertThat(first.objects()).isEqualTo(20);
    assertThat(first.plugins()).containsExactly("vsphere");
    Report again = of(reports(record(lines.toString())), Sender.Kind.LINES, "tg");
    assertThat(again.lines()).isEqualTo(20);
    assertThat(again.objects()).isEqualTo(20);
  }

  @Test
  @SuppressWarnings("unchecked")
  void jsonIsOneSender() {
    List<Report> reports =
        reports(
            record(
                """
                [{"adapterKind": "Shop", "objectKind": "Till", "id": "t1", "name": "Till 1",
                  "time": %d, "metrics": {"sales|count": 3}},
                 {"adapterKind": "Shop", "objectKind": "Till", "id": "t2", "name": "Till 2",
                  "time": %d, "properties": {"floor": "2"}}]
                """
                    .formatted(NOW - 4_000, NOW - 3_000)));
    assertThat(reports).hasSize(1);
    assertThat(reports.getFirst().sender()).isEqualTo(Sender.JSON);
    assertThat(reports.getFirst().lines()).isEqualTo(2);
    assertThat(reports.getFirst().objects()).isEqualTo(2);
    assertThat(reports.getFirst().offsetMillis()).isEqualTo(-3_000);
  }

  @Test
  @SuppressWarnings("unchecked")
  void openTelemetryIsOneSenderWithItsReceivers() {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (String scope :
        List.of(
            "github.com/open-telemetry/opentelemetry-collector-contrib/receiver/vcenterreceiver",
            "github.com/open-telemetry/opentelemetry-collector-contrib/receiver/hostmetricsreceiver/internal/scraper/cpuscraper",
            "shop.checkout")) {
      records.add(
          record(
              """
              {"resourceMetrics":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},
                "scopeMetrics":[{"scope":{"name":"%s"},"metrics":[
                  {"name":"app%d.queue","gauge":{"dataPoints":[{"timeUnixNano":"%s","asDouble":1}]}}]}]}]}
              """
                  .formatted(scope, records.size(), time(20))));
    }
    Report report =
        of(reports(records.toArray(ConsumerRecord[]::new)), Sender.Kind.OTLP, "OpenTelemetry");
    assertThat(report.lines()).isEqualTo(3);
    assertThat(report.plugins())
        .containsExactly("hostmetricsreceiver", "shop.checkout", "vcenterreceiver");
  }

  @Test
  @SuppressWarnings("unchecked")
  void recordsOfASourceOfOursCountForTheSource() {
    List<ConsumerRecord<byte[], byte[]>> ours = new ArrayList<>();
    ours.add(record("vcenter_vm_cpu,vcenter=vc,moid=vm-1 usage_average=1 " + time(20)));
    ours.add(record("vcenter_vm_cpu,vcenter=vc,moid=vm-2 usage_average=1 " + time(20)));
    ours.getFirst()
        .headers()
        .add(RecordDecoder.SOURCE_HEADER, SOURCE.getBytes(StandardCharsets.ISO_8859_1));
    ours.getLast()
        .headers()
        .add(RecordDecoder.SOURCE_HEADER, "no id\0".getBytes(StandardCharsets.ISO_8859_1));
    List<Report> reports = reports(ours.toArray(ConsumerRecord[]::new));
    assertThat(of(reports, Sender.Kind.SOURCE, SOURCE).lines()).isEqualTo(1);
    assertThat(of(reports, Sender.Kind.LINES, Sender.UNNAMED).lines()).isEqualTo(1);
  }
}
