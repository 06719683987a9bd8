package io.peerlens.source.vcenter;

import io.peerlens.source.Outlet;
import io.peerlens.source.Part;
import io.peerlens.source.RoundReport;
import io.peerlens.source.SourceJournal;
import io.peerlens.source.Topic;
import io.peerlens.vcenter.performance.CounterSet;
import io.peerlens.vcenter.performance.FigureComputer;
import io.peerlens.vcenter.performance.Figures;
import io.peerlens.vcenter.performance.PerfEntity;
import io.peerlens.vcenter.performance.PerfLines;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.PerfBlock;
import io.peerlens.vcenter.vim.PerfCounter;
import io.peerlens.vcenter.vim.PerfQuery;
import io.peerlens.vcenter.vim.PropertyChange;
import io.peerlens.vcenter.vim.PropertySpec;
import io.peerlens.vcenter.vim.VimClient;
import io.peerlens.vcenter.vim.VimException;
import io.peerlens.vcenter.vim.XmlValue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reading of performance: real time every 20 seconds, history every 300. It remembers how far it
 * has read, and after a gap reads what vCenter still has: an hour of real time, a day of history.
 * Reading a sample twice changes nothing, since a sample is known by object, counter and time.
 */
final class PerformanceSession {

  private static final Logger log = LoggerFactory.getLogger(PerformanceSession.class);

  private static final Duration ROUND = Duration.ofSeconds(20);
  private static final Duration HISTORY_ROUND = Duration.ofSeconds(300);
  private static final Duration ENTITIES = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration REAL_TIME_KEPT = Duration.ofMinutes(60);
  private static final Duration HISTORY_KEPT = Duration.ofHours(24);

  /** What is not read at once after the first start: nobody was there to miss it. */
  private static final Duration FIRST_LOOK = Duration.ofMinutes(5);

  /** Samples that come so late are waited for: a host may tell vCenter late. */
  private static final Duration LATE = Duration.ofMinutes(5);

  private static final int MAX_ENTITIES = 250;
  private static final int REAL_TIME_METRICS = 25_000;
  private static final int HISTORY_METRICS = 64;
  private static final int MAX_HISTORY_METRICS = 10_000;
  private static final int MAX_SERIES_SAMPLES = 200_000;
  private static final String POSITION = "performance.";

  private final String source;
  private final String vcenter;
  private final CounterSet counterSet;
  private final Outlet outlet;
  private final SourceJournal journal;
  private final InstantSource clock;

  /** Newest sample of each entity that was sent, in milliseconds since 1970, by interval. */
  private final Map<Integer, Map<Moref, Long>> told = new HashMap<>();

  PerformanceSession(
      String source,
      String vcenter,
      CounterSet counterSet,
      Outlet outlet,
      SourceJournal journal,
      InstantSource clock) {
    this.source = source;
    this.vcenter = vcenter;
    this.counterSet = counterSet;
    this.outlet = outlet;
    this.journal = journal;
    this.clock = clock;
  }

  void run(VimClient client, Runnable works) throws VimException, InterruptedException {
    new Reading(client, works).run();
  }

  private final class Reading {
    private final VimClient client;
    private final Runnable works;
    private final PerfLines lines;
    private final FigureComputer figures;
    private final List<CounterSet.Chosen> chosen;
    private final Map<String, CounterSet.Chosen> byType = new HashMap<>();
    private final int historyMetrics;
    private final Moref view;
    private Map<String, List<Moref>> entities = Map.of();
    private Map<Moref, PerfEntity> about = Map.of();
    private Instant entitiesRead = Instant.MIN;
    private long samples;

    /** Newest samples that are on their way to Kafka. */
    private final Map<Integer, Map<Moref, Long>> pending = new HashMap<>();

    Reading(VimClient client, Runnable works) throws VimException {
      this.client = client;
      this.works = works;
      List<PerfCounter> counters = client.counters();
      this.lines = new PerfLines(vcenter, counters);
      this.figures = new FigureComputer(counters);
      this.chosen = counterSet.of(counters);
      chosen.forEach(of -> byType.put(of.type(), of));
      this.historyMetrics = historyMetrics(client);
      this.view = client.createContainerView(chosen.stream().map(CounterSet.Chosen::type).toList());
    }

