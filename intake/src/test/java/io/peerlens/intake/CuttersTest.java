package io.peerlens.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.ingest.protobuf.ProtoReader;
import io.peerlens.ingest.protobuf.ProtoWriter;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bodies are cut where a record may end, and nothing of them is lost. */
class CuttersTest {

  private static final byte[] KEY = {1};

  private static List<String> lines(String body, int limit) throws Refusal {
    return LineCutter.cut(KEY, body.getBytes(UTF_8), limit).stream()
        .map(piece -> new String(piece.value(), UTF_8))
        .toList();
  }

  @Test
  void aShortBodyIsOneRecordAndABlankOneNone() throws Refusal {
    assertThat(lines("cpu v=1\ncpu v=2", 100)).containsExactly("cpu v=1\ncpu v=2");
    assertThat(lines(" \n\r\n\t", 100)).isEmpty();
  }

  @Test
  void linesAreCutAtTheirEndsOnly() throws Refusal {
    assertThat(lines("a v=1\nbb v=2\nc v=3\n", 13)).containsExactly("a v=1\nbb v=2\n", "c v=3\n");
  }

  @Test
  void aLineEndInATextIsNone() throws Refusal {
    assertThat(lines("m,t=a v=\"one\ntwo \\\" x\n\",w=1\nn v=2\n", 29))
        .containsExactly("m,t=a v=\"one\ntwo \\\" x\n\",w=1\n", "n v=2\n");
  }

  @Test
  void aQuoteInATagOrACommentOpensNoText() throws Refusal {
    assertThat(lines("m,t=\"a v=1\nn v=1\n# it's \"x\nn v=2\n", 12))
        .containsExactly("m,t=\"a v=1\n", "n v=1\n", "# it's \"x\n", "n v=2\n");
  }

  @Test
  void aTextThatNothingClosesDoesNotCostTheLinesAfterIt() throws Refusal {
    assertThat(lines("m v=\"a\nn v=1\nn v=2\n", 8))
        .containsExactly("m v=\"a\n", "n v=1\n", "n v=2\n");
  }

  @Test
  void textsThatNothingClosesAreReadInTimeThatGrowsWithTheBody() throws Refusal {
    byte[] body = "m v=\"\n".repeat(2_000_000).getBytes(UTF_8);
    long before = System.nanoTime();
    assertThat(LineCutter.cut(KEY, body, 900_000)).hasSize(14);
    assertThat((System.nanoTime() - before) / 1_000_000).isLessThan(10_000);
  }

  @Test
  void aLineThatIsTooLongIsNamed() {
    assertThatThrownBy(() -> lines("a v=1\n" + "b".repeat(50) + " v=1\n", 20))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("Line 2 has 54 bytes");
  }

  @Test
  void whateverTheTextItsPiecesTogetherAreTheBody() throws Refusal {
    Random random = new Random(1);
    String letters = "ab,= \"\\\n#";
    for (int i = 0; i < 20_000; i++) {
      String body =
          IntStream.range(0, random.nextInt(60))
              .mapToObj(n -> String.valueOf(letters.charAt(random.nextInt(letters.length()))))
              .collect(Collectors.joining());
      List<String> pieces;
      try {
        pieces = lines(body, 20);
      } catch (Refusal e) {
        assertThat(e.status()).isEqualTo(413);
        continue;
      }
      assertThat(pieces).allMatch(piece -> piece.length() <= 20);
      if (!body.isBlank()) {
        assertThat(String.join("", pieces)).isEqualTo(body);
      }
    }
  }

  // OTLP.

  private static ProtoWriter point(int i, int attributes) {
    return new ProtoWriter()
        .fixed64(3, 1_000_000L * i)
        .real(4, i)
        .message(
            7,
            new ProtoWriter()
                .text(1, "a".repeat(attributes))
                .message(2, new ProtoWriter().text(1, "x")));
  }

  private static ProtoWriter resourceMetrics(String host, int metrics, int points) {
    ProtoWriter resource =
        new ProtoWriter()
            .message(
                1,
                new ProtoWriter().text(1, "host.name").message(2, new ProtoWriter().text(1, host)));
    ProtoWriter scope = new ProtoWriter();
    for (int m = 0; m < metrics; m++) {
      ProtoWriter data = new ProtoWriter();
      for (int i = 0; i < points; i++) {
        data.message(1, point(m * points + i, 10));
      }
      data.varint(2, 2).varint(3, 1);
      scope.message(2, new ProtoWriter().message(7, data).text(3, "By").text(1, "m" + m));
    }
    scope.message(1, new ProtoWriter().text(1, "scope"));
    // As the Collector writes it: the resource last.
    return new ProtoWriter().text(3, "https://schema").message(2, scope).message(1, resource);
  }

