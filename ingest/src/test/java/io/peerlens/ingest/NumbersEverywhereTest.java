package io.peerlens.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.mapping.Mappings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Numbers and texts that no sender should write, in every place of a sample. Each record is stored
 * or a dead letter with a reason, and the records beside it are stored.
 */
class NumbersEverywhereTest {

  private static final String NINES = "9".repeat(309);
  private static final Mappings MAPPINGS = Mappings.shipped();
  private static final String SURROGATE = "\"" + "\\" + "ud800\"";

  static List<String> values() {
    return List.of(
        NINES,
        "-" + NINES,
        "9".repeat(999),
        "9".repeat(1_001),
        "9".repeat(100_000),
        NINES + ".5",
        "1e400",
        "-1e400",
        "1e-400",
        "1e999999999",
        "1e-999999999",
        "1E+2147483648",
        "0." + "0".repeat(500) + "1",
        "-0",
        "-0.0",
        "00",
        "0x10",
        "+1",
        "1.",
        ".5",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "NaN",
        "Infinity",
        "-Infinity",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "4.9e-324",
        "true",
        "null",
        "\"\"",
        "\"12\"",
        "\"2026-11-21T00:00:00Z\"",
        "\"+1000000000-12-31T23:59:59Z\"",
        "\"" + NINES + "\"",
        SURROGATE,
        "\"a" + "\\" + "u0000b\"",
        "\"" + "x".repeat(100_000) + "\"",
        "[]",
        "{}",
        "[[[[1]]]]",
        "[".repeat(19) + "]".repeat(19),
        "[".repeat(10_000) + "]".repeat(10_000),
        "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000),
        "[".repeat(100_000),
        "{\"a\":1,\"a\":2}");
  }

  private static final List<String> PLACES =
      List.of(
          """
          {"adapterKind":@,"objectKind":"E","id":"x","metrics":{"a|b":1}}""",
          """
          {"adapterKind":"S","objectKind":@,"id":"x","metrics":{"a|b":1}}""",
          """
          {"adapterKind":"S","objectKind":"E","id":@,"metrics":{"a|b":1}}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","name":@,"metrics":{"a|b":1}}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","instance":@,"metrics":{"a|b":1}}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","time":@,"metrics":{"a|b":1}}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","metrics":@}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","metrics":{"a|b":@}}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","metrics":{"a|b":1,"c:0|d":@,"e":2}}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","metrics":{"a|b":1},"units":@}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","metrics":{"a|b":1},"units":{"a|b":@}}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","metrics":{"a|b":1},"properties":@}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","metrics":{"a|b":1},"properties":{"p":@}}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","metrics":{"a|b":1},"tags":@}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","metrics":{"a|b":1},"tags":{"t":@}}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","metrics":{"a|b":1},"parents":@}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","metrics":{"a|b":1},"parents":[@]}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","metrics":{"a|b":1},
           "parents":[{"adapterKind":@,"objectKind":"R","id":"r"}]}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","metrics":{"a|b":1},
           "parents":[{"objectKind":@,"id":@}]}""",
          """
          {"adapterKind":"S","objectKind":"E","id":"x","metrics":{"a|b":1},"something":@}""",
          """
          {"fields":{"v":@},"name":"m","tags":{"host":"a"},"timestamp":1795219680}""",
          """
          {"fields":{"v":1,"w":@},"name":"cpu","tags":{"host":"a","cpu":"cpu-total"},"timestamp":1795219680}""",
          """
          {"fields":{"v":1},"name":@,"tags":{"host":"a"},"timestamp":1795219680}""",
          """
          {"fields":{"v":1},"name":"m","tags":{"host":@},"timestamp":1795219680}""",
          """
          {"fields":{"v":1},"name":"m","tags":{"host":"a"},"timestamp":@}""",
          """
          {"fields":@,"name":"m","tags":{"host":"a"},"timestamp":1795219680}""",
          """
          {"fields":{"v":1},"name":"m","tags":@,"timestamp":1795219680}""",
          """
          {"metrics":[{"fields":{"v":@},"name":"m","tags":{"host":"a"},"timestamp":@}]}""",
          "[@]",
          "@",
          "m,host=a v=@",
          "m,host=a v=@i 1795219680000000000",
          "m,host=a v=@u",
          "m,host=a v=1 @",
          "m,host=a,t=@ v=1",
          "mem,host=a total=@,used=@");

  @ParameterizedTest(name = "[{index}]")
  @MethodSource("values")
  void eachIsStoredOrADeadLetterWithAReason(String value) {
    for (String place : PLACES) {
      String text = place.replace("@", value);
      Decoding d = new Decoding(MAPPINGS, TimePrecision.NS);
      d.records("probe,host=before v=1", text, "probe,host=behind v=2");

      assertThat(d.all()).as(place).containsEntry("before/probe|v@" + micros(), 1.0);
      assertThat(d.all()).as(place).containsEntry("behind/probe|v@" + micros(), 2.0);
      assertThat(d.rejections()).as(place).noneMatch(why -> why.startsWith("decoder"));
      for (String why : d.rejections()) {
        assertThat(why.matches("(?s)[a-z-]+: .{10,400}")).as(place + why.length()).isTrue();
      }
      for (Map.Entry<String, Double> stored : d.all().entrySet()) {
        assertThat(stored.getValue()).as(stored.getKey()).isFinite();
      }
      for (DeadLetter letter : d.letters()) {
        assertThat(letter.payload()).as(place).isNotEmpty();
        // Sent again it is refused again, and still as nothing worse.
        Decoding again = new Decoding(MAPPINGS, TimePrecision.NS);
        again.bytes(letter.payload());
        assertThat(again.rejections()).as(place).noneMatch(why -> why.startsWith("decoder"));
      }
      assertThat(d.sink.position(Decoding.PARTITION)).isEqualTo(3);
    }
  }

  private static long micros() {
    return Decoding.NOW.toEpochMilli() * 1_000;
  }

  @ParameterizedTest
  @MethodSource("tooLarge")
  void aNumberBeyondDoubleIsRejectedAsNumber(String value) {
    Decoding d = new Decoding(MAPPINGS, TimePrecision.NS);
    d.records(
        "{\"adapterKind\":\"S\",\"objectKind\":\"E\",\"id\":\"x\",\"metrics\":{\"a|b\":%s}}"
            .formatted(value));
    assertThat(d.rejections()).singleElement().asString().startsWith("number: metric 'a|b' is ");
  }

  static List<String> tooLarge() {
    return List.of(NINES, "-" + NINES, "1e400", "-1e400", "9".repeat(999));
  }
}
