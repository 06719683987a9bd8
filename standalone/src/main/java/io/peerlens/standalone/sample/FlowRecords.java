package io.peerlens.standalone.sample;

import io.peerlens.standalone.sample.Inventory.Cluster;
import io.peerlens.standalone.sample.Inventory.Vm;
import io.peerlens.standalone.sample.Physics.Moment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Flow records of a minute as goflow2 writes what the distributed switches of the clusters export:
 * IPFIX, each direction a record of its own, and traffic between two clusters told by both
 * switches. A server's flows add up to nearly what its network card counts; the rest is traffic
 * that no switch exports.
 *
 * <p>Everything follows from seed and time.
 */
final class FlowRecords {

  private static final double BYTES_PER_PACKET = 900;
  private static final int OUTSIDE_CLIENTS = 200;
  private static final int OFFICE_CLIENTS = 20;
  static final String OFFICE = "office";
  static final String OFFICE_NETWORK = "10.30.0";
  private static final int EPHEMERAL = 49_152;

  private static final int SYN_TO_FIN = 0x1b;
  private static final int ONGOING = 0x18;
  private static final int RESET = 0x14;
  private static final int DENIED = 129; // forwarding status: dropped by an access list

  /** Clients of a service: machines of a tier, or addresses that no machine has. */
  private sealed interface Clients {}

  private record OfTier(String app, String tier) implements Clients {}

  /** Machines of all tiers. */
  private record Everybody() implements Clients {}

  private record Office() implements Clients {}

  private record Outside() implements Clients {}

  /**
   * A use of a service.
   *
   * @param share part of the server's traffic
   * @param servers how many servers one client uses
   * @param active how likely a client talks in a minute
   * @param lasting whether connections stay open
   */
  private record Use(
      Clients clients,
      String app,
      String tier,
      int port,
      boolean udp,
      double share,
      int servers,
      double active,
      boolean lasting) {}

  private static final List<Use> USES =
      List.of(
          use(new Outside(), "shop", "web", 443, 0.85, 1, 0.012),
          use(new OfTier("shop", "web"), "shop", "app", 8080, 0.9, 2, 0.5),
          lasting(new OfTier("shop", "app"), "shop", "db", 5432, 0.78, 2, 0.5),
          lasting(new OfTier("batch", "worker"), "shop", "db", 5432, 0.17, 2, 0.5),
          lasting(new OfTier("shop", "app"), "shop", "cache", 6379, 0.95, 2, 0.4),
          use(new OfTier("shop", "app"), "pay", "api", 8443, 0.9, 2, 0.3),
          lasting(new OfTier("pay", "api"), "pay", "db", 5432, 0.95, 1, 0.6),
          use(new OfTier("shop", "web"), "search", "api", 9200, 0.85, 1, 0.4),
          lasting(new OfTier("search", "api"), "search", "data", 9300, 0.5, 3, 0.5),
          lasting(new OfTier("search", "data"), "search", "data", 9300, 0.4, 2, 0.4),
          new Use(new Everybody(), "dns", "resolver", 53, true, 0.95, 1, 0.12, false),
          use(new OfTier("desktop", "vdi"), "files", "server", 445, 0.6, 1, 0.25),
          use(new Office(), "files", "server", 445, 0.1, 1, 0.25),
          lasting(new OfTier("batch", "worker"), "files", "server", 2049, 0.25, 2, 0.5),
          use(new OfTier("desktop", "vdi"), "mail", "relay", 993, 0.4, 1, 0.1),
          use(new Outside(), "mail", "relay", 25, 0.5, 1, 0.02),
          use(new OfTier("desktop", "vdi"), "directory", "controller", 389, 0.6, 1, 0.08),
          use(new OfTier("ci", "agent"), "directory", "controller", 389, 0.3, 1, 0.08),
          use(new Everybody(), "monitoring", "collector", 8086, 0.9, 1, 0.12));

  /** Machines that fetch from outside: application, and how likely one does in a minute. */
  private record Fetcher(String app, double share, double active) {}

  private static final List<Fetcher> FETCHERS =
      List.of(new Fetcher("ci", 0.6, 0.2), new Fetcher("desktop", 0.5, 0.1));

  /** Receiver of records. */
  @FunctionalInterface
  interface Sink {
    /**
     * Called for each record.
     *
     * @param exporter address of the switch, the key of its records
     * @param json one object and a newline
     */
    void accept(String exporter, byte[] json);
  }

  private final Inventory inventory;
  private final long seed;

