package io.peerlens.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CaptureLineTest {

  @Test
  void theKeyIsTheMoidElseTheHostElseTheSeries() {
    assertThat(lineProtocol("cpu,host=c,moid=vm-1 a=1 5").key()).isEqualTo("vm-1");
    assertThat(lineProtocol("cpu,cpu=cpu0,host=h\\ 1 a=1 5").key()).isEqualTo("h\\ 1");
    assertThat(lineProtocol("cpu,region=x a=1 5").key()).isEqualTo("cpu,region=x");
    assertThat(lineProtocol("cpu,note=a\\,moid\\=z,x=1 a=1").key())
        .isEqualTo("cpu,note=a\\,moid\\=z,x=1");
  }

  @Test
  void theTimeOfALineIsReadInItsOwnUnit() {
    assertThat(lineProtocol("m a=1 1795219380000000000").timeMs()).isEqualTo(1795219380000L);
    assertThat(lineProtocol("m a=1 1795219380000000").timeMs()).isEqualTo(1795219380000L);
    assertThat(lineProtocol("m a=1 1795219380000").timeMs()).isEqualTo(1795219380000L);
    assertThat(lineProtocol("m a=1 1795219380").timeMs()).isEqualTo(1795219380000L);
  }

  @Test
  void aLineWithoutTimeHasNone() {
    assertThat(lineProtocol("m a=1").timeMs()).isEqualTo(CaptureLine.NO_TIME);
    assertThat(lineProtocol("m a=\"at 5\"").timeMs()).isEqualTo(CaptureLine.NO_TIME);
    assertThat(lineProtocol("").timeMs()).isEqualTo(CaptureLine.NO_TIME);
    assertThat(lineProtocol("m a=1 99999999999999999999999").timeMs())
        .isEqualTo(CaptureLine.NO_TIME);
  }

  @Test
  void shiftingKeepsTheUnitAndEverythingElse() {
    assertThat(text(lineProtocol("m,moid=x a=1 1795219380000000001").shifted(1500)))
        .isEqualTo("m,moid=x a=1 1795219381500000001");
    assertThat(text(lineProtocol("m a=1 1795219380").shifted(60_000)))
        .isEqualTo("m a=1 1795219440");
    assertThat(text(lineProtocol("m a=1").shifted(60_000))).isEqualTo("m a=1");
  }

  @Test
  void jsonIsReadAsTelegrafAndAsPeerlensWriteIt() {
    CaptureLine telegraf =
        json(
            "{\"fields\":{\"a\":1},\"name\":\"m\",\"tags\":{\"host\":\"h\",\"moid\":\"vm-1\"},\"timestamp\":1795219680}");
    assertThat(telegraf.key()).isEqualTo("vm-1");
    assertThat(telegraf.timeMs()).isEqualTo(1795219680000L);
    assertThat(text(telegraf.shifted(1000))).contains("\"timestamp\":1795219681");

    CaptureLine own =
        json("{\"id\":\"i\",\"time\":\"2026-11-21T00:00:00Z\",\"metrics\":{\"a\":1}}");
    assertThat(own.key()).isEqualTo("i");
    assertThat(text(own.shifted(1000))).contains("2026-11-21T00:00:01Z");
  }

  @Test
  void flowsAreRecognisedAndKeyedByExporter() {
    CaptureLine record =
        json(
            "{\"type\":\"IPFIX\",\"time_received_ns\":1795219191038115089,\"sampler_address\":\"10.77.255.2\","
                + "\"time_flow_start_ns\":1795219171907000000,\"time_flow_end_ns\":0}");
    assertThat(record.flow()).isTrue();
    assertThat(record.key()).isEqualTo("10.77.255.2");
    assertThat(record.timeMs()).isEqualTo(1795219191038L);
    assertThat(text(record.shifted(1000)))
        .contains("\"time_received_ns\":1795219192038115089")
        .contains("\"time_flow_start_ns\":1795219172907000000")
        .contains("\"time_flow_end_ns\":0");

    CaptureLine line =
        lineProtocol(
            "netflow,host=c,source=10.77.255.2 flow_start_ms=1795219127554i,in_bytes=1i,flow_end_ms=1795219127556i"
                + " 1795219136063453475");
    assertThat(line.flow()).isTrue();
    assertThat(line.key()).isEqualTo("10.77.255.2");
    assertThat(text(line.shifted(1000)))
        .isEqualTo(
            "netflow,host=c,source=10.77.255.2 flow_start_ms=1795219128554i,in_bytes=1i,flow_end_ms=1795219128556i"
                + " 1795219137063453475");

    assertThat(lineProtocol("netflows,host=c a=1 5").flow()).isFalse();
    assertThat(json("{\"name\":\"cpu\",\"timestamp\":1}").flow()).isFalse();
  }

  @Test
  void aBrokenLineIsSentAsItIs() {
    CaptureLine broken = json("{\"a\":");
    assertThat(text(broken.shifted(5))).isEqualTo("{\"a\":");
    assertThat(broken.timeMs()).isEqualTo(CaptureLine.NO_TIME);
  }

  private static CaptureLine lineProtocol(String line) {
    return CaptureLine.ofLineProtocol(line.getBytes(UTF_8));
  }

  private static CaptureLine json(String line) {
    return CaptureLine.ofJson(line.getBytes(UTF_8));
  }

  private static String text(CaptureLine line) {
    return new String(line.bytes(), UTF_8);
  }
}
