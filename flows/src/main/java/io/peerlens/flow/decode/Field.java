package io.peerlens.flow.decode;

import io.peerlens.ingest.flow.WordTable;
import java.util.HashMap;
import java.util.Map;

/**
 * Fields of a flow record, whatever its form calls them. Numbers below 64, since a record keeps a
 * bit for each.
 */
final class Field {

  static final int VERSION = 0;
  static final int EXPORTER = 1;
  static final int DOMAIN = 2;

  /** Nanoseconds since 1970. */
  static final int RECEIVED_NS = 3;

  /** Telegraf's timestamp; its size tells the unit. */
  static final int TIMESTAMP = 4;

  static final int START_NS = 5;
  static final int END_NS = 6;
  static final int START_MS = 7;
  static final int END_MS = 8;
  static final int START_S = 9;
  static final int END_S = 10;

  /** NTP's form: seconds since 1900 and, below the point, 32 bits. */
  static final int START_NTP = 11;

  static final int END_NTP = 12;

  /** Microseconds before the export. */
  static final int START_AGO_US = 13;

  static final int END_AGO_US = 14;

  /** Milliseconds since the exporter's start, 32 bits. */
  static final int FIRST_SWITCHED = 15;

  static final int LAST_SWITCHED = 16;
  static final int UPTIME = 17;

  /** When the exporter started, milliseconds since 1970. */
  static final int SYSTEM_START_MS = 18;

  /** One in so many packets was looked at. */
  static final int SAMPLING = 19;

  static final int SAMPLED_PACKETS = 20;
  static final int SKIPPED_PACKETS = 21;
  static final int SAMPLE_SIZE = 22;
  static final int SAMPLE_POPULATION = 23;
  static final int SAMPLER = 24;

  static final int BYTES = 25;
  static final int PACKETS = 26;
  static final int OUT_BYTES = 27;
  static final int OUT_PACKETS = 28;
  static final int TOTAL_BYTES = 29;
  static final int TOTAL_PACKETS = 30;
  static final int INITIATOR_BYTES = 31;
  static final int INITIATOR_PACKETS = 32;
  static final int REVERSE_BYTES = 33;
  static final int REVERSE_PACKETS = 34;
  static final int REVERSE_TOTAL_BYTES = 35;
  static final int REVERSE_TOTAL_PACKETS = 36;
  static final int RESPONDER_BYTES = 37;
  static final int RESPONDER_PACKETS = 38;
  static final int REVERSE_TCP_FLAGS = 39;

  /** Lengths of the one packet of an sFlow sample. */
  static final int FRAME_LENGTH = 40;

  static final int IP_LENGTH = 41;
  static final int IPV4_LENGTH = 42;
  static final int IPV6_LENGTH = 43;
  static final int ETHERNET_LENGTH = 44;

  static final int SRC = 45;
  static final int DST = 46;
  static final int SRC_PORT = 47;
  static final int DST_PORT = 48;

  /** The port where a template names it by protocol. */
  static final int TRANSPORT_SRC_PORT = 49;

  static final int TRANSPORT_DST_PORT = 50;
  static final int PROTOCOL = 51;
  static final int TCP_FLAGS = 52;
  static final int ICMP_TYPE = 53;
  static final int ICMP_CODE = 54;

  /** Number (IPFIX) or word. */
  static final int FORWARDING = 55;

  static final int IN_IF = 56;
  static final int OUT_IF = 57;

  /** Number (0 ingress, 1 egress) or word. */
  static final int DIRECTION = 58;

  /** A firewall's event. */
  static final int EVENT = 59;

  // Members of Telegraf's JSON, which are no fields of a record.
  static final int TELEGRAF_FIELDS = 64;
  static final int TELEGRAF_TAGS = 65;
  static final int TELEGRAF_NAME = 66;
  static final int TELEGRAF_METRICS = 67;

  /** Names in goflow2's JSON, and the members of Telegraf's. */
  static final WordTable JSON;

  /** Names of tags and fields in Telegraf's netflow and netflow_options. */
  static final WordTable TELEGRAF;

  static final WordTable VERSIONS =
      new WordTable(
          Map.of(
              "SFLOW_5", FlowVersion.SFLOW_5.code(),
              "NETFLOW_V5", FlowVersion.NETFLOW_V5.code(),
              "NETFLOW_V9", FlowVersion.NETFLOW_V9.code(),
              "IPFIX", FlowVersion.IPFIX.code(),
              "sFlowV5", FlowVersion.SFLOW_5.code(),
              "NetFlowV5", FlowVersion.NETFLOW_V5.code(),
              "NetFlowV9", FlowVersion.NETFLOW_V9.code()));

  static final WordTable DIRECTIONS =
      new WordTable(
          Map.of(
              "ingress", FlowBatch.INGRESS,
              "egress", FlowBatch.EGRESS,
              "unknown", FlowBatch.NO_DIRECTION));

  private static final String[] JSON_NAMES = new String[64];
  private static final String[] TELEGRAF_NAMES = new String[64];

