package io.peerlens.ingest.flow;

/** The protocol in which an exporter sent its flows. */
public enum FlowVersion {
  UNKNOWN,
  SFLOW_5,
  NETFLOW_V5,
  NETFLOW_V9,
  IPFIX
}