  /** The machines of a tier that use a machine as a server, whether they talk now or not. */
  static List<Vm> clients(Inventory inventory, String app, String tier, Vm server) {
    List<Vm> servers =
        inventory.vms.stream().filter(vm -> vm.tier().equals(server.tier())).toList();
    List<Vm> clients = new ArrayList<>();
    for (int i = 0; i < USES.size(); i++) {
      Use use = USES.get(i);
      if (!use.clients.equals(new OfTier(app, tier))
          || !use.app.equals(server.tier().app())
          || !use.tier.equals(server.tier().tier())) {
        continue;
      }
      for (Vm vm : inventory.vms) {
        if (vm.tier().app().equals(app) && vm.tier().tier().equals(tier)) {
          for (int k = 0; k < use.servers; k++) {
            if (servers.get(place(vm.seed(), i, k, servers.size())).equals(server)
                && !clients.contains(vm)) {
              clients.add(vm);
            }
          }
        }
      }
    }
    return clients;
  }

  /** Which of its servers a client keeps to. */
  private static int place(long seed, int index, int k, int servers) {
    return Math.floorMod(Noise.hash(seed + index, k), servers);
  }

  FlowRecords(Inventory inventory, long seed) {
    this.inventory = inventory;
    this.seed = seed;
  }

  /**
   * Writes a minute.
   *
   * @param m a moment of it
   * @param minute its begin, seconds since 1970
   */
  void write(Moment m, long minute, Sink sink) {
    Minute out = new Minute(m, minute, sink);
    for (int i = 0; i < USES.size(); i++) {
      out.use(USES.get(i), i);
    }
    FETCHERS.forEach(out::fetch);
    out.scanner();
  }

  private final class Minute {
    private final Moment m;
    private final long minute;
    private final Sink sink;
    private long sequence;

    Minute(Moment m, long minute, Sink sink) {
      this.m = m;
      this.minute = minute;
      this.sink = sink;
      sequence = minute / 60 % 1_000_000 * 2_000;
    }

    void use(Use use, int index) {
      List<Vm> servers = ofTier(use.app, use.tier);
      List<List<End>> clients = new ArrayList<>();
      servers.forEach(server -> clients.add(new ArrayList<>()));
      List<End> candidates = clients(use.clients);
      for (End client : candidates) {
        int places = use.clients instanceof Outside ? servers.size() : use.servers;
        for (int k = 0; k < places; k++) {
          // A client keeps to its servers; those outside go where the load balancer sends them.
          int server =
              use.clients instanceof Outside ? k : place(client.seed, index, k, servers.size());
          boolean itself = servers.get(server).address().equals(client.address);
          if (!itself && chance(client.seed + 31L * index + k) < use.active) {
            clients.get(server).add(client);
          }
        }
      }
      for (int s = 0; s < servers.size(); s++) {
        if (use.clients instanceof Outside && clients.get(s).isEmpty()) {
          // Somebody always looks in.
          clients
              .get(s)
              .add(candidates.get((int) (chance(servers.get(s).seed()) * OUTSIDE_CLIENTS)));
        }
        talk(use, index, servers.get(s), clients.get(s));
      }
    }

    private void talk(Use use, int index, Vm server, List<End> clients) {
      if (m.silent[server.index()] || clients.isEmpty()) {
        return;
      }
      double in = m.receivedKbs[server.index()] * 1000 * 60 * use.share;
      double back = m.sentKbs[server.index()] * 1000 * 60 * use.share;
      double[] parts = new double[clients.size()];
      double all = 0;
      for (int c = 0; c < parts.length; c++) {
        End client = clients.get(c);
        parts[c] = Noise.between(client.seed + index, minute, 0.3, 1.7) * client.weight;
        all += parts[c];
      }
      for (int c = 0; c < parts.length; c++) {
        End client = clients.get(c);
        long dice = Noise.hash(client.seed + server.seed(), minute + use.port);
        boolean reset =
            !use.udp && Noise.uniform(dice, 7) < (m.swappedKb[server.index()] > 0 ? 0.2 : 0.004);
        int flags = use.udp ? 0 : reset ? RESET : use.lasting ? ONGOING : SYN_TO_FIN;
        End there = new End(server.address(), server.seed(), 1, clusterOf(server));
        int port = EPHEMERAL + (int) (Noise.uniform(dice, 1) * 10_000);
        record(client, there, port, use.port, use.udp, flags, in * parts[c] / all, dice, 0);
        record(there, client, use.port, port, use.udp, flags, back * parts[c] / all, dice, 0);
      }
    }

    /** What machines fetch from outside. */
    void fetch(Fetcher fetcher) {
      for (Vm vm : inventory.vms) {
        if (!vm.tier().app().equals(fetcher.app)
            || m.silent[vm.index()]
            || chance(vm.seed() + 77) >= fetcher.active) {
          continue;
        }
        long dice = Noise.hash(vm.seed() + 78, minute);
        End here = new End(vm.address(), vm.seed(), 1, clusterOf(vm));
        End there = outside((int) (Noise.uniform(dice, 2) * OUTSIDE_CLIENTS));
        int port = EPHEMERAL + (int) (Noise.uniform(dice, 1) * 10_000);
        double bytes = m.receivedKbs[vm.index()] * 1000 * 60 * fetcher.share / fetcher.active;
        record(there, here, 443, port, false, SYN_TO_FIN, bytes, dice, 0);
        record(here, there, port, 443, false, SYN_TO_FIN, bytes / 25, dice, 0);
      }
    }

