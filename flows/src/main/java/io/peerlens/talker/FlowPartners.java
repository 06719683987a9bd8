package io.peerlens.talker;

import io.peerlens.flow.rank.FlowSums;
import io.peerlens.flow.rank.TalkerDirection;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.talker.TalkerNameQueries.End;
import io.peerlens.web.ApiException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Machines that an object talks with. Thread-safe. */
public final class FlowPartners {

  private final EndQueries ends;
  private final FlowListQueries flows;
  private final TalkerNames names;

  FlowPartners(EndQueries ends, FlowListQueries flows, TalkerNames names) {
    this.ends = ends;
    this.flows = flows;
    this.names = names;
  }

  /**
   * One that it talks with.
   *
   * @param object its id
   * @param port of the server, of the service with most bytes between them
   * @param protocol of IP
   * @param bytes of this service, both ways
   */
  public record Partner(UUID object, int port, int protocol, long bytes) {}

  private record Key(UUID object, int port, int protocol) {}

  /**
   * Objects that have flows with an object, with most bytes first.
   *
   * @param most so many flows are looked at, those with most bytes
   * @throws ApiException when adding up takes longer than is allowed
   */
  public List<Partner> of(UUID object, Instant from, Instant to, int most) {
    FlowCondition condition =
        new FlowCondition(
            null,
            List.of(),
            new FlowEndFilter(List.of(object), List.of(), List.of(), List.of()),
            FlowEndFilter.ANY,
            TalkerDirection.BOTH);
    List<FlowListQueries.FlowRow> rows;
    try {
      EndQueries.Found found = ends.find(condition, null);
      if (found.ends() == null || found.ends().length == 0) {
        return List.of();
      }
      rows = flows.list(found, from, to, TalkerMeasure.BYTES, null, most).rows();
    } catch (TooExpensiveException e) {
      throw FlowAnswers.tooExpensive(from, to);
    }
    List<Integer> endpoints = new ArrayList<>();
    for (FlowListQueries.FlowRow row : rows) {
      if (!FlowSums.isOther(row.dst())) {
        endpoints.add(row.src());
        endpoints.add(row.dst());
      }
    }
    Map<Integer, End> known = names.endpoints(endpoints);
    Map<Key, Long> bytes = new LinkedHashMap<>();
    for (FlowListQueries.FlowRow row : rows) {
      if (!FlowSums.isOther(row.dst())) {
        for (int endpoint : new int[] {row.src(), row.dst()}) {
          End end = known.get(2 * endpoint + 1);
          if (end != null && end.object() != null && !end.object().getId().equals(object)) {
            bytes.merge(
                new Key(end.object().getId(), row.port(), row.protocol()),
                row.get(TalkerMeasure.BYTES),
                Long::sum);
          }
        }
      }
    }
    Map<UUID, Partner> partners = new LinkedHashMap<>();
    bytes.entrySet().stream()
        .sorted(Map.Entry.<Key, Long>comparingByValue().reversed())
        .forEach(
            one ->
                partners.putIfAbsent(
                    one.getKey().object(),
                    new Partner(
                        one.getKey().object(),
                        one.getKey().port(),
                        one.getKey().protocol(),
                        one.getValue())));
    return List.copyOf(partners.values());
  }
}
