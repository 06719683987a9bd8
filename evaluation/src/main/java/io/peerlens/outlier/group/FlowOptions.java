package io.peerlens.outlier.group;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.OutlierFlow;
import io.peerlens.api.model.OutlierFlowDirection;
import io.peerlens.api.model.OutlierFlowMeasure;
import io.peerlens.api.model.OutlierFlowType;
import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.flow.FlowPart;
import io.peerlens.ingest.flow.ServiceName;
import io.peerlens.ingest.flow.TrafficType;
import io.peerlens.web.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Flow options of groups and the metric keys that they stand for. */
public final class FlowOptions {

  private FlowOptions() {}

  /**
   * The keys of one or both directions, what is received first.
   *
   * @param path of the options in the body
   */
  static List<String> keys(String path, OutlierFlow options) {
    FlowPart part = new FlowPart(type(options.getTrafficType()), services(path, options));
    OutlierFlowDirection direction =
        requireNonNullElse(options.getDirection(), OutlierFlowDirection.BOTH);
    List<String> keys = new ArrayList<>();
    if (direction != OutlierFlowDirection.OUTGOING) {
      keys.add(metric(options.getMeasure(), true).key(part));
    }
    if (direction != OutlierFlowDirection.INCOMING) {
      keys.add(metric(options.getMeasure(), false).key(part));
    }
    return keys;
  }

  private static List<ServiceName> services(String path, OutlierFlow options) {
    List<String> ports = requireNonNullElse(options.getPorts(), List.of());
    List<ServiceName> services = new ArrayList<>();
    for (int i = 0; i < ports.size(); i++) {
      String port = ports.get(i);
      String at = path + ".ports[" + i + "]";
      services.add(
          ServiceName.parse(port.toLowerCase(Locale.ROOT))
              .orElseThrow(
                  () ->
                      ApiException.invalidField(at, "\"" + port + "\" is no service")
                          .hint("Give one such as 443/tcp, 53 or icmp.")));
    }
    return services;
  }

  private static @Nullable TrafficType type(@Nullable OutlierFlowType type) {
    return switch (type) {
      case EAST_WEST -> TrafficType.EAST_WEST;
      case NORTH_SOUTH -> TrafficType.NORTH_SOUTH;
      case ALL -> null;
      case null -> null;
    };
  }

  private static FlowMetric metric(OutlierFlowMeasure measure, boolean received) {
    return switch (measure) {
      case RATE -> received ? FlowMetric.BYTES_RX_RATE : FlowMetric.BYTES_TX_RATE;
      case BYTES -> received ? FlowMetric.BYTES_RX : FlowMetric.BYTES_TX;
      case PACKETS -> received ? FlowMetric.PACKETS_RX_RATE : FlowMetric.PACKETS_TX_RATE;
      case SESSIONS -> received ? FlowMetric.SESSIONS_RX : FlowMetric.SESSIONS_TX;
      case DROPS -> received ? FlowMetric.DROPS_RX_RATE : FlowMetric.DROPS_TX_RATE;
      case RESETS -> received ? FlowMetric.RESETS_RX : FlowMetric.RESETS_TX;
    };
  }

  /** The options that a key stands for; null = it is no flow metric. */
  public static @Nullable OutlierFlow of(String key) {
    FlowMetric.Of flow = FlowMetric.parse(key);
    if (flow == null) {
      return null;
    }
    OutlierFlowMeasure measure =
        switch (flow.metric()) {
          case BYTES_RX_RATE, BYTES_TX_RATE -> OutlierFlowMeasure.RATE;
          case BYTES_RX, BYTES_TX -> OutlierFlowMeasure.BYTES;
          case PACKETS_RX_RATE, PACKETS_TX_RATE -> OutlierFlowMeasure.PACKETS;
          case SESSIONS_RX, SESSIONS_TX -> OutlierFlowMeasure.SESSIONS;
          case DROPS_RX_RATE, DROPS_TX_RATE -> OutlierFlowMeasure.DROPS;
          case RESETS_RX, RESETS_TX -> OutlierFlowMeasure.RESETS;
        };
    return new OutlierFlow(measure)
        .direction(
            flow.metric().received()
                ? OutlierFlowDirection.INCOMING
                : OutlierFlowDirection.OUTGOING)
        .trafficType(
            flow.part().type() == null
                ? OutlierFlowType.ALL
                : flow.part().type() == TrafficType.EAST_WEST
                    ? OutlierFlowType.EAST_WEST
                    : OutlierFlowType.NORTH_SOUTH)
        .ports(flow.part().services().stream().map(ServiceName::text).toList());
  }
}
