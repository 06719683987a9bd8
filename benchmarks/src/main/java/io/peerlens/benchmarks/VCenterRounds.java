package io.peerlens.benchmarks;

import io.peerlens.notify.channel.HostResolver;
import io.peerlens.source.ActiveSource;
import io.peerlens.source.Outlet;
import io.peerlens.source.Part;
import io.peerlens.source.ProbeRequest;
import io.peerlens.source.ProbeResult;
import io.peerlens.source.RoundReport;
import io.peerlens.source.SourceCollector;
import io.peerlens.source.SourceJournal;
import io.peerlens.source.Topic;
import io.peerlens.source.Trust;
import io.peerlens.source.definition.SourceEgressProperties;
import io.peerlens.source.definition.SourceGuard;
import io.peerlens.source.vcenter.VCenterCollectors;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Rounds of a collector against a vCenter or its simulator. What is told goes nowhere: it is
 * counted. Prints for each round how long it took, how many values it brought, and how much
 * processor time this process and that of the simulator spent since the round before.
 */
public final class VCenterRounds {

  private VCenterRounds() {}

  /** See {@link #usage()}. */
  public static void main(String[] args) throws Exception {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < args.length; i++) {
      if (args[i].startsWith("--") && i + 1 < args.length) {
        options.put(args[i].substring(2), args[++i]);
      } else {
        System.err.println(usage());
        System.exit(2);
      }
    }
    Set<Part> parts = EnumSet.noneOf(Part.class);
    for (String part : options.getOrDefault("parts", "configuration,performance").split(",")) {
      parts.add(Part.of(part));
    }
    run(
        URI.create(options.getOrDefault("address", "https://127.0.0.1:8989")),
        options.getOrDefault("username", "user"),
        options.getOrDefault("password", "pass"),
        parts,
        options.getOrDefault("counters", ""),
        Integer.parseInt(options.getOrDefault("rounds", "5")),
        Long.parseLong(options.getOrDefault("pid", "0")));
  }

  private static String usage() {
    return """
        usage: VCenterRounds [--address https://127.0.0.1:8989] [--username user] [--password pass]
                             [--parts configuration,performance] [--counters ...] [--rounds 5] [--pid 0]
          --counters  the option of a source of this name
          --rounds    of the last part; then it ends
          --pid       process of the simulator, whose processor time is told apart""";
  }

  private static void run(
      URI address,
      String username,
      String password,
      Set<Part> parts,
      String counters,
      int rounds,
      long pid)
      throws InterruptedException {
    VCenterCollectors collectors =
        new VCenterCollectors(
            new SourceGuard(
                new SourceEgressProperties(List.of("127.0.0.0/8"), List.of(), List.of()),
                HostResolver.SYSTEM),
            vcenter -> Map.of(),
            InstantSource.system());
    ProbeResult found = collectors.probe(new ProbeRequest(address, null, null, null));
    byte[] sha256 =
        HexFormat.of()
            .parseHex(
                Objects.requireNonNull(found.certificate(), "no certificate")
                    .sha256()
                    .replace(":", ""));
    Counting counting = new Counting(parts, rounds, pid);
    SourceCollector collector =
        collectors.start(
            new ActiveSource(
                UUID.randomUUID(),
                "benchmark",
                address,
                username,
                () -> password,
                new Trust.Pinned(sha256),
                parts,
                counters.isEmpty() ? Map.of() : Map.of("counters", counters),
                1),
            counting,
            counting);
    counting.done.await(1, TimeUnit.HOURS);
    collector.close();
    System.out.printf(
        Locale.ROOT, "heap in use %,d MB%n", Runtime.getRuntime().totalMemory() >> 20);
    System.exit(0);
  }

  /** In the place of Kafka and the database. */
  private static final class Counting implements Outlet, SourceJournal {
    private final Part last;
    private final long pid;
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final Map<String, String> positions = new ConcurrentHashMap<>();
    private final Instant since = Instant.now();
    private final CountDownLatch done;
    private Duration ours = Duration.ZERO;
    private Duration theirs = Duration.ZERO;

    Counting(Set<Part> parts, int rounds, long pid) {
      this.last = parts.contains(Part.PERFORMANCE) ? Part.PERFORMANCE : Part.CONFIGURATION;
      this.done = new CountDownLatch(rounds);
      this.pid = pid;
    }

    @Override
    public void send(Topic topic, String key, byte[] value) {
      records.incrementAndGet();
      bytes.addAndGet(value.length);
    }

    @Override
    public void flush() {}

    @Override
    public Optional<String> position(String part) {
      return Optional.ofNullable(positions.get(part));
    }

    @Override
    public void position(String part, String value) {
      positions.put(part, value);
    }

    @Override
    public void about(String text) {}

    @Override
    public synchronized void report(RoundReport report) {
      Duration oursNow = spent(ProcessHandle.current().pid());
      Duration theirsNow = pid == 0 ? Duration.ZERO : spent(pid);
      System.out.printf(
          Locale.ROOT,
          "%5d s  %-13s took %,7d ms  objects %,7d  values %,10d  records %,7d  %,5d MB  processor:"
              + " collector %,7d ms, simulator %,8d ms%s%n",
          Duration.between(since, report.at()).toSeconds(),
          report.part().label(),
          report.took().toMillis(),
          report.objects(),
          report.samples(),
          records.getAndSet(0),
          bytes.getAndSet(0) >> 20,
          oursNow.minus(ours).toMillis(),
          theirsNow.minus(theirs).toMillis(),
          report.error() == null ? "" : "  " + report.error().what());
      ours = oursNow;
      theirs = theirsNow;
      if (report.part() == last) {
        done.countDown();
      }
    }

    private static Duration spent(long pid) {
      return ProcessHandle.of(pid)
          .flatMap(process -> process.info().totalCpuDuration())
          .orElse(Duration.ZERO);
    }

    @Override
    public boolean held() {
      return true;
    }
  }
}
