package io.peerlens.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.SetKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real captures give exactly what an independent count over their text gives. */
class CaptureDecodeTest {

  private static final Path CORPUS = corpus();

  private static Path corpus() {
    Path folder = Path.of("..", "shared", "corpus").toAbsolutePath();
    Path besideTheReactor = Path.of("..", "..", "shared", "corpus").toAbsolutePath();
    return Files.isDirectory(folder) ? folder : besideTheReactor.normalize();
  }

  @Test
  void theExcerptGivesWhatAnIndependentCountGives() throws IOException {
    try (InputStream in = CaptureDecodeTest.class.getResourceAsStream("/captures/excerpt.lp")) {
      assertThat(in).isNotNull();
      compare(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList(), 7);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "telegraf-vsphere/vsphere-main.lp.gz",
        "telegraf-vsphere/vsphere-instances.lp.gz",
        "telegraf-vsphere/vsphere-simple.lp.gz",
        "telegraf-host/host.lp.gz"
      })
  void aCaptureGivesWhatAnIndependentCountGives(String capture) throws IOException {
    Path file = CORPUS.resolve(capture);
    assumeTrue(Files.exists(file), "Skipped, the capture is not here: " + file);
    compare(lines(file), 5_000);
  }

  @Test
  void telegrafJsonGivesTheSameObjectsAndValuesAsItsLines() throws IOException {
    Path json = CORPUS.resolve("telegraf-host/telegraf-json-sample.jsonl.gz");
    assumeTrue(Files.exists(json), "Skipped, the capture is not here: " + json);
    Decoding fromJson = decode(lines(json), 2_000);
    List<String> text = new ArrayList<>(lines(CORPUS.resolve("telegraf-host/host.lp.gz")));
    text.addAll(lines(CORPUS.resolve("telegraf-vsphere/vsphere-instances.lp.gz")));
    Decoding fromLines = decode(text, 2_000);
    assertThat(fromJson.catalog.objects())
        .containsExactlyInAnyOrderElementsOf(fromLines.catalog.objects());
    assertThat(fromJson.catalog.sets())
        .containsExactlyInAnyOrderElementsOf(fromLines.catalog.sets());
    // Times are whole seconds there; all samples here are, except the collector's own.
    Map<String, Double> all = fromJson.all();
    int compared = 0;
    for (Map.Entry<String, Double> point : fromLines.all().entrySet()) {
      if (point.getKey().endsWith("000000")
          && !point.getKey().contains("internal_")
          && !point.getKey().contains("_rate@")) {
        assertThat(all.get(point.getKey())).as(point.getKey()).isEqualTo(point.getValue());
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(50_000);
  }

  private static List<String> lines(Path file) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      return in.lines().filter(l -> !l.isBlank()).toList();
    }
  }

  private static Decoding decode(List<String> lines, int batch) {
    Decoding d = new Decoding();
    for (int from = 0; from < lines.size(); from += batch) {
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      for (String line : lines.subList(from, Math.min(from + batch, lines.size()))) {
        records.add(
            d.record(
                (line + '\n').getBytes(StandardCharsets.UTF_8), Decoding.NOW.toEpochMilli(), null));
      }
      d.batch(records);
    }
    return d;
  }

  private static void compare(List<String> lines, int batch) {
    Decoding d = decode(lines, batch);
    NaiveCount expected = NaiveCount.of(lines);

    assertThat(perKind(d)).isEqualTo(expected.objectsPerKind());
    assertThat(d.catalog.sets()).hasSize(expected.sets.size());
    assertThat(
            d.catalog.groups().stream()
                .flatMap(
                    g ->
                        d.catalog.metrics(g).stream()
                            .map(
                                m ->
                                    String.join(
                                        "/", g.adapterKind(), g.objectKind(), g.name(), m.name()))))
        .containsExactlyInAnyOrderElementsOf(expected.metrics);
    assertThat(d.sink.rows()).isEqualTo(expected.rows.size());
    assertThat(d.letters()).isEmpty();
    assertThat(d.passedOver()).isEqualTo(expected.linesWithoutNumber);
    assertThat(byNaiveKey(d)).isEqualTo(expected.points);
    assertThat(d.sink.points()).isEqualTo(expected.points.size());
  }

  private static Map<String, Integer> perKind(Decoding d) {
    return d.catalog.objects().stream()
        .collect(
            Collectors.groupingBy(
                ObjectKey::objectKind, TreeMap::new, Collectors.summingInt(o -> 1)));
  }

  private static Map<String, Double> byNaiveKey(Decoding d) {
    Map<String, Double> points = new HashMap<>();
    for (InMemorySampleSink.RowKey key : d.sink.keys()) {
      SetKey set = d.catalog.set(key.setId());
      List<String> names = d.names(set.object(), set.group());
      double[] row = d.sink.row(key.setId(), key.timeMicros());
      for (int i = 0; row != null && i < row.length; i++) {
        if (!Double.isNaN(row[i])) {
          points.put(
              "%s/%s/%s:%s|%s@%d"
                  .formatted(
                      set.object().objectKind(),
                      set.object().externalId(),
                      set.group(),
                      set.instance(),
                      names.get(i),
                      key.timeMicros()),
              row[i]);
        }
      }
    }
    return points;
  }
}