    void run() throws VimException, InterruptedException {
      Instant historyNext = Instant.MIN;
      while (journal.held()) {
        Instant since = clock.instant();
        samples = 0;
        Instant now = client.currentTime();
        if (!since.isBefore(entitiesRead.plus(ENTITIES))) {
          entities = readEntities();
          entitiesRead = since;
        }
        long objects = 0;
        boolean history = !since.isBefore(historyNext);
        if (history) {
          historyNext = since.plus(HISTORY_ROUND);
        }
        for (CounterSet.Chosen of : chosen) {
          if (of.intervalSeconds() == 20 || history) {
            List<Moref> some = entities.getOrDefault(of.type(), List.of());
            objects += some.size();
            read(of, some, now);
          }
        }
        sendFiguresOfHolders();
        outlet.flush();
        remember(now, history);
        works.run();
        Instant end = clock.instant();
        journal.report(
            new RoundReport(
                Part.PERFORMANCE, end, Duration.between(since, end), objects, samples, null));
        Duration rest = ROUND.minus(Duration.between(since, end));
        Thread.sleep(rest.isNegative() ? Duration.ZERO : rest);
      }
    }

    /** Who runs: who does not has no performance in real time. */
    private Map<String, List<Moref>> readEntities() throws VimException {
      Map<Moref, Map<String, XmlValue>> read = new LinkedHashMap<>();
      List<PropertySpec> specs = new ArrayList<>();
      for (CounterSet.Chosen of : chosen) {
        specs.add(new PropertySpec(of.type(), paths(of)));
      }
      client.retrieveView(
          view,
          specs,
          update -> {
            Map<String, XmlValue> values = new HashMap<>();
            for (PropertyChange change : update.changes()) {
              if (change.value() != null) {
                values.put(change.path(), change.value());
              }
            }
            read.put(update.object(), values);
          });
      Map<String, List<Moref>> some = new LinkedHashMap<>();
      chosen.forEach(of -> some.put(of.type(), new ArrayList<>()));
      Map<Moref, PerfEntity> all = new HashMap<>();
      read.forEach(
          (moref, values) -> {
            List<Moref> of = some.get(moref.type());
            if (of != null && runs(values)) {
              of.add(moref);
              all.put(moref, entity(moref, values, read));
            }
          });
      about = all;
      return some;
    }

    private static List<String> paths(CounterSet.Chosen of) {
      return switch (of.type()) {
        case "VirtualMachine" ->
            List.of(
                "runtime.powerState",
                "runtime.connectionState",
                "runtime.host",
                "summary.config.numCpu",
                "summary.config.memorySizeMB");
        case "HostSystem" ->
            List.of(
                "runtime.powerState",
                "runtime.connectionState",
                "parent",
                "summary.hardware.numCpuCores",
                "summary.hardware.cpuMhz",
                "summary.hardware.memorySize");
        default -> List.of("name");
      };
    }

    private static boolean runs(Map<String, XmlValue> values) {
      XmlValue power = values.get("runtime.powerState");
      XmlValue connection = values.get("runtime.connectionState");
      return (power == null || power.text().equals("poweredOn"))
          && (connection == null || connection.text().equals("connected"));
    }

    private PerfEntity entity(
        Moref moref, Map<String, XmlValue> values, Map<Moref, Map<String, XmlValue>> all) {
      return switch (moref.type()) {
        case "VirtualMachine" -> {
          List<Moref> holders = new ArrayList<>();
          Moref host = reference(values, "runtime.host");
          double mhz = Double.NaN;
          if (host != null) {
            holders.add(host);
            Map<String, XmlValue> ofHost = all.getOrDefault(host, Map.of());
            mhz = number(ofHost, "summary.hardware.cpuMhz");
            cluster(ofHost, holders);
          }
          yield new PerfEntity(
              moref,
              holders,
              number(values, "summary.config.numCpu"),
              mhz,
              number(values, "summary.config.memorySizeMB") * 1024);
        }
        case "HostSystem" -> {
          List<Moref> holders = new ArrayList<>();
          cluster(values, holders);
          yield new PerfEntity(
              moref,
              holders,
              number(values, "summary.hardware.numCpuCores"),
              number(values, "summary.hardware.cpuMhz"),
              number(values, "summary.hardware.memorySize") / 1024);
        }
        case "Datacenter" ->
            new PerfEntity(moref, List.of(self()), Double.NaN, Double.NaN, Double.NaN);
        default -> PerfEntity.of(moref);
      };
    }

