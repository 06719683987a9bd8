package io.peerlens.talker;

import io.peerlens.api.model.TrafficType;
import io.peerlens.flow.rank.TalkerDirection;
import io.peerlens.ingest.flow.ServiceName;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Filters that rankings, flows and services share, read from parameters. */
public final class FlowParameters {

  private static final Duration DEFAULT_WINDOW = Duration.ofHours(24);
  private static final String END = "end-";

  private FlowParameters() {}

  /** A window. */
  record Window(Instant from, Instant to) {

    /** The last 24 hours unless it is said otherwise. */
    static Window of(@Nullable String from, @Nullable String to, Instant now) {
      Instant end = to == null ? now : Moments.parameter("to", to);
      Instant begin = from == null ? end.minus(DEFAULT_WINDOW) : Moments.parameter("from", from);
      if (!begin.isBefore(end)) {
        throw ApiException.invalidParameter("to", "is not after from");
      }
      return new Window(begin, end);
    }
  }

  /**
   * The filters of a question.
   *
   * @throws ApiException if one makes no sense, naming its parameter
   */
  public static FlowCondition condition(
      @Nullable TrafficType type,
      @Nullable List<String> ports,
      @Nullable List<String> scope,
      @Nullable List<String> peerScope,
      @Nullable List<String> networks,
      @Nullable List<String> tiers,
      io.peerlens.api.model.TalkerDirection direction) {
    List<ServiceName> services = new ArrayList<>();
    for (String port : list(ports)) {
      services.add(service(port));
    }
    return new FlowCondition(
        type == null ? null : io.peerlens.ingest.flow.TrafficType.valueOf(type.name()),
        services,
        ends("scope", list(scope), list(networks), list(tiers)),
        ends("peerScope", list(peerScope), List.of(), List.of()),
        TalkerDirection.valueOf(direction.name()));
  }

  private static ServiceName service(String text) {
    return ServiceName.parse(text)
        .orElseThrow(
            () ->
                ApiException.invalidParameter("ports", "\"" + text + "\" is no service")
                    .hint("Give a port such as 443/tcp or 443, or a protocol such as icmp."));
  }

  private static FlowEndFilter ends(
      String parameter, List<String> names, List<String> networks, List<String> tiers) {
    List<UUID> objects = new ArrayList<>();
    List<Integer> ends = new ArrayList<>();
    for (String name : names) {
      if (name.startsWith(END)) {
        ends.add(number(parameter, name));
      } else {
        objects.add(UUID.fromString(name)); // the contract has checked the form
      }
    }
    networks.forEach(name -> storable("network", name));
    tiers.forEach(name -> storable("tier", name));
    return new FlowEndFilter(objects, ends, networks, tiers);
  }

  /** As they were given: a comma in a name does not part two of them. */
  static List<String> names(String parameter, HttpServletRequest request) {
    String[] given = request.getParameterValues(parameter);
    return given == null ? List.of() : List.of(given);
  }

  /** Refuses a text that the database does not take. */
  static void storable(String parameter, String text) {
    if (text.indexOf('\0') >= 0) {
      throw ApiException.invalidParameter(parameter, "holds a character that no name has");
    }
  }

  private static int number(String parameter, String name) {
    try {
      return Integer.parseInt(name.substring(END.length()));
    } catch (NumberFormatException e) {
      throw ApiException.invalidParameter(parameter, name + " is no end");
    }
  }

  private static <T> List<T> list(@Nullable List<T> given) {
    return given == null ? List.of() : given;
  }
}
