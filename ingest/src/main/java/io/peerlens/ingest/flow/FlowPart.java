package io.peerlens.ingest.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Part of an object's traffic that a flow metric tells of. In the metric's key it is the instance
 * of the group {@value #GROUP}: {@code flow} is all traffic, {@code flow:eastWest} that between
 * internal ends, {@code flow:443/tcp+8443/tcp} that of two services together, {@code
 * flow:northSouth:443/tcp} both.
 *
 * @param type null = of all types; {@link TrafficType#EXTERNAL} has no metrics of its own
 * @param services empty = of all services; otherwise sorted, each of them once
 */
public record FlowPart(@Nullable TrafficType type, List<ServiceName> services) {

  /** Group of all flow metrics. */
  public static final String GROUP = "net";

  /** All traffic of an object. */
  public static final FlowPart ALL = new FlowPart(null, List.of());

  /** Traffic to and from other internal ends. */
  public static final FlowPart EAST_WEST = new FlowPart(TrafficType.EAST_WEST, List.of());

  /** Traffic to and from ends elsewhere. */
  public static final FlowPart NORTH_SOUTH = new FlowPart(TrafficType.NORTH_SOUTH, List.of());

  /** Parts that every object with traffic has. */
  public static final List<FlowPart> STANDARD = List.of(ALL, EAST_WEST, NORTH_SOUTH);

  /** So many services may be asked for together. */
  public static final int MOST_SERVICES = 20;

  private static final String INSTANCE = "flow";

  public FlowPart {
    if (type == TrafficType.EXTERNAL) {
      throw new IllegalArgumentException("External traffic has no metrics of its own");
    }
    services = services.stream().sorted(ServiceName.BY_PORT).distinct().toList();
    if (services.size() > MOST_SERVICES) {
      throw new IllegalArgumentException(
          "%d services; at most %d may be combined".formatted(services.size(), MOST_SERVICES));
    }
  }

  /** The instance in keys of metrics of this part. */
  public String instance() {
    StringBuilder out = new StringBuilder(INSTANCE);
    if (type != null) {
      out.append(':').append(word(type));
    }
    if (!services.isEmpty()) {
      out.append(':')
          .append(services.stream().map(ServiceName::text).collect(Collectors.joining("+")));
    }
    return out.toString();
  }

  private static String word(TrafficType type) {
    return type == TrafficType.EAST_WEST ? "eastWest" : "northSouth";
  }

  /** The part that an instance of the group {@value #GROUP} names; null = it is another one. */
  public static @Nullable FlowPart ofInstance(String instance) {
    FlowPart part = read(instance);
    return part != null && part.instance().equals(instance) ? part : null;
  }

  /** The same for an instance as people may write it, with services in any order. */
  static @Nullable FlowPart read(String instance) {
    if (!isFlow(instance)) {
      return null;
    }
    String[] words = instance.split(":", -1);
    int next = 1;
    TrafficType type = null;
    for (TrafficType one : List.of(TrafficType.EAST_WEST, TrafficType.NORTH_SOUTH)) {
      if (words.length > 1 && words[1].equals(word(one))) {
        type = one;
        next = 2;
      }
    }
    List<ServiceName> services = new ArrayList<>();
    if (next < words.length) {
      for (String name : words[next++].split("\\+", -1)) {
        Optional<ServiceName> service = ServiceName.parse(name.toLowerCase(Locale.ROOT));
        if (service.isEmpty()) {
          return null;
        }
        services.add(service.get());
      }
    }
    if (next < words.length || services.size() > MOST_SERVICES) {
      return null;
    }
    return new FlowPart(type, services);
  }

  /** Whether an instance of the group {@value #GROUP} is one of flows, whichever. */
  public static boolean isFlow(String instance) {
    return instance.equals(INSTANCE) || instance.startsWith(INSTANCE + ":");
  }

  /** Whether it is only kept where somebody asks for it. */
  public boolean isOnDemand() {
    return !services.isEmpty();
  }

  /** Whether traffic belongs to it. */
  public boolean holds(TrafficType ofType, int port, int protocol) {
    if (type != null && type != ofType) {
      return false;
    }
    if (services.isEmpty()) {
      return true;
    }
    for (int i = 0; i < services.size(); i++) {
      if (services.get(i).matches(port, protocol)) {
        return true;
      }
    }
    return false;
  }
}