    /** Somebody tries doors that are closed. */
    void scanner() {
      if (chance(5) < 0.3) {
        Vm target = ofTier("shop", "web").getFirst();
        long dice = Noise.hash(seed + 6, minute);
        End there = new End("198.51.100.66", 66, 1, null);
        End here = new End(target.address(), target.seed(), 1, clusterOf(target));
        record(there, here, 41_000, 22, false, 2, 180, dice, DENIED);
      }
    }

    private void record(
        End from,
        End to,
        int fromPort,
        int toPort,
        boolean udp,
        int flags,
        double amount,
        long dice,
        int forwarding) {
      long bytes = Math.max(64, Math.round(amount));
      long packets = Math.max(1, Math.round(bytes / BYTES_PER_PACKET));
      // Both ends within the minute, to the millisecond.
      long start = minute * 1000 + (long) Noise.between(dice, 3, 0, 20_000);
      long end = minute * 1000 + (long) Noise.between(dice, 4, 25_000, 59_900);
      Cluster first = from.cluster == null ? to.cluster : from.cluster;
      Cluster second = to.cluster == null ? from.cluster : to.cluster;
      for (int i = 0; i < 2; i++) {
        Cluster seenBy = i == 0 ? first : second;
        if (seenBy == null || i == 1 && second == first) {
          continue;
        }
        String exporter = Inventory.exporter(seenBy);
        StringBuilder json = new StringBuilder(420);
        json.append("{\"type\":\"IPFIX\",\"time_received_ns\":").append(end + 2_000);
        json.append("000000,\"sequence_num\":").append(sequence++);
        json.append(",\"sampling_rate\":1,\"sampler_address\":\"").append(exporter);
        json.append("\",\"time_flow_start_ns\":").append(start);
        json.append("000000,\"time_flow_end_ns\":").append(end);
        json.append("000000,\"bytes\":").append(bytes);
        json.append(",\"packets\":").append(packets);
        json.append(",\"src_addr\":\"").append(from.address);
        json.append("\",\"dst_addr\":\"").append(to.address);
        json.append("\",\"etype\":\"IPv4\",\"proto\":\"").append(udp ? "UDP" : "TCP");
        json.append("\",\"src_port\":").append(fromPort);
        json.append(",\"dst_port\":").append(toPort);
        json.append(",\"in_if\":1,\"out_if\":2,\"forwarding_status\":").append(forwarding);
        json.append(",\"tcp_flags\":").append(flags);
        json.append(",\"observation_domain_id\":1}\n");
        sink.accept(exporter, json.toString().getBytes(StandardCharsets.US_ASCII));
      }
    }

    /** Evenly distributed, another number each minute. */
    private double chance(long what) {
      return Noise.uniform(seed + what, minute);
    }

    private Cluster clusterOf(Vm vm) {
      return m.host[vm.index()].cluster();
    }

    private List<End> clients(Clients clients) {
      List<End> ends = new ArrayList<>();
      switch (clients) {
        case OfTier(String app, String tier) -> ofTier(app, tier).forEach(vm -> add(ends, vm));
        case Everybody everybody -> inventory.vms.forEach(vm -> add(ends, vm));
        case Office office -> {
          for (int i = 0; i < OFFICE_CLIENTS; i++) {
            ends.add(new End(OFFICE_NETWORK + "." + (10 + i), 900 + i, 1, null));
          }
        }
        case Outside outside -> {
          for (int i = 0; i < OUTSIDE_CLIENTS; i++) {
            ends.add(outside(i));
          }
        }
      }
      return ends;
    }

    private void add(List<End> ends, Vm vm) {
      if (!m.silent[vm.index()]) {
        ends.add(new End(vm.address(), vm.seed(), vm.scale(), clusterOf(vm)));
      }
    }
  }

  /**
   * One side of a flow.
   *
   * @param cluster where it runs; null = on no switch that exports
   */
  private record End(String address, long seed, double weight, @Nullable Cluster cluster) {}

  private End outside(int number) {
    // Addresses for documentation, RFC 5737.
    String address =
        number < OUTSIDE_CLIENTS / 2
            ? "203.0.113." + (1 + number)
            : "198.51.100." + (100 + number - OUTSIDE_CLIENTS / 2);
    return new End(address, 5_000 + number, 1, null);
  }

  private List<Vm> ofTier(String app, String tier) {
    return inventory.vms.stream()
        .filter(vm -> vm.tier().app().equals(app) && vm.tier().tier().equals(tier))
        .toList();
  }

  private static Use use(
      Clients clients,
      String app,
      String tier,
      int port,
      double share,
      int servers,
      double active) {
    return new Use(clients, app, tier, port, false, share, servers, active, false);
  }

  private static Use lasting(
      Clients clients,
      String app,
      String tier,
      int port,
      double share,
      int servers,
      double active) {
    return new Use(clients, app, tier, port, false, share, servers, active, true);
  }
}