  /** What a message says, point by point: resource, scope, metric, unit, kind and value. */
  private static List<String> points(byte[] metricsData) throws Refusal {
    List<String> said = new ArrayList<>();
    ProtoReader all = new ProtoReader().on(metricsData);
    while (all.next()) {
      ProtoReader resource = all.message();
      String name = "";
      List<byte[]> scopes = new ArrayList<>();
      while (resource.next()) {
        byte[] bytes = java.util.Arrays.copyOfRange(metricsData, resource.from(), resource.to());
        if (resource.number() == 1) {
          name = new String(bytes, UTF_8).replaceAll("[^a-z0-9]", "");
        } else if (resource.number() == 2) {
          scopes.add(bytes);
        }
      }
      for (byte[] scope : scopes) {
        String scopeName = "";
        List<byte[]> metrics = new ArrayList<>();
        ProtoReader inScope = new ProtoReader().on(scope);
        while (inScope.next()) {
          byte[] bytes = java.util.Arrays.copyOfRange(scope, inScope.from(), inScope.to());
          if (inScope.number() == 1) {
            scopeName = new String(bytes, UTF_8).replaceAll("[^a-z0-9]", "");
          } else {
            metrics.add(bytes);
          }
        }
        for (byte[] metric : metrics) {
          String head = "";
          byte[] data = {};
          ProtoReader inMetric = new ProtoReader().on(metric);
          while (inMetric.next()) {
            if (inMetric.number() == 7) {
              data = java.util.Arrays.copyOfRange(metric, inMetric.from(), inMetric.to());
            } else {
              head += inMetric.text();
            }
          }
          ProtoReader inData = new ProtoReader().on(data);
          String kind = "";
          List<Double> values = new ArrayList<>();
          while (inData.next()) {
            if (inData.number() == 1) {
              ProtoReader point = inData.message();
              while (point.next()) {
                if (point.number() == 4) {
                  values.add(point.real());
                }
              }
            } else {
              kind += inData.number() + "=" + inData.whole();
            }
          }
          for (double value : values) {
            said.add(String.join(" ", name, scopeName, head, kind, String.valueOf(value)));
          }
        }
      }
    }
    return said;
  }

  private static List<String> points(List<Piece> pieces) throws Refusal {
    List<String> said = new ArrayList<>();
    for (Piece piece : pieces) {
      said.addAll(points(piece.value()));
    }
    return said;
  }

  @Test
  void whatOneResourceReportsHasOneKeyAndStaysTogether() throws Refusal {
    byte[] body =
        new ProtoWriter()
            .message(1, resourceMetrics("a", 1, 2))
            .message(1, resourceMetrics("b", 1, 1))
            .message(1, resourceMetrics("a", 2, 1))
            .toBytes();
    List<Piece> pieces = OtlpCutter.cut(body, 10_000);
    assertThat(pieces).hasSize(2);
    assertThat(pieces.get(0).key()).isNotEqualTo(pieces.get(1).key());
    assertThat(points(pieces)).containsExactlyInAnyOrderElementsOf(points(body)).hasSize(5);
  }

  @Test
  void aResourceThatIsTooLongIsCutByMetricsAndByPoints() throws Refusal {
    byte[] body = new ProtoWriter().message(1, resourceMetrics("a", 30, 40)).toBytes();
    for (int limit : new int[] {300, 1_000, 3_000, 20_000}) {
      List<Piece> pieces = OtlpCutter.cut(body, limit);
      assertThat(pieces).hasSizeGreaterThan(1).allMatch(piece -> piece.value().length <= limit);
      assertThat(points(pieces)).containsExactlyElementsOf(points(body)).hasSize(1_200);
    }
  }