  static {
    Map<String, Integer> json = new HashMap<>();
    json.put("type", VERSION);
    json.put("sampler_address", EXPORTER);
    json.put("observation_domain_id", DOMAIN);
    json.put("time_received_ns", RECEIVED_NS);
    json.put("time_flow_start_ns", START_NS);
    json.put("time_flow_end_ns", END_NS);
    json.put("sampling_rate", SAMPLING);
    json.put("bytes", BYTES);
    json.put("packets", PACKETS);
    json.put("src_addr", SRC);
    json.put("dst_addr", DST);
    json.put("src_port", SRC_PORT);
    json.put("dst_port", DST_PORT);
    json.put("proto", PROTOCOL);
    json.put("tcp_flags", TCP_FLAGS);
    json.put("icmp_type", ICMP_TYPE);
    json.put("icmp_code", ICMP_CODE);
    json.put("forwarding_status", FORWARDING);
    json.put("in_if", IN_IF);
    json.put("out_if", OUT_IF);
    json.put("flow_direction", DIRECTION);
    json.forEach((name, field) -> JSON_NAMES[field] = name);
    json.put("fields", TELEGRAF_FIELDS);
    json.put("tags", TELEGRAF_TAGS);
    json.put("name", TELEGRAF_NAME);
    json.put("timestamp", TIMESTAMP);
    json.put("metrics", TELEGRAF_METRICS);
    JSON = new WordTable(json);

    Map<String, Integer> telegraf = new HashMap<>();
    telegraf.put("version", VERSION);
    telegraf.put("source", EXPORTER);
    telegraf.put("observation_domain_id", DOMAIN);
    telegraf.put("flow_start_ms", START_MS);
    telegraf.put("flow_end_ms", END_MS);
    telegraf.put("flow_start", START_S);
    telegraf.put("flow_end", END_S);
    telegraf.put("flow_start_us", START_NTP);
    telegraf.put("flow_end_us", END_NTP);
    telegraf.put("flow_start_ns", START_NTP);
    telegraf.put("flow_end_ns", END_NTP);
    telegraf.put("flow_start_delta_us", START_AGO_US);
    telegraf.put("flow_end_delta_us", END_AGO_US);
    telegraf.put("first_switched", FIRST_SWITCHED);
    telegraf.put("last_switched", LAST_SWITCHED);
    telegraf.put("sys_uptime", UPTIME);
    telegraf.put("system_init_ms", SYSTEM_START_MS);
    telegraf.put("sampling_interval", SAMPLING);
    telegraf.put("flow_sampler_interval", SAMPLING);
    telegraf.put("sampling_packet_interval", SAMPLED_PACKETS);
    telegraf.put("sampling_packet_space", SKIPPED_PACKETS);
    telegraf.put("sampling_size", SAMPLE_SIZE);
    telegraf.put("sampling_population", SAMPLE_POPULATION);
    telegraf.put("flow_sampler_id", SAMPLER);
    telegraf.put("in_bytes", BYTES);
    telegraf.put("in_packets", PACKETS);
    telegraf.put("out_bytes", OUT_BYTES);
    telegraf.put("out_packets", OUT_PACKETS);
    telegraf.put("in_total_bytes", TOTAL_BYTES);
    telegraf.put("in_total_packets", TOTAL_PACKETS);
    telegraf.put("initiator_bytes", INITIATOR_BYTES);
    telegraf.put("initiator_packets", INITIATOR_PACKETS);
    telegraf.put("rev_in_bytes", REVERSE_BYTES);
    telegraf.put("rev_in_packets", REVERSE_PACKETS);
    telegraf.put("rev_in_total_bytes", REVERSE_TOTAL_BYTES);
    telegraf.put("rev_in_total_packets", REVERSE_TOTAL_PACKETS);
    telegraf.put("responder_bytes", RESPONDER_BYTES);
    telegraf.put("responder_packets", RESPONDER_PACKETS);
    telegraf.put("rev_tcp_flags", REVERSE_TCP_FLAGS);
    telegraf.put("l2_bytes", FRAME_LENGTH);
    telegraf.put("ip_total_len", IP_LENGTH);
    telegraf.put("ipv4_total_len", IPV4_LENGTH);
    telegraf.put("ipv6_total_len", IPV6_LENGTH);
    telegraf.put("eth_total_len", ETHERNET_LENGTH);
    telegraf.put("src", SRC);
    telegraf.put("dst", DST);
    telegraf.put("src_port", SRC_PORT);
    telegraf.put("dst_port", DST_PORT);
    telegraf.put("tcp_src_port", TRANSPORT_SRC_PORT);
    telegraf.put("tcp_dst_port", TRANSPORT_DST_PORT);
    telegraf.put("udp_src_port", TRANSPORT_SRC_PORT);
    telegraf.put("udp_dst_port", TRANSPORT_DST_PORT);
    telegraf.put("protocol", PROTOCOL);
    telegraf.put("tcp_flags", TCP_FLAGS);
    telegraf.put("icmp_type", ICMP_TYPE);
    telegraf.put("icmp_code", ICMP_CODE);
    telegraf.put("fwd_status", FORWARDING);
    telegraf.put("in_snmp", IN_IF);
    telegraf.put("out_snmp", OUT_IF);
    telegraf.put("direction", DIRECTION);
    telegraf.put("fw_event", EVENT);
    telegraf.forEach((name, field) -> TELEGRAF_NAMES[field] = name);
    TELEGRAF = new WordTable(telegraf);
    TELEGRAF_NAMES[TIMESTAMP] = "timestamp";
  }

  private Field() {}

  /** For messages, where the record itself has no name. */
  static String name(int field, boolean telegraf) {
    return (telegraf ? TELEGRAF_NAMES : JSON_NAMES)[field];
  }
}
