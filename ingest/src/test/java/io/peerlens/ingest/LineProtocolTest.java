package io.peerlens.ingest;

import static io.peerlens.ingest.Decoding.host;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.key.SetKey;
import io.peerlens.ingest.mapping.Mappings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every rule of line protocol, and what is said about a line that breaks one. */
class LineProtocolTest {

  private static final long T = 1_795_219_680_000_000L;
  private static final String NS = "1795219680000000000";

  private final Decoding d = new Decoding();

  private double only(String fieldText) {
    Decoding one = new Decoding().records("m,host=a v=" + fieldText + " " + NS + "\n");
    assertThat(one.rejections()).isEmpty();
    return one.value(host("a"), "m|v", T);
  }

  private String rejection(String line) {
    Decoding one = new Decoding().records(line);
    assertThat(one.sink.rows()).isZero();
    assertThat(one.rejections()).hasSize(1);
    assertThat(one.payloads()).containsExactly(line);
    return one.rejections().getFirst();
  }

  @Test
  void tagsFieldsAndTimeAreRead() {
    d.records("mem,host=a used=1i,free=2.5,ok=true " + NS + "\n");
    assertThat(d.rejections()).isEmpty();
    assertThat(d.all())
        .containsOnly(
            java.util.Map.entry("a/mem|used@" + T, 1.0),
            java.util.Map.entry("a/mem|free@" + T, 2.5),
            java.util.Map.entry("a/mem|ok@" + T, 1.0));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "-1, -1",
    "0, 0",
    "1.5, 1.5",
    "-0.25, -0.25",
    "5., 5",
    ".5, 0.5",
    "+5, 5",
    "1e3, 1000",
    "1E3, 1000",
    "1e+3, 1000",
    "1.5e-3, 0.0015",
    "12i, 12",
    "-12i, -12",
    "12u, 12",
    "9007199254740993i, 9007199254740992",
    "999999999999999999i, 1e18",
    "9223372036854775807i, 9.223372036854775807e18",
    "-9223372036854775808i, -9.223372036854775808e18",
    "9223372036854775808u, 9.223372036854775808e18",
    "18446744073709551615u, 1.8446744073709552e19",
    "0.41666666666666663, 0.41666666666666663",
    "100.00000000000001, 100.00000000000001",
    "1797693134862315708145274237317043567981e270, 1.797693134862315708145274237317e309",
    "4.9e-324, 4.9e-324",
    "2.2250738585072011e-308, 2.2250738585072011e-308",
    "1e-400, 0",
    "00000000000000000000000000000001.5, 1.5",
  })
  void numbersAreRead(String text, String expected) {
    double value = Double.parseDouble(expected);
    if (Double.isInfinite(value)) {
      assertThat(rejection("m,host=a v=" + text))
          .isEqualTo(
              "number: field 'v': '%s' is too large for a 64-bit float, at byte 12"
                  .formatted(text));
    } else {
      assertThat(only(text)).isEqualTo(value);
    }
  }

  @Test
  void largeUnsignedIntegersAreRoundedToTheNearest() {
    assertThat(only("9223372036854776833u")).isEqualTo(9223372036854777856.0);
    assertThat(only("9223372036854776832u")).isEqualTo(9223372036854775808.0);
    assertThat(only("9223372036854776831u")).isEqualTo(9223372036854775808.0);
  }

  @Test
  void theSignOfANegativeZeroIsKept() {
    assertThat(Double.doubleToRawLongBits(only("-0"))).isEqualTo(Double.doubleToRawLongBits(-0.0));
    assertThat(Double.doubleToRawLongBits(only("-0.0")))
        .isEqualTo(Double.doubleToRawLongBits(-0.0));
    assertThat(Double.doubleToRawLongBits(only("-0i"))).isZero();
  }

  @Test
  void aDoubleWrittenOutInFullIsRead() {
    String text = new java.math.BigDecimal(Double.MAX_VALUE).toPlainString();
    assertThat(only(text)).isEqualTo(Double.MAX_VALUE);
    assertThat(only("0." + "0".repeat(300) + "1")).isEqualTo(1e-301);
  }

  @ParameterizedTest
  @ValueSource(strings = {"t", "T", "true", "True", "TRUE"})
  void trueIsReadAsOne(String text) {
    assertThat(only(text)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"f", "F", "false", "False", "FALSE"})
  void falseIsReadAsZero(String text) {
    assertThat(only(text)).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NaN",
        "Inf",
        "+Inf",
        "-inf",
        "Infinity",
        "nan",
        "-",
        "+",
        ".",
        "-.",
        "e5",
        "1e",
        "1e+",
        "--1",
        "1-2",
        "1.2.3",
        "0x10",
        "0x1p3",
        "1d",
        "1f",
        "1_000",
        "1i2",
        "1.5i",
        "1e3i",
        "i",
        "u",
        "tru",
        "TrUe",
        "yes",
        "'a'",
        "1ii",
        "\u0661"
      })
  void invalidNumbersAreRejected(String text) {
    assertThat(rejection("m,host=a v=" + text + " " + NS))
        .isEqualTo(
            "number: field 'v': '%s' is no number, integer (1i, 1u), boolean or \"text\", at byte 12"
                .formatted(text));
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775808i, does not fit a 64-bit integer",
    "-9223372036854775809i, does not fit a 64-bit integer",
    "18446744073709551616u, does not fit an unsigned 64-bit integer",
    "-1u, does not fit an unsigned 64-bit integer",
    "1e309, is too large for a 64-bit float",
    "-1e309, is too large for a 64-bit float",
  })
  void numbersOutOfRangeAreRejected(String text, String what) {
    assertThat(rejection("m,host=a v=" + text))
        .isEqualTo("number: field 'v': '%s' %s, at byte 12".formatted(text, what));
  }

  @Test
  void messagesAreShortWhateverWasSent() {
    assertThat(rejection("m,host=a v=" + "9".repeat(10_000)))
        .isEqualTo(
            "number: field 'v': '%s...' is no number, integer (1i, 1u), boolean or \"text\", at byte 12"
                .formatted("9".repeat(60)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "m; no fields: expected a space and field=value after measurement and tags, at byte 2",
        "m,host=a; no fields: expected a space and field=value after measurement and tags, at byte 9",
        "m,host=a\\ v=1; no fields: expected a space and field=value after measurement and tags, at byte 14",
        ",host=a v=1; no measurement: expected a name, at byte 1",
        "m,host=a v; expected field=value, at byte 10",
        "m,host=a =1; expected field=value, at byte 10",
        "m,host=a v=1,; expected field=value, at byte 14",
        "m,host=a v=1,w; expected field=value, at byte 14",
        "m,host=a v=1,=2; expected field=value, at byte 14",
        "m,host=a ,v=1; expected field=value, at byte 10",
        "m,host=a v=1, w=2; expected field=value, at byte 14",
        "m,host=a x y=1; expected field=value, at byte 10",
        "m,host v=1; expected tag=value, at byte 3",
        "m,host=a,rack v=1; expected tag=value, at byte 10",
        "m,,host=a v=1; expected tag=value, at byte 3",
        "m,=a v=1; a tag without name, at byte 3",
        "m,host=a v=\"x; text of field 'v' is not closed: expected a \", at byte 12",
        "m,host=a v=\"x\\\" ; text of field 'v' is not closed: expected a \", at byte 12",
      })
  void invalidLineProtocolIsReportedWithItsPosition(String line, String what) {
    assertThat(rejection(line)).isEqualTo("syntax: " + what);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "m,host=a v=; number: field 'v' has no value, at byte 12",
        "m,host=a v= 1; number: field 'v': '' is no number, integer (1i, 1u), boolean or \"text\", at byte 12",
        "m,host=a v=1 abc; timestamp: 'abc' is no timestamp: expected a whole number of nanoseconds since 1970, at byte 14",
        "m,host=a v=1 1.5; timestamp: '1.5' is no timestamp: expected a whole number of nanoseconds since 1970, at byte 14",
        "m,host=a v=1 1 2; timestamp: '1 2' is no timestamp: expected a whole number of nanoseconds since 1970, at byte 14",
        "m,host=a v=1 -; timestamp: '-' is no timestamp: expected a whole number of nanoseconds since 1970, at byte 14",
        "m,host=a v=1 9223372036854775808; timestamp: '9223372036854775808' is no timestamp: expected a whole number of nanoseconds since 1970, at byte 14",
        "m,host=a v=1 17952196800000000000; timestamp: '17952196800000000000' is no timestamp: expected a whole number of nanoseconds since 1970, at byte 14",
        "m,host=a v=1 w=2; timestamp: 'w=2' is no timestamp: expected a whole number of nanoseconds since 1970, at byte 14",
        "m,host=a v=\"x\"y; timestamp: 'y' is no timestamp: expected a whole number of nanoseconds since 1970, at byte 15",
      })
  void errorsInValuesAndTimesAreNamed(String line, String what) {
    assertThat(rejection(line)).isEqualTo(what);
  }

  @Test
  void escapesInMeasurementTagsAndFieldsAreResolved() {
    d.records("my\\ m\\,x,host=a\\ b\\,c\\=d,k\\ 1=v\\=1 f\\ 1\\,\\=g=7 " + NS);
    assertThat(d.rejections()).isEmpty();
    assertThat(d.catalog.sets()).containsExactly(new SetKey(host("a b,c=d"), "my m,x", "k 1=v=1"));
    assertThat(d.names(host("a b,c=d"), "my m,x")).containsExactly("f 1,=g");
    assertThat(d.sink.points()).isEqualTo(1);
  }

  @Test
  void otherBackslashesAreKept() {
    d.records("m,host=C:\\dir\\n v\\x=1 " + NS);
    assertThat(d.value(host("C:\\dir\\n"), "m|v\\x", T)).isEqualTo(1);
  }

  @Test
  void aNameEscapedInTwoWaysIsOneMetric() {
    d.records("m,host=a v=1 " + NS, "m,host=a v\\ w=1 " + NS, "m,host=a v=2,v\\ w=2 " + NS);
    assertThat(d.names(host("a"), "m")).containsExactly("v", "v w");
  }

  @Test
  void textWithQuotesBackslashesCommasAndLineEndsIsRead() {
    d.records(
        "m,host=a s=\"a \\\"quoted\\\" \\\\ back, space = x\nnext line\",v=1,t=\"\" "
            + NS
            + "\nm,host=b v=2 "
            + NS
            + "\n");
    assertThat(d.rejections()).isEmpty();
    assertThat(d.value(host("a"), "m|v", T)).isEqualTo(1);
    assertThat(d.value(host("b"), "m|v", T)).isEqualTo(2);
    assertThat(d.names(host("a"), "m")).containsExactly("v");
  }

  @Test
  void aLineWithoutTimeGetsTheTimeOfItsRecord() {
    d.batch(List.of(d.record("m,host=a v=1\n".getBytes(StandardCharsets.UTF_8), T / 1000, null)));
    assertThat(d.value(host("a"), "m|v", T)).isEqualTo(1);
  }

  @Test
  void aLineAndRecordWithoutTimeGetTheTimeOfTheClock() {
    d.batch(List.of(d.record("m,host=a v=1\n".getBytes(StandardCharsets.UTF_8), -1, null)));
    assertThat(d.value(host("a"), "m|v", Decoding.NOW.toEpochMilli() * 1000)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "NS, 1795219680123456789, 1795219680123456",
    "US, 1795219680123456, 1795219680123456",
    "MS, 1795219680123, 1795219680123000",
    "S, 1795219680, 1795219680000000"
  })
  void timesAreReadInTheConfiguredPrecision(TimePrecision precision, String written, long micros) {
    Decoding other = new Decoding(Mappings.shipped(), precision);
    other.records("m,host=a v=1 " + written + "\n");
    assertThat(other.rejections()).isEmpty();
    assertThat(other.value(host("a"), "m|v", micros)).isEqualTo(1);
  }

  @Test
  void timesBefore1970AreRoundedDown() {
    d.guards(
        new IngestGuards(Duration.ofMinutes(1), Duration.ofDays(40_000), 10, 10, 10, 1 << 20, 500));
    d.records("m,host=a v=1 -1\n");
    assertThat(d.rejections()).isEmpty();
    assertThat(d.value(host("a"), "m|v", -1)).isEqualTo(1);
  }

  @Test
  void aTimeBeyondMicrosecondsIsRejected() {
    Decoding seconds = new Decoding(Mappings.shipped(), TimePrecision.S);
    seconds.records("m,host=a v=1 9999999999999999\n");
    assertThat(seconds.rejections())
        .containsExactly(
            "timestamp: '9999999999999999' is no timestamp: expected a whole number of seconds since 1970, at byte 14");
  }

  @Test
  void blankAndCommentLinesAreSkippedWithAnyLineEnd() {
    d.records(
        "\n  \n\t\r\n# a comment=1 1\n  # another\r\nm,host=a v=1 "
            + NS
            + "\r\n\r\n m,host=b v=2 "
            + NS
            + " \n\nm,host=c v=3\r");
    assertThat(d.rejections()).isEmpty();
    assertThat(d.value(host("a"), "m|v", T)).isEqualTo(1);
    assertThat(d.value(host("b"), "m|v", T)).isEqualTo(2);
    assertThat(d.value(host("c"), "m|v", Decoding.NOW.toEpochMilli() * 1000)).isEqualTo(3);
  }

  @Test
  void emptyRecordsAndTombstonesAreAccepted() {
    d.records("", "\n", "   ");
    d.batch(List.of(d.record(null, 0, null)));
    assertThat(d.rejections()).isEmpty();
    assertThat(d.sink.position(Decoding.PARTITION)).isEqualTo(4);
  }

  @Test
  void severalSpacesBetweenThePartsAreAccepted() {
    d.records("m,host=a   v=1   " + NS + "  \n");
    assertThat(d.value(host("a"), "m|v", T)).isEqualTo(1);
  }

  @Test
  void badLinesAreNumberedAndGoodNeighboursKept() {
    d.records(
        "m,host=a v=1 " + NS + "\nbroken\n\nm,host=b v=2 " + NS + "\nm,host=c v=x " + NS + "\n");
    assertThat(d.letters()).extracting(DeadLetter::line).containsExactly(2, 5);
    assertThat(d.payloads()).containsExactly("broken", "m,host=c v=x " + NS);
    assertThat(d.letters().getFirst().topic()).isEqualTo("peerlens.metrics");
    assertThat(d.letters().getFirst().offset()).isZero();
    assertThat(d.sink.points()).isEqualTo(2);
  }

  @Test
  void anOpenQuoteAffectsItsOwnLineOnly() {
    d.records(
        "m,host=a v=1,s=\"open " + NS + "\nm,host=b v=2 " + NS + "\nm,host=c v=3,s=\"ok\" " + NS);
    assertThat(d.payloads()).containsExactly("m,host=a v=1,s=\"open " + NS);
    assertThat(d.value(host("b"), "m|v", T)).isEqualTo(2);
    assertThat(d.value(host("c"), "m|v", T)).isEqualTo(3);
  }

  @Test
  void textOfARefusedLineIsNotReadAsLines() {
    // The line is well-formed and too old: what stands in its text is no line of its own.
    d.records("m,host=a v=1,s=\"x\nm,host=evil v=9\n\" 1000\nm,host=b v=2 " + NS);
    assertThat(d.catalog.objects()).containsExactly(host("b"));
    assertThat(d.letters()).extracting(DeadLetter::reason).containsExactly(RejectReason.TOO_OLD);
    assertThat(d.payloads()).containsExactly("m,host=a v=1,s=\"x\nm,host=evil v=9\n\" 1000");
  }

  @Test
  void timeIsLinearWhenEveryLineOpensAQuote() {
    // Each line alone goes on to the end of the record before it turns out to be wrong.
    String line = "a b=\"\",c d=\"\n";
    byte[] record = (line.repeat(300_000) + "x").getBytes(StandardCharsets.UTF_8);
    long begin = System.nanoTime();
    d.bytes(("a b=\"\n" + "\",c=\"\n".repeat(600_000) + "!").getBytes(StandardCharsets.UTF_8));
    d.bytes(("a b=\"\n" + "\" ,c=\"\n".repeat(500_000) + "!").getBytes(StandardCharsets.UTF_8));
    d.bytes(
        ("a b=1,c=\"\n" + "\",c d=\"\n".repeat(500_000) + "!").getBytes(StandardCharsets.UTF_8));
    d.bytes(record);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void badLinesOfAGarbageRecordBecomeFewDeadLetters() {
    StringBuilder garbage = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      garbage.append("garbage").append(i).append('\n');
    }
    garbage.append("m,host=a v=1 ").append(NS).append('\n');
    d.records(garbage.toString(), "other\n");
    assertThat(d.letters()).hasSize(102);
    DeadLetter rest = d.letters().get(100);
    assertThat(rest.line()).isEqualTo(101);
    assertThat(rest.detail()).startsWith("900 more of this record; the first one: no fields");
    assertThat(new String(rest.payload(), StandardCharsets.UTF_8).lines()).hasSize(900);
    assertThat(d.value(host("a"), "m|v", T)).isEqualTo(1);
  }

  @Test
  void namesThatAreNoTextAreRejected() {
    d.bytes("m,host=a\0b v=1\n".getBytes(StandardCharsets.UTF_8));
    d.bytes(new byte[] {'m', ',', 'h', 'o', 's', 't', '=', (byte) 0xC3, ' ', 'v', '=', '1'});
    d.bytes(new byte[] {'m', (byte) 0xFF, ',', 'h', '=', 'a', ' ', 'v', '=', '1'});
    d.bytes(new byte[] {'m', ',', (byte) 0xFE, '=', 'a', ' ', 'v', '=', '1'});
    d.bytes(new byte[] {'m', ',', 'h', '=', 'a', ' ', (byte) 0x80, 'v', '=', '1'});
    assertThat(d.rejections())
        .containsExactly(
            "text: value of tag host is not UTF-8 text or holds a NUL character, at byte 8",
            "text: value of tag host is not UTF-8 text or holds a NUL character, at byte 8",
            "text: measurement is not UTF-8 text or holds a NUL character, at byte 1",
            "text: tag is not UTF-8 text or holds a NUL character, at byte 3",
            "text: name of field '\uFFFDv' is not UTF-8 text or holds a NUL character, at byte 7");
  }

  @Test
  void aLineThatIsWrongAtItsEndStoresNothing() {
    d.records("m,host=a v=1,w=2,x=bad " + NS);
    assertThat(d.sink.rows()).isZero();
    d.records("m,host=a v=1,w=2 " + NS, "m,host=a v=3,w=4 later");
    assertThat(d.value(host("a"), "m|v", T)).isEqualTo(1);
    assertThat(d.sink.points()).isEqualTo(2);
  }

  @Test
  void theLastOfARepeatedFieldCounts() {
    d.records("m,host=a v=1,v=2 " + NS);
    assertThat(d.value(host("a"), "m|v", T)).isEqualTo(2);
  }

  @Test
  void aFieldThatWasTextFirstMayBeANumberLater() {
    d.records("m,host=a v=\"off\",w=1 " + NS);
    d.records("m,host=a v=5,w=1 " + NS);
    d.records("m,host=a v=\"off\",w=2 " + NS);
    assertThat(d.rejections()).isEmpty();
    assertThat(d.value(host("a"), "m|v", T)).isEqualTo(5);
    assertThat(d.value(host("a"), "m|w", T)).isEqualTo(2);
  }
}
