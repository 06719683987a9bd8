package io.peerlens.slow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The evidence of a {@link MadeEstate}, with some bands left out. */
final class MadeIncident {

  private static final int WINDOW = 2;
  private static final int DAYS = 14;
  private static final int HOUR = 12;
  private static final int PEERS = 15;

  private final MadeEstate estate;
  private final Set<Band> without;
  private final boolean learned;
  private final List<Track> tracks = new ArrayList<>();

  /** A figure at a day and step. */
  @FunctionalInterface
  private interface Figure {
    double at(int day, int step);
  }

  private MadeIncident(MadeEstate estate, Set<Band> without, boolean learned) {
    this.estate = estate;
    this.without = without;
    this.learned = learned;
  }

  static Evidence of(MadeEstate estate, Set<Band> without, long seed) {
    return new MadeIncident(
            estate,
            without.isEmpty() ? EnumSet.noneOf(Band.class) : EnumSet.copyOf(without),
            new Random(seed).nextInt(5) > 0)
        .evidence();
  }

  private Evidence evidence() {
    MadeEstate of = estate;
    List<Figure> machines = new ArrayList<>();
    for (int i = 1; i < Math.min(of.machines, PEERS); i++) {
      int one = i;
      machines.add((day, step) -> of.latency(one, day, step));
    }
    add(Signal.READ_LATENCY, "", 0, (day, step) -> of.latency(0, day, step), machines);
    add(Signal.WRITE_LATENCY, "", 0, (day, step) -> of.latency(0, day, step) * 0.8, machines);
    add(Signal.IOPS, "", 0, (day, step) -> of.iops(0, day, step), List.of());
    add(Signal.BLOCK, "", 0, of::block, List.of());
    add(Signal.CPU_USAGE, "", 0, of::cpu, List.of());
    add(Signal.CPU_WAIT, "", 0, of::ready, List.of());
    if (of.vsan) {
      add(Signal.CONGESTION, "", 1, of::congestion, List.of());
    }
    add(
        Signal.CLUSTER_IOPS,
        "",
        1,
        (day, step) -> {
          double sum = 0;
          for (int i = 0; i < of.machines; i++) {
            sum += of.iops(i, day, step);
          }
          return sum;
        },
        List.of());
    host();
    groups();
    List<Missing> missing = new ArrayList<>();
    for (Band band : without) {
      missing.add(new Missing(band, "everything", "a collector", true));
    }
    boolean guest = !without.contains(Band.GUEST);
    return new Evidence(
        "vm-0",
        300,
        MadeEstate.STEPS,
        WINDOW,
        of.vsan,
        tracks,
        without.contains(Band.CLUSTER) ? List.of() : neighbours(),
        guest && of.limit > 0 ? List.of(limit()) : List.of(),
        guest,
        missing);
  }

  private void host() {
    MadeEstate of = estate;
    int own = of.host(0);
    List<Figure> latency = new ArrayList<>();
    List<Figure> kernel = new ArrayList<>();
    List<Figure> loss = new ArrayList<>();
    List<Figure> cpu = new ArrayList<>();
    for (int h = 0; h < of.hosts; h++) {
      int one = h;
      if (h != own) {
        latency.add((day, step) -> of.hostLatency(one, day, step));
        kernel.add((day, step) -> of.kernel(one, day, step));
        loss.add((day, step) -> of.loss(one, day, step));
        cpu.add((day, step) -> Math.min(100, 100 * of.hostDemand(one, day, step)));
      }
    }
    add(Signal.HOST_LATENCY, "", 2, (day, step) -> of.hostLatency(own, day, step), latency);
    if (!of.vsan) {
      add(Signal.KERNEL_LATENCY, "", 2, (day, step) -> of.kernel(own, day, step), kernel);
    }
    add(
        Signal.HOST_CPU,
        "",
        2,
        (day, step) -> Math.min(100, 100 * of.hostDemand(own, day, step)),
        cpu);
    add(Signal.PACKET_LOSS, "host-" + own, 2, (day, step) -> of.loss(own, day, step), loss);
  }

  private void groups() {
    MadeEstate of = estate;
    for (int g = 0; g < of.groups; g++) {
      int own = g;
      if (!of.vsan && g != of.store(0)) {
        continue;
      }
      List<Figure> device = new ArrayList<>();
      List<Figure> buffer = new ArrayList<>();
      List<Figure> log = new ArrayList<>();
      for (int h = 0; h < of.groups; h++) {
        int other = h;
        if (h != g) {
          device.add((day, step) -> of.device(other, day, step));
          buffer.add((day, step) -> of.buffer(other, day, step));
          log.add((day, step) -> of.logCongestion(other, day, step));
        }
      }
      String name = "group-" + g;
      add(Signal.DEVICE_LATENCY, name, 10 + g, (day, step) -> of.device(own, day, step), device);
      add(Signal.DEVICE_IOPS, name, 10 + g, (day, step) -> of.load(own, day, step), List.of());
      if (of.vsan) {
        add(Signal.BUFFER, name, 10 + g, (day, step) -> of.buffer(own, day, step), buffer);
        add(
            Signal.LOG_CONGESTION,
            name,
            10 + g,
            (day, step) -> of.logCongestion(own, day, step),
            log);
      }
    }
  }

  private List<Neighbour> neighbours() {
    List<Neighbour> found = new ArrayList<>();
    for (int i = 1; i < estate.machines; i++) {
      int one = i;
      found.add(
          new Neighbour(
              i,
              "vm-" + i,
              estate.host(i) == estate.host(0),
              estate.store(i) == estate.store(0),
              series((day, step) -> estate.iops(one, day, step)),
              series((day, step) -> estate.mhz(one, day, step))));
    }
    return found;
  }

  private DiskLimit limit() {
    return new DiskLimit(
        "Hard disk 1",
        "",
        "silver",
        estate.limit,
        series(estate::counted),
        series((day, step) -> estate.iops(0, day, step)),
        series(estate::block),
        series((day, step) -> estate.latency(0, day, step)),
        series(estate::delayed));
  }

  private void add(Signal signal, String name, int object, Figure figure, List<Figure> peers) {
    if (!without.contains(signal.band())) {
      tracks.add(
          new Track(
              signal,
              new Origin(object, "key", "", name),
              series(figure),
              learned ? learned(figure) : null,
              "peers",
              peers.stream().map(MadeIncident::series).toList()));
    }
  }

  private static double[] series(Figure figure) {
    double[] values = new double[MadeEstate.STEPS];
    Arrays.setAll(values, step -> figure.at(0, step));
    return values;
  }

  /** The middle 95 % of the last hour on the days before. */
  private static @Nullable Usual learned(Figure figure) {
    double[] values = new double[DAYS * HOUR];
    Arrays.setAll(values, i -> figure.at(1 + i / HOUR, MadeEstate.STEPS - HOUR + i % HOUR));
    Arrays.sort(values);
    return new Usual(Robust.quantile(values, 0.025), Robust.quantile(values, 0.975), true);
  }
}
