package io.peerlens.slow.api;

import static io.peerlens.slow.api.Kinds.MACHINE;

import io.peerlens.frame.Frames;
import io.peerlens.frame.Means;
import io.peerlens.slow.DaysBefore;
import io.peerlens.slow.DiskLimit;
import io.peerlens.slow.LimitReading;
import io.peerlens.slow.SecondVictims;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.talker.FlowPartners;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Machines that wait for one that its limit delays, found by their flows. Thread-safe. */
final class WaitingMachines {

  /** So many flows are looked at, those with most bytes. */
  private static final int FLOWS = 500;

  private static final String TRAFFIC = "net|usage_average";
  private static final int MOST = 20;

  private static final Duration HOUR = Duration.ofHours(1);

  /** So many days before it is compared with, and one more for what was before the delay. */
  private static final int DAYS = 28;

  private final FlowPartners flows;
  private final SlowQueries queries;
  private final Frames frames;
  private final Means means;
  private final ZoneId zone;

  /**
   * @param zone whose days and weekends count
   */
  WaitingMachines(
      FlowPartners flows, SlowQueries queries, Frames frames, Means means, ZoneId zone) {
    this.flows = flows;
    this.queries = queries;
    this.frames = frames;
    this.means = means;
    this.zone = zone;
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
   * @param waiting those that wait, at most {@link #MOST}
   * @param limited partners with a limit of their own, which are not looked at
   * @param found null = nothing can be said
   * @param delayedSteps in how many steps the limit delayed
   */
  record Found(
      List<Waiting> waiting, int limited, SecondVictims.@Nullable Found found, int delayedSteps) {}

  Found find(Place place, LimitReading limit, SeriesBatch batch, Instant from, Instant to) {
    boolean[] delayed = new boolean[batch.steps()];
    for (int i = 0; i < delayed.length; i++) {
      delayed[i] = LimitReading.bindsAt(limit.disk(), i);
    }
    int steps = (int) IntStream.range(0, delayed.length).filter(i -> delayed[i]).count();
    UUID uuid = queries.uuid(place.machine());
    List<FlowPartners.Partner> partners = flows.of(uuid, from, to, FLOWS);
    if (partners.isEmpty()) {
      return new Found(List.of(), 0, null, steps);
    }
    ObjectGraph graph = frames.objects();
    Map<UUID, Integer> ids =
        queries.ids(partners.stream().map(FlowPartners.Partner::object).toList());
    Map<Integer, FlowPartners.Partner> machines = new LinkedHashMap<>();
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
    List<Integer> free =
        machines.keySet().stream()
            .filter(id -> !limits.isLimited(properties.getOrDefault(id, Map.of())))
            .toList();
    History history = history(place, limit.disk(), free, from, to);
    List<SecondVictims.Partner> looked = new ArrayList<>();
    for (int id : free) {
      double[] traffic = batch.get(MACHINE, TRAFFIC, id);
      double[] hours = history.batch().get(MACHINE, TRAFFIC, id);
      looked.add(
          new SecondVictims.Partner(
              id,
              Kinds.name(graph, id),
              traffic == null ? SeriesBatch.none(batch.steps()) : traffic,
              hours == null ? new double[0] : hours));
    }
    SecondVictims.Found found = SecondVictims.find(delayed, looked, history.days());
    List<Waiting> waiting = new ArrayList<>();
    for (SecondVictims.Victim one : found.victims()) {
      FlowPartners.Partner service = machines.get(one.partner().object());
      if (service != null && waiting.size() < MOST) {
        waiting.add(new Waiting(one, service));
      }
    }
    return new Found(waiting, machines.size() - free.size(), found, steps);
  }

  private record History(SeriesBatch batch, DaysBefore days) {}

  /** Reads the hours of four weeks: traffic of the partners, and when the limit delayed. */
  private History history(
      Place place, DiskLimit disk, Collection<Integer> partners, Instant from, Instant to) {
    Instant begin = from.truncatedTo(ChronoUnit.HOURS).minus(Duration.ofDays(DAYS + 1L));
    int count = (int) Math.ceilDiv(Duration.between(begin, to).toMillis(), HOUR.toMillis());
    SeriesBatch batch = new SeriesBatch(frames, means, begin, count, HOUR);
    batch.want(MACHINE, TRAFFIC, partners);
    DiskLimit limit = DiskLimits.read(batch, place, disk);
    boolean[] delayed = new boolean[count];
    for (int h = 0; limit != null && h < count; h++) {
      delayed[h] = LimitReading.bindsAt(limit, h);
    }
    int[] hourOf = new int[WhySlows.STEPS];
    for (int i = 0; i < hourOf.length; i++) {
      Instant step = from.plus(WhySlows.STEP.multipliedBy(i));
      hourOf[i] = (int) Duration.between(begin, step).toHours();
    }
    ZonedDateTime now = to.atZone(zone);
    List<Integer> all = new ArrayList<>();
    List<Integer> alike = new ArrayList<>();
    for (int d = 1; d <= DAYS; d++) {
      ZonedDateTime day = now.minusDays(d);
      int hours = (int) Duration.between(day, now).toHours();
      all.add(hours);
      if (isWeekend(day) == isWeekend(now)) {
        alike.add(hours);
      }
    }
    return new History(batch, new DaysBefore(hourOf, delayed, ints(alike), ints(all)));
  }

  private static boolean isWeekend(ZonedDateTime time) {
    return time.getDayOfWeek().getValue() >= DayOfWeek.SATURDAY.getValue();
  }

  private static int[] ints(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }
}
