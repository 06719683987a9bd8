package io.peerlens.flow.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RejectReason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlowDecoderTest {

  /** 2026-11-21T00:06:40Z and what came just before it. */
  private static final String GOFLOW2 =
      """
      {"type":"IPFIX","time_received_ns":1795219600000999999,"sequence_num":7,"sampling_rate":1,\
      "sampler_address":"192.0.2.1","time_flow_start_ns":1795219590001000000,\
      "time_flow_end_ns":1795219599002000000,"bytes":1500,"packets":3,"src_addr":"10.0.0.1",\
      "dst_addr":"10.0.0.2","etype":"IPv4","proto":"TCP","src_port":51000,"dst_port":443,"in_if":4,\
      "out_if":5,"src_mac":"00:00:00:00:00:00","forwarding_status":0,"tcp_flags":27,"icmp_type":0,\
      "icmp_code":0,"src_net":"0.0.0.0/0","bgp_communities":[],"as_path":[1,2],\
      "mpls_ip":["10.9.9.9"],"observation_domain_id":9,"layer_stack":["Ethernet","IPv4"]}""";

  private static final String ROW =
      "10.0.0.1 51000 10.0.0.2 443 6 1500 3 27 -1 false 0 4 5 192.0.2.1 9 IPFIX"
          + " 1795219600000 1795219590001 1795219599002";

  private static final String TELEGRAF =
      "netflow,host=collector\\ 1,source=192.0.2.1,version=IPFIX src=\"10.0.0.1\",dst=\"10.0.0.2\","
          + "src_port=51000i,dst_port=443i,protocol=\"tcp\",in_bytes=1500i,in_packets=3i,"
          + "tcp_flags=\"...........AP.SF\",flow_start_ms=1795219590001i,"
          + "flow_end_ms=1795219599002i,in_snmp=4i,out_snmp=5i,direction=\"egress\","
          + "src_tos=\"0x00\",observation_domain_id=9i 1795219600000999999";

  private static final String TELEGRAF_ROW = ROW.replace("false 0 4", "false 2 4");

  private static FlowDecoding decode(String value) {
    return new FlowDecoding().decode(value);
  }

  private static String only(FlowDecoding d) {
    assertThat(d.rejects).isEmpty();
    assertThat(d.batch.size()).isEqualTo(1);
    return d.row(0);
  }

  /** The record with the value of one member changed. */
  private static String with(String member, String value) {
    return GOFLOW2.replaceAll(
        "\"" + member + "\":(\"[^\"]*\"|[^,}]+)", "\"" + member + "\":" + value);
  }

  private static String without(String member) {
    return GOFLOW2.replaceAll("\"" + member + "\":(\"[^\"]*\"|[^,}]+),", "");
  }

  // goflow2's JSON

  @Test
  void aGoflow2ObjectIsRead() {
    assertThat(only(decode(GOFLOW2 + "\n"))).isEqualTo(ROW);
  }

  @ParameterizedTest
  @CsvSource({
    "NETFLOW_V5, NETFLOW_V5",
    "NETFLOW_V9, NETFLOW_V9",
    "SFLOW_5, SFLOW_5",
    "NEW, UNKNOWN"
  })
  void theProtocolOfTheExporterIsRecognised(String type, String version) {
    assertThat(only(decode(with("type", "\"" + type + "\""))))
        .isEqualTo(ROW.replace("IPFIX", version));
  }

  @Test
  void severalObjectsAreFoundInAnyLayout() {
    String second = with("src_port", "52000");
    String secondRow = ROW.replace("51000", "52000");
    for (String value :
        List.of(
            GOFLOW2 + second,
            GOFLOW2 + "\n" + second + "\n\n",
            GOFLOW2 + " \t" + second + "\r\n",
            "\n\n" + GOFLOW2 + "\r\n# comment\n" + second,
            "[" + GOFLOW2 + "," + second + "]",
            " [ " + GOFLOW2 + " , " + second + " ] \n",
            "[]" + GOFLOW2 + "[" + second + "]")) {
      FlowDecoding d = decode(value);
      assertThat(d.rejects).as(value).isEmpty();
      assertThat(d.rows()).as(value).containsExactly(ROW, secondRow);
    }
  }

  @Test
  void theSamplingRateIsApplied() {
    assertThat(only(decode(with("sampling_rate", "1000"))))
        .isEqualTo(ROW.replace(" 1500 3 ", " 1500000 3000 "));
    assertThat(only(decode(with("sampling_rate", "0")))).isEqualTo(ROW);
    assertThat(only(decode(without("sampling_rate")))).isEqualTo(ROW);
  }

  @ParameterizedTest
  @CsvSource({"0, false", "64, false", "127, false", "128, true", "191, true", "192, false"})
  void packetsThatTheExporterDroppedAreRecognised(int status, boolean dropped) {
    assertThat(only(decode(with("forwarding_status", Integer.toString(status)))))
        .isEqualTo(ROW.replace("-1 false", "-1 " + dropped));
  }

  @Test
  void sFlowTellsADropByItsOutputInterface() {
    String sflow = with("type", "\"SFLOW_5\"");
    String row = ROW.replace("IPFIX", "SFLOW_5");
    assertThat(only(decode(sflow.replace("\"out_if\":5", "\"out_if\":1073741826")))) // 1 << 30 | 2
        .isEqualTo(row.replace("false 0 4 5", "true 0 4 0"));
    assertThat(only(decode(sflow.replace("\"out_if\":5", "\"out_if\":2147483650")))) // 1 << 31 | 2
        .isEqualTo(row.replace("0 4 5", "0 4 0"));
  }

  @Test
  void icmpTypeAndCodeReplacePorts() {
    String icmp = with("proto", "\"ICMP\"").replace("51000", "0");
    String row = "10.0.0.1 0 10.0.0.2 0 1 1500 3 -1 %d false";
    assertThat(
            only(
                decode(
                    icmp.replace("\"icmp_type\":0", "\"icmp_type\":3")
                        .replace("\"icmp_code\":0", "\"icmp_code\":1"))))
        .startsWith(row.formatted(3 * 256 + 1));
    // As NetFlow v5 has it: in the destination port.
    assertThat(only(decode(icmp.replace("\"dst_port\":443", "\"dst_port\":2048"))))
        .startsWith(row.formatted(8 * 256));
  }

  @Test
  void ipv6IsRead() {
    assertThat(
            only(
                decode(
                    with("src_addr", "\"2001:db8::1\"")
                        .replace("\"10.0.0.2\"", "\"::ffff:10.0.0.2\""))))
        .isEqualTo(ROW.replace("10.0.0.1 ", "2001:db8::1 "));
  }

  @Test
  void theDirectionOfAGoflow2MappingIsRead() {
    assertThat(only(decode(GOFLOW2.replace("\"in_if\"", "\"flow_direction\":0,\"in_if\""))))
        .contains("false 1 4");
    assertThat(only(decode(GOFLOW2.replace("\"in_if\"", "\"flow_direction\":1,\"in_if\""))))
        .contains("false 2 4");
  }

  @Test
  void outputOfOtherGoflow2RenderersIsRead() {
    assertThat(only(decode(with("proto", "6")))).isEqualTo(ROW);
    assertThat(only(decode(with("proto", "\"6\"")))).isEqualTo(ROW);
    assertThat(only(decode(with("time_received_ns", "\"2026-11-21T00:06:40.000999999Z\""))))
        .isEqualTo(ROW);
  }

  @Test
  void aFlowWithoutTimesHappenedWhenItWasReceived() {
    String plain = with("time_flow_start_ns", "0");
    assertThat(only(decode(plain))).endsWith(" 1795219600000 1795219599002 1795219599002");
    assertThat(only(decode(plain.replace("1795219599002000000", "0"))))
        .endsWith(" 1795219600000 1795219600000 1795219600000");
    FlowDecoding d = new FlowDecoding();
    byte[] value =
        plain
            .replace("1795219599002000000", "0")
            .replace("1795219600000999999", "0")
            .getBytes(StandardCharsets.UTF_8);
    d.decode(value, 1_795_219_500_000L).decode(value, -1);
    assertThat(d.row(0)).endsWith(" 1795219500000 1795219500000 1795219500000");
    assertThat(d.batch.receivedMillis(1)).isEqualTo(FlowDecoding.NOW.toEpochMilli());
  }

  @Test
  void aFlowNeverEndsBeforeItStarts() {
    assertThat(only(decode(with("time_flow_start_ns", "1795219599003000000"))))
        .endsWith(" 1795219599002 1795219599002");
  }

  @Test
  void trafficOtherThanIpIsIgnored() {
    FlowDecoding d =
        decode(with("src_addr", "\"\"").replace("\"10.0.0.2\"", "\"\"").replace("IPv4", "ARP"));
    assertThat(d.rejects).isEmpty();
    assertThat(d.batch.size()).isZero();
    assertThat(d.decoder.passedOver().otherTraffic()).isEqualTo(1);
  }

  @Test
  void keywordsOfProtocolsStandForIanasNumbers() {
    for (String keyword :
        List.of(
            "HOPOPT=0",
            "udp=17",
            "GRE=47",
            "ESP=50",
            "IPv6-ICMP=58",
            "ipv6-icmp=58",
            "ospfigp=89",
            "VRRP=112",
            "any-0-hop-protocol=114",
            "sctp=132",
            "MPLS-in-IP=137",
            "NSH=145",
            "experimental=253",
            "unassigned=255")) {
      String[] both = keyword.split("=");
      FlowDecoding d = decode(with("proto", "\"" + both[0] + "\""));
      assertThat(d.batch.protocol(0)).as(keyword).isEqualTo(Integer.parseInt(both[1]));
    }
  }

  // What is refused, and how

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "bytes; -5; number: bytes is -5: expected a whole number from 0 to 9007199254740992",
        "bytes; 18446744073709551615; number: bytes is 18446744073709551615: expected a whole number from 0 to 9007199254740992",
        "bytes; 99999999999999999999999; number: bytes is 18446744073709551615: expected a whole number from 0 to 9007199254740992",
        "bytes; \"many\"; number: bytes is 'many': expected a whole number from 0 to 9007199254740992",
        "packets; -1; number: packets is -1: expected a whole number from 0 to 9007199254740992",
        "dst_port; 65536; number: dst_port is 65536: expected a whole number from 0 to 65535",
        "proto; 256; number: proto is 256: expected a whole number from 0 to 255",
        "proto; \"TCPX\"; number: proto is 'TCPX': expected a whole number from 0 to 255",
        "tcp_flags; -1; number: tcp_flags is -1: expected a whole number from 0 to 65535",
        "in_if; 4294967296; number: in_if is 4294967296: expected a whole number from 0 to 4294967295",
        "sampling_rate; 4294967297; number: sampling_rate is 4294967297: expected a whole number from 0 to 4294967296",
        "src_addr; \"10.0.0.256\"; address: src_addr is '10.0.0.256': expected an IPv4 or IPv6 address like 10.77.2.13",
        "dst_addr; \"\"; address: dst_addr is '': expected an IPv4 or IPv6 address like 10.77.2.13",
        "dst_addr; 7; address: dst_addr is 7: expected an IPv4 or IPv6 address like 10.77.2.13",
        "sampler_address; \"router\"; address: sampler_address is 'router': expected an IPv4 or IPv6 address like 10.77.2.13",
        "time_received_ns; \"today\"; timestamp: time_received_ns is 'today': expected nanoseconds since 1970 or a time like 2026-11-20T23:58:43Z",
        "time_received_ns; 1795221601000000000; future: the flow was received 2026-11-21T00:40:01Z, more than 600 s ahead of the clock: correct the clock of the collector",
        "time_flow_end_ns; 1795221601000000000; future: the flow ends at 2026-11-21T00:40:01Z, more than 600 s ahead of the clock: correct the clock of the exporter",
        "time_flow_end_ns; 1795048199000000000; too-old: the flow ends at 2026-11-19T00:29:59Z, more than 36 hours ago: correct the exporter's clock, or raise the guard maxAge",
        "time_flow_start_ns; 1795100000000000000; timestamp: the flow lasts from 2026-11-19T14:53:20Z to 2026-11-21T00:06:39.002Z, longer than 24 hours: set the exporter's active timeout, correct its clock, or raise the guard maxDuration"
      })
  void impossibleValuesAreRefused(String member, String value, String expected) {
    String bad = with(member, value);
    FlowDecoding d = decode(GOFLOW2 + "\n" + bad + "\n" + GOFLOW2);
    assertThat(d.rejects).hasToString("[" + expected + "]");
    assertThat(d.rejects.getFirst().payload()).isEqualTo(bad);
    assertThat(d.rejects.getFirst().number()).isEqualTo(2);
    assertThat(d.rows()).containsExactly(ROW, ROW);
  }

  @Test
  void excessiveVolumesAreRefused() {
    FlowDecoding d =
        decode(with("sampling_rate", "4294967296").replace("\"bytes\":1500", "\"bytes\":99999999"));
    assertThat(d.rejects)
        .hasToString(
            "[number: 99999999 at one in 4294967296 packets is more than a flow can have: correct the exporter's sampling rate]");
    assertThat(d.batch.size()).isZero();
  }

  @Test
  void theGuardsCanBeRaised() {
    FlowDecoding d = new FlowDecoding();
    d.guards =
        new FlowGuards(Duration.ofHours(1), Duration.ofDays(30), Duration.ofDays(9), 1 << 20);
    d.decode(with("time_flow_start_ns", "1795100000000000000"));
    assertThat(d.rejects).isEmpty();
    assertThat(d.batch.size()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"bytes\":1; the object is not closed: expected a , or }, at byte 11",
        "{; the object is not closed: expected a }, at byte 2",
        "{bytes:1}; expected a \"name\", at byte 2",
        "{\"bytes\" 1}; expected a :, at byte 10",
        "{\"bytes\":}; expected a value, at byte 10",
        "{\"bytes\":-}; this is no number, at byte 10",
        "{\"bytes\":1 2}; expected a , or }, at byte 12",
        "{\"bytes\":01x}; expected a , or }, at byte 12",
        "{\"as_path\":[1}; brackets do not match, at byte 14",
        "{\"as_path\":[1; a bracket is not closed, at byte 14",
        "{\"src_addr\":\"10.0.0.1; a text is not closed: expected a \", at byte 22",
        "[{\"bytes\":1]; expected a , or }, at byte 12",
        "[1]; expected a {, at byte 2",
        "[{\"metrics\":[]}]; found a batch within a batch, at byte 13",
        "{\"metrics\":[{}],\"a\":1}; expected a } after the array of metrics, at byte 16",
        "{\"fields\":1}; expected text as 'name', objects as 'fields' and 'tags', an array as 'metrics', at byte 11"
      })
  void errorsInJsonAreReportedWithTheirPosition(String bad, String expected) {
    FlowDecoding d = decode(GOFLOW2 + "\n" + bad + "\n" + GOFLOW2);
    assertThat(d.rejects.getLast()).hasToString("json: " + expected);
    assertThat(d.rejects.getLast().payload()).isEqualTo(bad);
    assertThat(d.rows()).containsExactly(ROW, ROW);
  }

  @Test
  void jsonOfAnotherShapeIsRefused() {
    assertThat(decode("{\"adapterKind\":\"A\",\"metrics\":{\"a\":1}}").rejects)
        .hasToString(
            "[json: expected text as 'name', objects as 'fields' and 'tags', an array as 'metrics', at byte 30]");
    assertThat(decode("{\"type\":\"IPFIX\"}").rejects)
        .hasToString(
            "[json: neither src_addr nor dst_addr: expected a flow of goflow2, or 'fields', 'tags' and 'name' of Telegraf]");
  }

  @Test
  void aDamagedObjectCostsThoseGluedToItNothing() {
    String damaged = GOFLOW2.replace("\"packets\":3", "\"packets\":3x");
    FlowDecoding d = decode(GOFLOW2 + damaged + GOFLOW2);
    assertThat(d.rows()).containsExactly(ROW, ROW);
    assertThat(d.rejects).singleElement().extracting("payload").isEqualTo(damaged);

    String cut = GOFLOW2.substring(0, GOFLOW2.indexOf(",\"src_addr\""));
    d = decode(cut + GOFLOW2);
    assertThat(d.rows()).containsExactly(ROW);
    assertThat(d.rejects).singleElement().extracting("payload").isEqualTo(cut);

    d = decode(GOFLOW2 + "garbage" + GOFLOW2);
    assertThat(d.rows()).containsExactly(ROW, ROW);
    assertThat(d.rejects).singleElement().extracting("payload").isEqualTo("garbage");
  }

  @Test
  void ofADamagedArrayNothingIsStored() {
    String array =
        "[" + GOFLOW2 + "," + GOFLOW2 + "," + GOFLOW2.replace("\"bytes\"", "bytes") + "]";
    FlowDecoding d = decode(GOFLOW2 + "\n" + array + "\n" + GOFLOW2);
    assertThat(d.rows()).containsExactly(ROW, ROW);
    assertThat(d.rejects).singleElement().extracting("payload").isEqualTo(array);
  }

  @Test
  void ofASoundArrayOnlyTheBadElementIsRefused() {
    String bad = with("dst_port", "70000");
    FlowDecoding d = decode("[" + GOFLOW2 + "," + bad + "," + GOFLOW2 + "]");
    assertThat(d.rows()).containsExactly(ROW, ROW);
    assertThat(d.rejects).singleElement().extracting("payload").isEqualTo(bad);
    assertThat(d.rejects).singleElement().extracting("number").isEqualTo(2);
  }

  @Test
  void aTooLargeValueIsRefused() {
    FlowDecoding d = new FlowDecoding();
    d.guards = new FlowGuards(Duration.ofMinutes(1), Duration.ofDays(1), Duration.ofDays(1), 1_000);
    d.decode(GOFLOW2 + "\n" + GOFLOW2);
    assertThat(d.batch.size()).isZero();
    assertThat(d.rejects)
        .singleElement()
        .asString()
        .matches(
            "oversized: 1,\\d\\d\\d bytes are more than the guard maxRecordBytes of 1,000: send smaller records or raise it");
  }

  // Telegraf

  @Test
  void aTelegrafLineIsRead() {
    assertThat(only(decode(TELEGRAF + "\n"))).isEqualTo(TELEGRAF_ROW);
  }

  @Test
  void unsignedAndPlainNumbersAndTagsOfFieldsAreRead() {
    assertThat(only(decode(TELEGRAF.replaceAll("(\\d)i", "$1u")))).isEqualTo(TELEGRAF_ROW);
    assertThat(only(decode(TELEGRAF.replaceAll("(\\d)i", "$1")))).isEqualTo(TELEGRAF_ROW);
    assertThat(
            only(
                decode(
                    TELEGRAF
                        .replace(
                            "src=\"10.0.0.1\",dst=\"10.0.0.2\",src_port=51000i,dst_port=443i,", "")
                        .replace("protocol=\"tcp\",", "")
                        .replace(
                            "version=IPFIX",
                            "version=IPFIX,src=10.0.0.1,dst=10.0.0.2,src_port=51000,dst_port=443,protocol=tcp"))))
        .isEqualTo(TELEGRAF_ROW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1795219600", "1795219600000", "1795219600000999", "1795219600000999999"})
  void theSizeOfATimestampTellsItsUnit(String timestamp) {
    assertThat(only(decode(TELEGRAF.replace("1795219600000999999", timestamp))))
        .isEqualTo(TELEGRAF_ROW);
  }

  @Test
  void telegrafJsonIsReadAloneAndInBatches() {
    String json =
        """
        {"fields":{"src":"10.0.0.1","dst":"10.0.0.2","src_port":51000,"dst_port":443,\
        "protocol":"tcp","in_bytes":1500,"in_packets":3,"tcp_flags":"...AP.SF","in_snmp":4,\
        "flow_start_ms":1795219590001,"flow_end_ms":1795219599002,"out_snmp":5,\
        "direction":"egress","observation_domain_id":9},"name":"netflow",\
        "tags":{"host":"c","source":"192.0.2.1","version":"IPFIX"},"timestamp":1795219600}""";
    String internal =
        "{\"fields\":{\"x\":1},\"name\":\"internal_agent\",\"tags\":{},\"timestamp\":1795219600}";
    assertThat(only(decode(json + "\n"))).isEqualTo(TELEGRAF_ROW);
    FlowDecoding d = decode("{\"metrics\":[" + json + "," + internal + "," + json + "]}\n");
    assertThat(d.rejects).isEmpty();
    assertThat(d.rows()).containsExactly(TELEGRAF_ROW, TELEGRAF_ROW);
    assertThat(d.decoder.passedOver().internalLines()).isEqualTo(1);
  }

  @Test
  void telegrafsOwnLinesAreCountedAndIgnored() {
    FlowDecoding d =
        decode("internal_agent,host=c gather_errors=0i 1795219600000000000\n" + TELEGRAF);
    assertThat(only(d)).isEqualTo(TELEGRAF_ROW);
    assertThat(d.decoder.passedOver().internalLines()).isEqualTo(1);
  }

  @Test
  void otherMeasurementsAreRefused() {
    FlowDecoding d = decode("cpu,host=c usage_idle=9.5 1795219600000000000");
    assertThat(d.rejects)
        .hasToString(
            "[no-value: 'cpu' is no flow: expected netflow or netflow_options here, metrics belong into another topic]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '|',
      value = {
        "netflow; expected field=value, at byte 8",
        "netflow,source; expected tag=value, at byte 8",
        "netflow,source=192.0.2.1 ; expected field=value, at byte 25",
        "netflow,source=192.0.2.1 src; expected field=value, at byte 26",
        "netflow,source=192.0.2.1 src=; expected a value, at byte 30",
        "netflow,source=192.0.2.1 src=\"10.0.0.1; a text is not closed: expected a \", at byte 30",
        "netflow,source=192.0.2.1 in_bytes=1x; expected a , or a space, at byte 36",
        "netflow,source=192.0.2.1 in_bytes=-i; this is no number, at byte 35",
        "netflow,source=192.0.2.1 in_bytes=1i 17952196x; this is no timestamp, at byte 38",
        "=1; expected field=value, at byte 3"
      })
  void errorsInALineAreReportedWithTheirPosition(String bad, String expected) {
    FlowDecoding d = decode(TELEGRAF + "\n" + bad + "\n" + TELEGRAF);
    assertThat(d.rejects)
        .hasToString("[syntax: " + expected + ", in the line protocol of Telegraf]");
    assertThat(d.rejects.getFirst().payload()).isEqualTo(bad);
    assertThat(d.rows()).containsExactly(TELEGRAF_ROW, TELEGRAF_ROW);
  }

  @Test
  void aFlowWithoutVolumeOrExporterIsRefused() {
    assertThat(decode(TELEGRAF.replace("in_bytes=1500i,in_packets=3i,", "")).rejects)
        .hasToString(
            "[no-value: neither bytes nor packets: expected in_bytes, out_bytes or in_total_bytes in a flow]");
    assertThat(decode(TELEGRAF.replace("source=192.0.2.1,", "")).rejects)
        .hasToString(
            "[address: source is missing: expected an IPv4 or IPv6 address like 10.77.2.13]");
  }

  @Test
  void eventsOfFirewallsAreIgnored() {
    FlowDecoding d =
        decode(TELEGRAF.replace("in_bytes=1500i,in_packets=3i,", "fw_event=\"flow created\","));
    assertThat(d.rejects).isEmpty();
    assertThat(d.batch.size()).isZero();
    assertThat(d.decoder.passedOver().otherTraffic()).isEqualTo(1);
  }

  @Test
  void theVolumeIsFoundInEveryField() {
    assertThat(only(decode(TELEGRAF.replace("in_bytes", "out_bytes").replace("in_p", "out_p"))))
        .isEqualTo(TELEGRAF_ROW);
    assertThat(
            only(
                decode(
                    TELEGRAF.replace("in_bytes", "in_total_bytes").replace("in_p", "in_total_p"))))
        .isEqualTo(TELEGRAF_ROW);
  }

  @Test
  void theReverseDirectionOfARecordIsARowOfItsOwn() {
    FlowDecoding d =
        decode(
            TELEGRAF.replace(
                "in_snmp",
                "rev_in_bytes=90000i,rev_in_packets=70i,rev_tcp_flags=\"...A..S.\",in_snmp"));
    assertThat(d.rejects).isEmpty();
    assertThat(d.rows())
        .containsExactly(
            TELEGRAF_ROW,
            "10.0.0.2 443 10.0.0.1 51000 6 90000 70 18 -1 false 2 5 4 192.0.2.1 9 IPFIX"
                + " 1795219600000 1795219590001 1795219599002");

    d =
        decode(
            TELEGRAF.replace(
                "in_bytes=1500i,in_packets=3i", "initiator_bytes=1i,responder_bytes=2i"));
    assertThat(d.rows()).hasSize(2);
    assertThat(d.rows().get(0)).startsWith("10.0.0.1 51000 10.0.0.2 443 6 1 0 27");
    assertThat(d.rows().get(1)).startsWith("10.0.0.2 443 10.0.0.1 51000 6 2 0 -1");
  }

  @Test
  void dropsOfTelegrafAreRecognised() {
    assertThat(only(decode(TELEGRAF.replace("src_tos", "fwd_status=\"dropped\",src_tos"))))
        .isEqualTo(TELEGRAF_ROW.replace("false", "true"));
    assertThat(only(decode(TELEGRAF.replace("src_tos", "fwd_status=\"forwarded\",src_tos"))))
        .isEqualTo(TELEGRAF_ROW);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "flow_start=1795219590i,flow_end=1795219599i; 1795219590000 1795219599000",
        // NTP: seconds since 1900 in the upper half, here with .25 and .5 below it
        "flow_start_us=17197944082492555264u,flow_end_us=17197944122221002752u; 1795219590250 1795219599500",
        "flow_start_delta_us=9999000i,flow_end_delta_us=998000i; 1795219590001 1795219599002",
        "first_switched=4000i,last_switched=13001i,sys_uptime=13999i; 1795219590001 1795219599002",
        "first_switched=4294967290i,last_switched=10i,sys_uptime=20i; 1795219599974 1795219599990",
        "first_switched=4000i,last_switched=13001i,system_init_ms=1795219586001i; 1795219590001 1795219599002",
        "first_switched=4000i,last_switched=13001i; 1795219600000 1795219600000",
        "flow_start=0i,flow_end=0i; 1795219600000 1795219600000"
      })
  void flowTimesAreReadInAllTheirForms(String fields, String times) {
    assertThat(
            only(
                decode(
                    TELEGRAF.replace(
                        "flow_start_ms=1795219590001i,flow_end_ms=1795219599002i", fields))))
        .endsWith(" 1795219600000 " + times);
  }

  @Test
  void ofSFlowALineIsOnePacketTimesTheRate() {
    assertThat(
            only(
                decode(
                    "netflow,source=192.0.2.1,version=sFlowV5 agent_ip=\"192.0.2.9\",l2_bytes=1518i,"
                        + "ip_total_len=1500i,in_total_packets=987654i,sampling_interval=512i,"
                        + "sampling_drops=0i,in_snmp=4i,out_snmp=5i,protocol=\"udp\",src=\"10.0.0.1\","
                        + "dst=\"10.0.0.2\",src_port=51000i,dst_port=53i,direction=\"ingress\" "
                        + "1795219600000000000")))
        .isEqualTo(
            "10.0.0.1 51000 10.0.0.2 53 17 777216 512 -1 -1 false 1 4 5 192.0.2.1 0 SFLOW_5"
                + " 1795219600000 1795219600000 1795219600000");
    FlowDecoding counters =
        decode(
            "netflow,source=192.0.2.1,version=sFlowV5 in_bytes=3910i,in_snmp=3i 1795219600000000000");
    assertThat(counters.rejects).isEmpty();
    assertThat(counters.batch.size()).isZero();
    assertThat(counters.decoder.passedOver().otherTraffic()).isEqualTo(1);
  }

  @Test
  void ofNetFlow5TheUpperBitsOfTheRateAreNoNumber() {
    String line =
        TELEGRAF.replace("IPFIX", "NetFlowV5").replace("src_tos", "sampling_interval=%di,src_tos");
    String row = TELEGRAF_ROW.replace("IPFIX", "NETFLOW_V5");
    assertThat(only(decode(line.formatted(0x4000 | 10))))
        .isEqualTo(row.replace("1500 3", "15000 30"));
    assertThat(only(decode(line.formatted(0)))).isEqualTo(row);
  }

  // What exporters say of themselves

  private static String options(String source, String version, String fields) {
    return "netflow_options,source=%s,version=%s %s 1795219500000000000\n"
        .formatted(source, version, fields);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "sampling_interval=100i; 150000 300",
        "flow_sampler_interval=100i,sampling_algo=\"random\"; 150000 300",
        "sampling_packet_interval=1i,sampling_packet_space=99i; 150000 300",
        "sampling_packet_interval=2i,sampling_packet_space=3i; 3750 7",
        "sampling_packet_interval=100i; 150000 300",
        "sampling_size=3i,sampling_population=10i; 5000 10",
        "sampling_interval=0i; 1500 3",
        "interface=\"eth0\"; 1500 3"
      })
  void theRateOfAnOptionsRecordIsApplied(String fields, String volume) {
    FlowDecoding d = decode(options("192.0.2.1", "IPFIX", fields) + TELEGRAF);
    assertThat(only(d)).isEqualTo(TELEGRAF_ROW.replace("1500 3", volume));
    assertThat(d.decoder.passedOver().optionRecords()).isEqualTo(1);
  }

  @Test
  void theRateOfAnotherExporterOrProtocolDoesNotCount() {
    FlowDecoding d =
        decode(
            options("192.0.2.2", "IPFIX", "sampling_interval=100i")
                + options("192.0.2.1", "NetFlowV9", "sampling_interval=50i")
                + TELEGRAF);
    assertThat(only(d)).isEqualTo(TELEGRAF_ROW);
  }

  @Test
  void theRecordsOwnRateGoesFirst() {
    FlowDecoding d =
        decode(
            options("192.0.2.1", "IPFIX", "sampling_interval=100i")
                + TELEGRAF.replace("src_tos", "sampling_interval=10i,src_tos"));
    assertThat(only(d)).isEqualTo(TELEGRAF_ROW.replace("1500 3", "15000 30"));
  }

  @Test
  void samplersOfOneExporterHaveRatesOfTheirOwn() {
    FlowDecoding d =
        decode(
            options("192.0.2.1", "IPFIX", "flow_sampler_id=1i,flow_sampler_interval=10i")
                + options("192.0.2.1", "IPFIX", "flow_sampler_id=2i,flow_sampler_interval=100i")
                + TELEGRAF.replace("src_tos", "flow_sampler_id=1i,src_tos")
                + "\n"
                + TELEGRAF.replace("src_tos", "flow_sampler_id=2i,src_tos"));
    assertThat(d.rejects).isEmpty();
    assertThat(d.rows())
        .containsExactly(
            TELEGRAF_ROW.replace("1500 3", "15000 30"),
            TELEGRAF_ROW.replace("1500 3", "150000 300"));
  }

  @Test
  void theStartOfAnExporterGivesItsFlowsTheirTimesEvenAfterItsCounterStartedOver() {
    long days60 = Duration.ofDays(60).toMillis();
    long systemStart = 1_795_219_600_000L - days60;
    long last = (days60 - 998) & 0xFFFFFFFFL;
    FlowDecoding d =
        decode(
            options("192.0.2.1", "IPFIX", "system_init_ms=" + systemStart + "i")
                + TELEGRAF.replace(
                    "flow_start_ms=1795219590001i,flow_end_ms=1795219599002i",
                    "first_switched=%di,last_switched=%di".formatted(last - 9_001, last)));
    assertThat(only(d)).endsWith(" 1795219600000 1795219590001 1795219599002");
  }

  @Test
  void stateOfExportersSurvivesARestart() {
    FlowDecoding before = decode(options("192.0.2.1", "IPFIX", "sampling_interval=100i"));
    FlowDecoding after = new FlowDecoding();
    after.exporters.restore(before.exporters.snapshot());
    after.decode(TELEGRAF);
    assertThat(only(after)).isEqualTo(TELEGRAF_ROW.replace("1500 3", "150000 300"));
  }

  @Test
  void impossibleOptionsAreRefused() {
    assertThat(decode(options("192.0.2.1", "IPFIX", "sampling_interval=-1i").strip()).rejects)
        .hasToString(
            "[number: sampling_interval is -1: expected a whole number from 0 to 4294967296]");
    assertThat(decode(options("nowhere", "IPFIX", "sampling_interval=1i").strip()).rejects)
        .hasToString(
            "[address: source is 'nowhere': expected an IPv4 or IPv6 address like 10.77.2.13]");
    assertThat(
            decode(options("192.0.2.1", "IPFIX", "system_init_ms=99999999999999i").strip()).rejects)
        .hasSize(1);
  }

  // Protobuf

  private static FlowMessages message() {
    return new FlowMessages()
        .varint(1, 4)
        .varint(3, 10)
        .varint(4, 7)
        .bytes(6, 10, 0, 0, 1)
        .bytes(7, 10, 0, 0, 2)
        .varint(9, 1500)
        .varint(10, 3)
        .bytes(11, 192, 0, 2, 1)
        .varint(18, 4)
        .varint(19, 5)
        .varint(20, 6)
        .varint(21, 51_000)
        .varint(22, 443)
        .varint(26, 27)
        .varint(30, 0x800)
        .varint(70, 9)
        .bytes(102, 1, 2, 3)
        .varint(110, 1_795_219_600_000_999_999L)
        .varint(111, 1_795_219_590_001_000_000L)
        .varint(112, 1_795_219_599_002_000_000L);
  }

  private static final String MESSAGE_ROW = ROW.replace("1500 3", "15000 30");

  private static FlowDecoding decode(byte[] value) {
    return new FlowDecoding().decode(value, FlowDecoding.NOW.toEpochMilli());
  }

  @Test
  void goflow2ProtobufIsRead() {
    assertThat(only(decode(message().delimited()))).isEqualTo(MESSAGE_ROW);
  }

  @Test
  void messagesThatStartLikeTextAreReadToo() {
    for (int padding = 0; padding < 300; padding++) {
      byte[] value = message().bytes(12, new int[padding]).delimited();
      assertThat(only(decode(value))).as("padding %d", padding).isEqualTo(MESSAGE_ROW);
    }
  }

  @Test
  void severalMessagesAndUnknownFieldsAreRead() {
    FlowDecoding d =
        decode(
            FlowMessages.concat(
                message().delimited(),
                message().varint(999, 1).bytes(5000, 1, 2).fixed(998, 4).fixed(997, 8).delimited(),
                message().varint(42, 1).varint(24, 130).delimited()));
    assertThat(d.rejects).isEmpty();
    assertThat(d.rows())
        .containsExactly(MESSAGE_ROW, MESSAGE_ROW, MESSAGE_ROW.replace("false 0", "true 2"));
  }

  @Test
  void aDamagedMessageCostsItsNeighboursNothing() {
    FlowDecoding d =
        decode(
            FlowMessages.concat(
                message().delimited(),
                message().raw(9 << 3 | 3).delimited(), // a group
                message().bytes(6, 1, 2, 3).delimited(),
                message().varint(22, 70_000).delimited(),
                message().varint(9, -1).delimited(),
                message().delimited()));
    assertThat(d.rows()).containsExactly(MESSAGE_ROW, MESSAGE_ROW);
    assertThat(d.rejects)
        .extracting(FlowDecoding.Reject::toString)
        .satisfiesExactly(
            r ->
                assertThat(r)
                    .matches(
                        "protobuf: field 9 has the unknown wire type 3, at byte \\d+: expected goflow2's FlowMessage after its length"),
            r ->
                assertThat(r)
                    .isEqualTo(
                        "address: src_addr is 3 bytes: expected an IPv4 or IPv6 address like 10.77.2.13"),
            r ->
                assertThat(r)
                    .isEqualTo(
                        "number: dst_port is 70000: expected a whole number from 0 to 65535"),
            r -> assertThat(r).startsWith("number: bytes is 18446744073709551615: expected"));
    assertThat(d.rejects).extracting(FlowDecoding.Reject::number).containsExactly(2, 3, 4, 5);
  }

  @Test
  void aTruncatedMessageIsReported() {
    byte[] whole = message().delimited();
    byte[] cut = Arrays.copyOf(whole, whole.length - 1);
    FlowDecoding d = decode(FlowMessages.concat(whole, cut));
    assertThat(d.rows()).containsExactly(MESSAGE_ROW);
    assertThat(d.rejects)
        .hasToString(
            "[protobuf: a message of %d bytes is cut off after %d, at byte 2]"
                .formatted(whole.length - 1, whole.length - 2));
  }

  @Test
  void protobufWithoutAddressesIsNoIpTraffic() {
    FlowDecoding d = decode(new FlowMessages().varint(1, 1).varint(9, 64).delimited());
    assertThat(d.rejects).isEmpty();
    assertThat(d.batch.size()).isZero();
    assertThat(d.decoder.passedOver().otherTraffic()).isEqualTo(1);
  }

  // Dead letters

  @Test
  void aRefusedRecordBecomesADeadLetterThatCanBeReplayed() {
    FlowDeadLetters letters = new FlowDeadLetters();
    FlowDecoder decoder = new FlowDecoding().decoder;
    byte[] value = (GOFLOW2 + "\n" + with("bytes", "-5") + "\n").getBytes(StandardCharsets.UTF_8);
    FlowBatch batch = new FlowBatch();
    letters.begin(new ConsumerRecord<>("peerlens.flows", 3, 42, null, value));
    decoder.decode(value, 0, value.length, -1, batch, letters);
    assertThat(batch.size()).isEqualTo(1);
    assertThat(letters.take())
        .singleElement()
        .satisfies(
            l -> {
              assertThat(l.topic()).isEqualTo("peerlens.flows");
              assertThat(l.partition()).isEqualTo(3);
              assertThat(l.offset()).isEqualTo(42);
              assertThat(l.line()).isEqualTo(2);
              assertThat(l.reason()).isEqualTo(RejectReason.NUMBER);
              assertThat(l.payload()).asString().isEqualTo(with("bytes", "-5"));
            });
    assertThat(letters.take()).isEmpty();
  }

  @Test
  void aRecordOfGarbageMakesNoMoreThan101DeadLetters() {
    FlowDeadLetters letters = new FlowDeadLetters();
    byte[] value = "x\n".repeat(5_000).getBytes(StandardCharsets.UTF_8);
    for (int offset = 0; offset < 2; offset++) {
      letters.begin(new ConsumerRecord<>("peerlens.flows", 0, offset, null, value));
      new FlowDecoding().decoder.decode(value, 0, value.length, -1, new FlowBatch(), letters);
    }
    List<DeadLetter> taken = letters.take();
    assertThat(taken).hasSize(202);
    DeadLetter last = taken.getLast();
    assertThat(last.detail()).startsWith("4900 more of this record; the first one: expected");
    assertThat(last.line()).isEqualTo(101);
    assertThat(last.payload()).asString().isEqualTo("x\n".repeat(4_900).strip());
  }
}