    private static void cluster(Map<String, XmlValue> host, List<Moref> holders) {
      Moref parent = reference(host, "parent");
      if (parent != null && parent.type().equals("ClusterComputeResource")) {
        holders.add(parent);
      }
    }

    private static @Nullable Moref reference(Map<String, XmlValue> values, String path) {
      XmlValue value = values.get(path);
      return value == null ? null : value.moref().orElse(null);
    }

    private static double number(Map<String, XmlValue> values, String path) {
      XmlValue value = values.get(path);
      return value == null ? Double.NaN : value.number();
    }

    private Moref self() {
      return new Moref(Figures.VCENTER, vcenter);
    }

    /** What clusters, hosts and the vCenter are told of from their parts. */
    private void sendFiguresOfHolders() {
      for (PerfBlock block : figures.ofHolders(about.values())) {
        Moref holder = block.entity();
        CounterSet.Chosen of = byType.get(holder.type());
        if (of == null && !holder.type().equals(Figures.VCENTER)) {
          continue;
        }
        byte[] text =
            lines.of(block, of == null ? "vcenter" : of.measurement(), 20, Long.MIN_VALUE);
        if (text.length > 0) {
          send(
              holder.type().equals(Figures.VCENTER) ? vcenter : vcenter + "/" + holder.value(),
              text);
          samples += lines.samples();
        }
      }
      Set<Moref> there = new HashSet<>(about.keySet());
      there.add(self());
      figures.keepOnly(there);
    }

    private void read(CounterSet.Chosen of, List<Moref> some, Instant now) throws VimException {
      int interval = of.intervalSeconds();
      Map<Moref, Long> marks = told.computeIfAbsent(interval, i -> new HashMap<>());
      long start = start(interval, now).toEpochMilli();
      int perQuery =
          interval == 20
              ? Math.max(1, Math.min(MAX_ENTITIES, REAL_TIME_METRICS / of.metrics().size()))
              : Math.max(1, Math.min(MAX_ENTITIES, historyMetrics / of.metrics().size()));
      int metricsPerQuery = interval == 20 ? of.metrics().size() : historyMetrics;
      for (int from = 0; from < some.size(); ) {
        long oldest = now.toEpochMilli();
        int to = from;
        // After a gap there are many samples of each: fewer entities at once then.
        while (to < some.size() && to - from < perQuery) {
          oldest = Math.min(oldest, marks.getOrDefault(some.get(to), start));
          long each = Math.max(1, (now.toEpochMilli() - oldest) / (interval * 1000L));
          if (to > from && (to - from + 1) * each * of.metrics().size() > MAX_SERIES_SAMPLES) {
            break;
          }
          to++;
        }
        List<Moref> batch = some.subList(from, to);
        for (int metric = 0; metric < of.metrics().size(); metric += metricsPerQuery) {
          List<PerfQuery.Metric> metrics =
              of.metrics().subList(metric, Math.min(of.metrics().size(), metric + metricsPerQuery));
          query(of, batch, metrics, marks, start, now);
        }
        from = to;
      }
    }

