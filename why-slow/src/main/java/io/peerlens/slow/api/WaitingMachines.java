package io.peerlens.slow.api;

import static io.peerlens.slow.api.Kinds.MACHINE;

import io.peerlens.frame.Frames;
import io.peerlens.slow.LimitReading;
import io.peerlens.slow.SecondVictims;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.talker.FlowPartners;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Machines that wait for one that its limit delays, found by their flows. Thread-safe. */
final class WaitingMachines {

  /** So many flows are looked at, those with most bytes. */
  private static final int FLOWS = 500;

  private static final String TRAFFIC = "net|usage_average";
  private static final int MOST = 20;

  private final FlowPartners flows;
  private final SlowQueries queries;
  private final Frames frames;

  WaitingMachines(FlowPartners flows, SlowQueries queries, Frames frames) {
    this.flows = flows;
    this.queries = queries;
    this.frames = frames;
  }

  /**
   * A machine that waits, and the service between them.
   *
   * @param service the one with most bytes
   */
  record Waiting(SecondVictims.Victim victim, FlowPartners.Partner service) {}

  /**
   * What was found.
   *
   * @param limited partners with a limit of their own, which are not looked at
   * @param unchanged partners that did not fall
   * @param note why nothing can be said; null = it could be looked for
   */
  record Found(List<Waiting> waiting, int limited, int unchanged, @Nullable String note) {}

  Found find(Place place, LimitReading limit, SeriesBatch batch, Instant from, Instant to) {
    boolean[] delayed = new boolean[batch.steps()];
    for (int i = 0; i < delayed.length; i++) {
      delayed[i] = LimitReading.bindsAt(limit.disk(), i);
    }
    UUID uuid = queries.uuid(place.machine());
    List<FlowPartners.Partner> partners = flows.of(uuid, from, to, FLOWS);
    if (partners.isEmpty()) {
      return new Found(
          List.of(),
          0,
          0,
          "No flows with other machines are known; a NetFlow or IPFIX exporter sends them.");
    }
    ObjectGraph graph = frames.objects();
    Map<UUID, Integer> ids =
        queries.ids(partners.stream().map(FlowPartners.Partner::object).toList());
    Map<Integer, FlowPartners.Partner> machines = new HashMap<>();
    for (FlowPartners.Partner one : partners) {
      Integer id = ids.get(one.object());
      if (id != null && graph.number(MACHINE, id) >= 0) {
        machines.putIfAbsent(id, one);
      }
    }
    Map<Integer, Map<String, String>> properties = queries.properties(machines.keySet());
    DiskLimits limits = new DiskLimits(batch, place.cluster());
    machines.keySet().forEach(id -> limits.want(properties.getOrDefault(id, Map.of())));
    batch.want(MACHINE, TRAFFIC, machines.keySet());
    batch.read();
    int limited = 0;
    List<SecondVictims.Partner> free = new ArrayList<>();
    for (int id : machines.keySet()) {
      double[] traffic = batch.get(MACHINE, TRAFFIC, id);
      if (limits.isLimited(properties.getOrDefault(id, Map.of()))) {
        limited++;
      } else if (traffic != null) {
        free.add(new SecondVictims.Partner(id, Kinds.name(graph, id), traffic));
      }
    }
    List<SecondVictims.Victim> victims = SecondVictims.find(delayed, free);
    List<Waiting> waiting = new ArrayList<>();
    for (SecondVictims.Victim one : victims.subList(0, Math.min(MOST, victims.size()))) {
      FlowPartners.Partner service = machines.get(one.partner().object());
      if (service != null) {
        waiting.add(new Waiting(one, service));
      }
    }
    return new Found(waiting, limited, free.size() - victims.size(), null);
  }
}
