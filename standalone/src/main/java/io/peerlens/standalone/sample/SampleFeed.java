package io.peerlens.standalone.sample;

import io.peerlens.job.JobRecord;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import io.peerlens.standalone.Console;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Feeds the sample datacentre into Kafka: what happens now every 20 s, and at the first start two
 * weeks of history, the newest day first because that is what people look at. {@link SampleVCenter}
 * tells what is configured and what was changed, {@link FlowFeed} adds who talks with whom.
 *
 * <p>History must not hold back the present, which shares its topic: it is sent only as fast as the
 * service commits, a second or so ahead. How far it has come is kept in a file, and everything is a
 * function of seed and time, so a stop half-way costs nothing: what may have been sent already is
 * sent again with the same values. After a pause the live feed goes on at the present; the gap
 * remains.
 */
public final class SampleFeed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SampleFeed.class);
  private static final String TOPIC = "peerlens.metrics";
  private static final String EVENTS_TOPIC = "peerlens.events";
  private static final long INTERVAL = 20;
  private static final long EXTRAS_INTERVAL = 60;
  private static final long GROUPS_INTERVAL = 300;
  private static final long DAY = 86_400;
  private static final long HOUR = 3_600;
  private static final long STORY = 3 * HOUR;

  /** What the service may take to read the configuration, at most. */
  private static final Duration LONGEST_READ = Duration.ofSeconds(30);

  /** History is at most this many records ahead of what is committed: about a second's work. */
  private static final long MAX_AHEAD = 6_000;

  private static final int FRAMES_PER_NOTE = 24;

  private final Path directory;
  private final InstantSource clock;
  private final Console console;
  private final Jobs jobs;
  private final BooleanSupplier paused;
  private final State state;
  private final Inventory inventory;
  private final Script script;
  private final Physics physics;
  private final KafkaProducer<String, byte[]> producer;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch machinesSent = new CountDownLatch(1);
  private final FeedTopic topic;
  private final FeedTopic events;
  private final SampleVCenter vcenter;
  private final List<Thread> threads;

  /**
   * Starts the feed.
   *
   * @param directory keeps the seed, the progress and the list of what there is to find
   * @param bootstrap of the broker
   * @param database where the service notes what it has committed
   * @param jobs shows how far the history is
   * @param paused whether the broker takes nothing now; live samples are left out meanwhile, as
   *     those of machines that are off
   */
  public SampleFeed(
      Path directory,
      String bootstrap,
      DataSource database,
      Jobs jobs,
      BooleanSupplier paused,
      InstantSource clock,
      Console console)
      throws IOException {
    this.directory = directory;
    this.jobs = jobs;
    this.clock = clock;
    this.console = console;
    this.paused = paused;
    long now = clock.instant().getEpochSecond();
    state =
        State.load(directory.resolve("sample.properties"), Math.floorDiv(now, INTERVAL) * INTERVAL);
    inventory = new Inventory(state.seed);
    script = new Script(inventory, state.seed, state.firstStart);
    physics = new Physics(inventory, script, state.seed);
    writeTruth(now);
    producer = new KafkaProducer<>(settings(bootstrap));
    topic = new FeedTopic(TOPIC, producer, database, paused, stop);
    events = new FeedTopic(EVENTS_TOPIC, producer, database, paused, stop);
    vcenter = new SampleVCenter(inventory, script, state.firstStart, storyBegin(state.firstStart));
    FlowFeed flows =
        new FlowFeed(
            new FlowRecords(inventory, state.seed),
            physics,
            new FeedTopic(FlowFeed.TOPIC, producer, database, paused, stop),
            topic,
            machinesSent,
            stop,
            clock);
    threads =
        List.of(
            thread("sample-live", this::feedLive),
            thread("sample-history", this::feedHistory),
            thread(
                "sample-flows",
                () ->
                    flows.run(state.firstStart, state.flowHoursDone, state::noteFlowHours, jobs)));
    threads.forEach(Thread::start);
  }

  private static Thread thread(String name, Runnable work) {
    return Thread.ofPlatform().name(name).daemon().unstarted(work);
  }

  /** Stops the feed; what was sent stays sent. */
  @Override
  public void close() throws InterruptedException {
    stop.countDown();
    machinesSent.countDown();
    for (Thread thread : threads) {
      thread.join(5_000);
    }
    producer.close(Duration.ofSeconds(5));
  }

  private static Map<String, Object> settings(String bootstrap) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, "peerlens-sample");
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 20);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10);
    return settings;
  }

  // Live -----------------------------------------------------------------------------------------

  private void feedLive() {
    Telegraf telegraf = new Telegraf(inventory, script, state.firstStart);
    boolean first = true;
    long last = Long.MIN_VALUE;
    try {
      while (true) {
        long now = clock.instant().getEpochSecond();
        long time = Math.floorDiv(now, INTERVAL) * INTERVAL;
        if (time > last && !paused.getAsBoolean()) {
          // The first round holds everything, so that every object is there from the beginning.
          boolean extras = first || time % EXTRAS_INTERVAL == 0;
          boolean groups = first || time % GROUPS_INTERVAL == 0;
          if (first) {
            beginVCenter(time);
            lastOfSilent(telegraf, time);
          } else {
            tellVCenter(time);
          }
          telegraf.write(physics.at(time), extras, groups, extras, this::sendLines);
          if (first) {
            topic.flush();
            machinesSent.countDown();
          }
          first = false;
          last = time;
        }
        long wait = (time + INTERVAL) * 1000 - clock.instant().toEpochMilli();
        if (stop.await(Math.clamp(wait, 10, INTERVAL * 1000), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | SQLException | KafkaException e) {
      LOG.error("The live samples of the sample datacentre have stopped", e);
    }
  }

  // The vCenter ----------------------------------------------------------------------------------

  /** When the configuration is first told of: before anything goes wrong. */
  private static long storyBegin(long firstStart) {
    return Math.floorDiv(firstStart - STORY, GROUPS_INTERVAL) * GROUPS_INTERVAL;
  }

  /**
   * Moments of which the configuration is told at the first start, so that what was changed since
   * the story began is known as a change.
   */
  static List<Long> storyTimes(long firstStart, long now) {
    List<Long> times = new ArrayList<>();
    if (now < firstStart + HOUR) {
      for (long time = storyBegin(firstStart); time < now; time += INTERVAL) {
        times.add(time);
      }
    }
    return times;
  }

  /**
   * Tells everything, before any line, and at the first start what led to it. What is read together
   * is one change to the service, so it is left time to read what was before.
   */
  private void beginVCenter(long time) throws IOException, InterruptedException, SQLException {
    BiConsumer<String, byte[]> toMetrics = toMetrics(time);
    if (state.vcenterTold == 0) {
      List<Long> story = storyTimes(state.firstStart, time);
      if (!story.isEmpty()) {
        vcenter.tellChanges(story.getFirst(), toMetrics);
        awaitRead();
        story.subList(1, story.size()).forEach(at -> vcenter.tellChanges(at, toMetrics));
        awaitRead();
      }
    }
    vcenter.tellEverything(time, toMetrics);
    if (state.vcenterTold == 0) {
      long story = storyBegin(state.firstStart);
      tellEvents(story, time); // what matters now comes first
      tellEvents(script.beginning(), story - 1);
    } else {
      tellEvents(state.vcenterTold, time);
    }
    topic.flush();
    events.flush();
    state.save();
  }

  private void awaitRead() throws InterruptedException, SQLException {
    topic.flush();
    topic.waitForRoom(0, LONGEST_READ);
  }

  /**
   * Tells what was changed, before the lines of the same moment: a cause is known before what it
   * brings. Every hour everything is told again, as a collector does.
   */
  private void tellVCenter(long time) throws IOException {
    if (Math.floorDiv(time, HOUR) > Math.floorDiv(state.vcenterTold - 1, HOUR)) {
      vcenter.tellEverything(time, toMetrics(time));
      tellEvents(state.vcenterTold, time);
      topic.flush();
      events.flush();
      state.save();
    } else {
      vcenter.tellChanges(time, toMetrics(time));
      tellEvents(state.vcenterTold, time);
    }
  }

  private BiConsumer<String, byte[]> toMetrics(long time) {
    return (key, record) -> topic.send(key, record, time * 1000);
  }

  private void tellEvents(long from, long time) {
    vcenter.tellEvents(
        from, time + 1, (key, event) -> events.send(key, event, time * 1000), toMetrics(time));
    state.vcenterTold = Math.max(state.vcenterTold, time + 1);
  }

  /**
   * The last lines of machines that send nothing now. The history has them too, later; until then
   * nobody would know since when they are silent.
   */
  private void lastOfSilent(Telegraf telegraf, long time) {
    for (Script.Event event : script.at(time)) {
      if (event.kind() == Script.Kind.SILENT) {
        Physics.Moment last = physics.at(event.from() - INTERVAL);
        event.vms().forEach(vm -> telegraf.machine(last, vm, this::sendLines));
      }
    }
  }

  /** One record for each line, as Telegraf writes them. */
  private void sendLines(String key, LineBuffer buffer) {
    for (int i = 0; i < buffer.lines(); i++) {
      byte[] line = buffer.line(i);
      topic.send(key, line, timeOf(line));
    }
  }

  /** The milliseconds of a line's own time, which stands at its end. */
  private static long timeOf(byte[] line) {
    long nanos = 0;
    long factor = 1;
    for (int i = line.length - 2; line[i] != ' '; i--, factor *= 10) {
      nanos += (line[i] - '0') * factor;
    }
    return nanos / 1_000_000;
  }

  // History --------------------------------------------------------------------------------------

  /**
   * All moments of the history in the order in which they are sent: the hours in which things began
   * to go wrong, then day by day, the newest first.
   */
  static List<Long> historyTimes(long firstStart) {
    List<Long> times = new ArrayList<>();
    long story = firstStart - STORY;
    add(times, story, firstStart, 300);
    add(times, firstStart - DAY, story, 300);
    for (int day = 2; day <= 14; day++) {
      long from = firstStart - day * DAY;
      add(times, from, from + DAY, day <= 2 ? 300 : 900);
    }
    return times;
  }

  private static void add(List<Long> times, long from, long to, long step) {
    for (long time = Math.ceilDiv(from, step) * step; time < to; time += step) {
      times.add(time);
    }
  }

  private void feedHistory() {
    List<Long> times = historyTimes(state.firstStart);
    if (state.historyDone >= times.size()) {
      return;
    }
    Telegraf telegraf = new Telegraf(inventory, script, state.firstStart);
    long[] lines = {0};
    try {
      machinesSent.await(); // the vCenter tells of an object before its lines do
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    long begin = System.nanoTime();
    try (JobRun job =
        jobs.start(JobRecord.Kind.BACK_FILL, "Sample datacentre, 14 days", "moments", true)) {
      job.total(times.size());
      for (int i = state.historyDone; i < times.size(); i++) {
        long time = times.get(i);
        // Where a machine has just fallen silent, all of its metrics say so at the same time.
        boolean extras = time % 3_600 == 0 || time > state.firstStart - STORY;
        boolean parts = extras || time > state.firstStart - Script.EARLIEST;
        telegraf.write(
            physics.at(time),
            extras,
            true,
            parts,
            (key, buffer) -> {
              topic.send(key, buffer.all(), time * 1000);
              lines[0] += buffer.lines();
            });
        if (!topic.waitForRoom(MAX_AHEAD)) {
          job.fail("Stopped; it continues at the next start.");
          return;
        }
        if (i % FRAMES_PER_NOTE == FRAMES_PER_NOTE - 1 || i == times.size() - 1) {
          topic.flush();
          state.historyDone = i + 1;
          state.save();
          job.done(i + 1);
          if (job.cancelled()) {
            state.historyDone = times.size();
            state.save();
            job.finish();
            console.line("The sample's history was cancelled; the rows stored so far stay.");
            return;
          }
          double seconds = (System.nanoTime() - begin) / 1e9;
          console.bar(
              "History",
              (i + 1.0) / times.size(),
              String.format(
                  Locale.ROOT,
                  "%,d rows, %,.0f rows/s, back to %s",
                  lines[0],
                  lines[0] / seconds,
                  Instant.ofEpochSecond(time).toString().substring(0, 10)));
        }
      }
      job.finish();
      LOG.info(
          "History of the sample datacentre sent: {} rows in {} s",
          lines[0],
          (System.nanoTime() - begin) / 1_000_000_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (SQLException | IOException | KafkaException e) {
      if (stop.getCount() > 0) {
        LOG.error("The history of the sample datacentre has stopped", e);
        console.line(
            "The sample's history has stopped: "
                + e.getMessage()
                + ". It continues at the next start.");
      }
    }
  }

  // What there is to find ------------------------------------------------------------------------

  private void writeTruth(long now) throws IOException {
    JsonMapper json = JsonMapper.builder().build();
    StringBuilder text = new StringBuilder();
    for (Script.Event event : script.until(now + 14 * DAY)) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("kind", event.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
      line.put("from", Instant.ofEpochSecond(event.from()).toString());
      line.put("to", Instant.ofEpochSecond(event.to()).toString());
      line.put("machines", event.vms().stream().map(Inventory.Vm::name).toList());
      line.put("moids", event.vms().stream().map(Inventory.Vm::moid).toList());
      line.put("waiting", event.waiting().stream().map(Inventory.Vm::name).toList());
      line.put("slow", script.slow(event).stream().map(Inventory.Vm::name).toList());
      line.put("host", event.host().name());
      line.put("what", event.kind().words);
      line.put("cause", event.kind().cause);
      line.put("changed", Instant.ofEpochSecond(event.changedAt()).toString());
      text.append(json.writeValueAsString(line)).append('\n');
    }
    Files.writeString(directory.resolve("sample-truth.jsonl"), text);
  }

  /** State that survives a restart. */
  private static final class State {
    private static final long DEFAULT_SEED = 42;

    private final Path file;
    final long seed;
    final long firstStart;
    volatile int historyDone;
    volatile int flowHoursDone;

    /** Second up to which events were told; 0 = none were. */
    volatile long vcenterTold;

    private State(
        Path file,
        long seed,
        long firstStart,
        int historyDone,
        int flowHoursDone,
        long vcenterTold) {
      this.file = file;
      this.seed = seed;
      this.firstStart = firstStart;
      this.historyDone = historyDone;
      this.flowHoursDone = flowHoursDone;
      this.vcenterTold = vcenterTold;
    }

    static State load(Path file, long now) throws IOException {
      Properties properties = new Properties();
      if (Files.exists(file)) {
        try (var reader = Files.newBufferedReader(file)) {
          properties.load(reader);
        }
      }
      try {
        State state =
            new State(
                file,
                Long.parseLong(properties.getProperty("seed", Long.toString(DEFAULT_SEED))),
                Long.parseLong(properties.getProperty("first-start", Long.toString(now))),
                Integer.parseInt(properties.getProperty("history-done", "0")),
                Integer.parseInt(properties.getProperty("flow-hours-done", "0")),
                Long.parseLong(properties.getProperty("vcenter-told", "0")));
        state.save();
        return state;
      } catch (NumberFormatException e) {
        throw new IOException(file + " is damaged: " + e.getMessage(), e);
      }
    }

    void noteFlowHours(int hours) {
      flowHoursDone = hours;
      try {
        save();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    synchronized void save() throws IOException {
      Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
      Files.writeString(
          temporary,
          """
          # The sample datacentre of this directory.
          seed=%d
          first-start=%d
          history-done=%d
          flow-hours-done=%d
          vcenter-told=%d
          """
              .formatted(seed, firstStart, historyDone, flowHoursDone, vcenterTold));
      Files.move(
          temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