    private void query(
        CounterSet.Chosen of,
        List<Moref> batch,
        List<PerfQuery.Metric> metrics,
        Map<Moref, Long> marks,
        long start,
        Instant now)
        throws VimException {
      int interval = of.intervalSeconds();
      Map<Moref, Long> newer = new HashMap<>();
      List<PerfQuery> queries = new ArrayList<>(batch.size());
      for (Moref entity : batch) {
        Instant from = Instant.ofEpochMilli(marks.getOrDefault(entity, start));
        queries.add(new PerfQuery(entity, metrics, interval, from, now, 0));
      }
      client.queryPerformance(
          queries,
          PATIENCE,
          block -> {
            long after = marks.getOrDefault(block.entity(), start);
            PerfEntity entity = about.getOrDefault(block.entity(), PerfEntity.of(block.entity()));
            byte[] text =
                lines.of(
                    figures.with(block, entity, interval, after),
                    of.measurement(),
                    interval,
                    after);
            if (text.length > 0) {
              send(vcenter + "/" + block.entity().value(), text);
              samples += lines.samples();
            }
            newest(block, interval, newer);
          });
      // Counters of one entity may come in several answers: its mark moves when all have come.
      pending.computeIfAbsent(interval, i -> new HashMap<>()).putAll(newer);
    }

    private static void newest(PerfBlock block, int interval, Map<Moref, Long> newer) {
      long newest = PerfLines.newest(block, interval);
      if (newest != Long.MIN_VALUE) {
        newer.merge(block.entity(), newest, Math::max);
      }
    }

    /** In pieces of whole lines that a record has room for. */
    private void send(String key, byte[] text) {
      int from = 0;
      while (from < text.length) {
        int to = Math.min(text.length, from + Outlet.MAX_VALUE_BYTES);
        if (to < text.length) {
          while (text[to - 1] != '\n') {
            to--;
          }
        }
        outlet.send(Topic.METRICS, key, Arrays.copyOfRange(text, from, to));
        from = to;
      }
    }

    /** Everything is in Kafka: it is not read again. */
    private void remember(Instant now, boolean history) {
      pending.forEach(
          (interval, marks) -> told.computeIfAbsent(interval, i -> new HashMap<>()).putAll(marks));
      pending.clear();
      Set<Moref> there = new HashSet<>();
      entities.values().forEach(there::addAll);
      told.values().forEach(marks -> marks.keySet().retainAll(there));
      told.forEach(
          (interval, marks) -> {
            if (marks.isEmpty() || (interval != 20 && !history)) {
              return;
            }
            long usual = now.minus(LATE).toEpochMilli();
            long newest = marks.values().stream().mapToLong(Long::longValue).max().orElse(usual);
            long oldest =
                marks.values().stream()
                    .mapToLong(Long::longValue)
                    .filter(mark -> mark >= usual)
                    .min()
                    .orElse(newest);
            journal.position(POSITION + interval, Long.toString(oldest));
          });
    }
  }

  /**
   * From where it is read: where somebody stopped, as far as vCenter has it. Where the first look
   * begins is remembered at once: when this node is killed in its first round, the next one begins
   * there, too.
   */
  private Instant start(int interval, Instant now) {
    Duration kept = interval == 20 ? REAL_TIME_KEPT : HISTORY_KEPT;
    Instant oldest = now.minus(kept);
    Instant first = now.minus(interval == 20 ? FIRST_LOOK : HISTORY_ROUND.multipliedBy(3));
    Instant start =
        journal
            .position(POSITION + interval)
            .map(text -> Instant.ofEpochMilli(Long.parseLong(text)))
            .orElseGet(() -> begun(interval, first));
    return start.isBefore(oldest) ? oldest : start.isAfter(now) ? first : start;
  }

  private Instant begun(int interval, Instant first) {
    journal.position(POSITION + interval, Long.toString(first.toEpochMilli()));
    return first;
  }

  /** How many counters times entities vCenter reads from its database at once. */
  private int historyMetrics(VimClient client) throws VimException {
    String text =
        client
            .settings("config.vpxd.stats.maxQueryMetrics")
            .getOrDefault("config.vpxd.stats.maxQueryMetrics", "");
    try {
      int limit = text.isBlank() ? HISTORY_METRICS : Integer.parseInt(text.strip());
      return limit <= 0 ? MAX_HISTORY_METRICS : Math.min(limit, MAX_HISTORY_METRICS);
    } catch (NumberFormatException e) {
      log.info(
          "{}: config.vpxd.stats.maxQueryMetrics is {}, taken as {}",
          source,
          text,
          HISTORY_METRICS);
      return HISTORY_METRICS;
    }
  }
}
