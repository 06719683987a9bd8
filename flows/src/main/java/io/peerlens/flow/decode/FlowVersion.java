package io.peerlens.flow.decode;

/** Protocol in which an exporter sent its flows. */
public enum FlowVersion {
  UNKNOWN(0),
  SFLOW_5(1),
  NETFLOW_V5(2),
  NETFLOW_V9(3),
  IPFIX(4);

  private static final FlowVersion[] BY_CODE = values();

  private final int code;

  FlowVersion(int code) {
    this.code = code;
  }

  /** A number that never changes, the one of goflow2's protobuf. */
  public int code() {
    return code;
  }

  /** The version with this number; {@link #UNKNOWN} when there is none. */
  public static FlowVersion of(long code) {
    return code >= 0 && code < BY_CODE.length ? BY_CODE[(int) code] : UNKNOWN;
  }
}