  @Test
  void aPointThatIsTooLongIsRefused() {
    ProtoWriter metric =
        new ProtoWriter().message(5, new ProtoWriter().message(1, point(1, 5_000))).text(1, "m");
    byte[] body =
        new ProtoWriter()
            .message(1, new ProtoWriter().message(2, new ProtoWriter().message(2, metric)))
            .toBytes();
    assertThatThrownBy(() -> OtlpCutter.cut(body, 1_000))
        .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.status()).isEqualTo(413));
  }

  @Test
  void aBrokenMessageIsRefusedWhereverItBreaks() throws Refusal {
    byte[] body = new ProtoWriter().message(1, resourceMetrics("a", 3, 3)).toBytes();
    Random random = new Random(2);
    for (int i = 0; i < 200_000; i++) {
      byte[] broken = body.clone();
      for (int n = 0; n <= random.nextInt(3); n++) {
        broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
      }
      int length = random.nextInt(4) == 0 ? random.nextInt(broken.length) : broken.length;
      try {
        OtlpCutter.cut(java.util.Arrays.copyOf(broken, length), 200);
      } catch (Refusal e) {
        assertThat(e.status()).isIn(400, 413);
      }
    }
  }

  // JSON.

  private static String json(List<Piece> pieces) {
    return pieces.stream()
        .map(piece -> new String(piece.value(), UTF_8))
        .collect(Collectors.joining(" "));
  }

  @Test
  void objectsOfArraysAndAloneBecomeArrays() throws Refusal {
    assertThat(
            json(
                JsonCutter.elements(
                    KEY, "{\"a\":1} [{\"b\":2},{\"c\":[3]}]\n{\"d\":4}".getBytes(UTF_8), 100)))
        .isEqualTo("[{\"a\":1},{\"b\":2},{\"c\":[3]},{\"d\":4}]");
    assertThat(
            json(JsonCutter.elements(KEY, "[{\"a\":1},{\"b\":2},{\"c\":3}]".getBytes(UTF_8), 18)))
        .isEqualTo("[{\"a\":1},{\"b\":2}] [{\"c\":3}]");
    assertThat(JsonCutter.elements(KEY, "[]".getBytes(UTF_8), 18)).isEmpty();
  }

  @Test
  void whatIsNoJsonIsRefusedWithItsPlace() {
    for (String body :
        List.of("", "[1]", "[[{}]]", "{\"a\":", "[{\"a\":1}", "x", "[{}]]", "[".repeat(5_000))) {
      assertThatThrownBy(() -> JsonCutter.elements(KEY, body.getBytes(UTF_8), 100))
          .as(body.length() > 20 ? "brackets" : body)
          .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.status()).isEqualTo(400));
    }
    assertThatThrownBy(() -> JsonCutter.elements(KEY, "[{},\n{\"a\" 1}]".getBytes(UTF_8), 100))
        .hasMessageContaining("line 2");
  }

  private static String otlp(String host, int points) {
    return IntStream.range(0, points)
        .mapToObj(i -> "{\"timeUnixNano\":\"%d\",\"asInt\":\"%d\"}".formatted(1_000 + i, i))
        .collect(
            Collectors.joining(
                ",",
                "{\"resource\":{\"attributes\":[{\"key\":\"host.name\",\"value\":{\"stringValue\":\""
                    + host
                    + "\"}}]},\"scopeMetrics\":[{\"scope\":{\"name\":\"s\"},\"metrics\":[{\"name\":\"m\",\"sum\":{\"dataPoints\":[",
                "],\"aggregationTemporality\":2}}]}]}"));
  }

  @Test
  void otlpInJsonIsCutAsInProtobuf() throws Refusal {
    byte[] body =
        ("{\"resourceMetrics\":[" + otlp("a", 3) + "," + otlp("b", 100) + "," + otlp("a", 2) + "]}")
            .getBytes(UTF_8);
    List<Piece> pieces = JsonCutter.otlp(body, 1_000);
    assertThat(pieces).hasSizeGreaterThan(4).allMatch(piece -> piece.value().length <= 1_000);
    assertThat(pieces.stream().map(piece -> List.of(piece.key()[0], piece.key()[1])).distinct())
        .hasSize(2);
    String all = json(pieces);
    for (int i = 0; i < 100; i++) {
      assertThat(all)
          .contains("{\"timeUnixNano\":\"%d\",\"asInt\":\"%d\"}".formatted(1_000 + i, i));
    }
    assertThat(all.split("asInt", -1)).hasSize(106);
    assertThat(pieces)
        .allSatisfy(
            piece ->
                assertThat(new String(piece.value(), UTF_8))
                    .startsWith("{\"resourceMetrics\":[{\"resource\":")
                    .contains("\"name\":\"s\"", "\"name\":\"m\"", "\"aggregationTemporality\":2"));
  }

  @Test
  void otherSignalsAndBrokenJsonAreRefused() {
    for (String body :
        List.of(
            "[]",
            "{\"resourceSpans\":[]}",
            "{\"resourceMetrics\":[1]}",
            "{\"resourceMetrics\":[{",
            "{\"a\":{}")) {
      assertThatThrownBy(() -> JsonCutter.otlp(body.getBytes(UTF_8), 100))
          .as(body)
          .isInstanceOfSatisfying(Refusal.class, e -> assertThat(e.status()).isEqualTo(400));
    }
  }

  @Test
  void unknownMembersArePassedOver() throws Refusal {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(
        "{\"x\":{\"resourceMetrics\":[1]},\"resourceMetrics\":[{}],\"y\":[[]]}".getBytes(UTF_8));
    assertThat(json(JsonCutter.otlp(body.toByteArray(), 100)))
        .isEqualTo("{\"resourceMetrics\":[{}]}");
  }
}
