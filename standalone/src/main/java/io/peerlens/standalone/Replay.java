package io.peerlens.standalone;

import io.peerlens.standalone.esxtop.EsxtopChoice;
import io.peerlens.standalone.esxtop.EsxtopException;
import io.peerlens.standalone.esxtop.EsxtopReader;
import io.peerlens.standalone.esxtop.EsxtopSample;
import io.peerlens.standalone.esxtop.FollowedFile;
import io.peerlens.standalone.esxtop.ObjectDirectory;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Replay of captures through Kafka as their collectors sent them: one line is one record, its value
 * ends with a newline, its key keeps the records of one object in order, its timestamp is the
 * line's own. Batch output of esxtop, which no collector sends, becomes line protocol.
 */
final class Replay {

  private static final String METRICS = "peerlens.metrics";
  private static final String FLOWS = "peerlens.flows";
  private static final long BAR_EVERY_NANOS = 250_000_000;
  private static final Duration NO_PROGRESS = Duration.ofMinutes(1);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

  /** The name of a stream that is read instead of a file. */
  static final Path STANDARD_INPUT = Path.of("-");

  /**
   * How batch output of esxtop is read.
   *
   * @param directory asked when there is any; throws a {@link Refusal} when nobody can be asked
   */
  record Esxtop(EsxtopChoice choice, Supplier<ObjectDirectory> directory) {}

  private final List<Path> files;
  private final String bootstrap;
  private final double speed;
  private final boolean shift;
  private final Esxtop esxtop;
  private final InstantSource clock;
  private final Console console;

  private final Map<TopicPartition, AtomicLong> ends = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private long bytesRead;
  private long bytesTotal;
  private long lines;
  private long linesTotal; // 0 = not known
  private long barAt;

  /**
   * A replay of some files.
   *
   * @param speed multiples of real time; 0 = as fast as possible
   * @param shift whether the newest line moves to now
   */
  Replay(
      List<Path> files,
      String bootstrap,
      double speed,
      boolean shift,
      Esxtop esxtop,
      InstantSource clock,
      Console console) {
    this.files = files;
    this.bootstrap = bootstrap;
    this.speed = speed;
    this.shift = shift;
    this.esxtop = esxtop;
    this.clock = clock;
    this.console = console;
  }

  /**
   * Sends everything.
   *
   * @return how many lines were sent
   * @throws Refusal naming the file that is missing, cannot be read or is no capture
   */
  long send() throws InterruptedException {
    for (Path file : files) {
      if (file.equals(STANDARD_INPUT)) {
        if (files.size() > 1 || shift) {
          throw Refusal.usage("- is read as it comes: it takes no other file and no --shift.");
        }
        continue;
      }
      if (!Files.isRegularFile(file)) {
        throw new Refusal(
            Files.exists(file) ? file + " is not a file." : "There is no file " + file + ".");
      }
      if (!Files.isReadable(file)) {
        throw new Refusal(file + " cannot be read by " + System.getProperty("user.name") + ".");
      }
      format(file);
      bytesTotal += file.toFile().length();
    }
    long shiftMs = shift || speed > 0 ? survey() : 0;
    long begin = System.nanoTime();
    try (KafkaProducer<String, byte[]> producer = new KafkaProducer<>(settings())) {
      Pace pace = new Pace(begin);
      for (Path file : files) {
        if (format(file) == Format.ESXTOP) {
          readEsxtop(
              file,
              esxtop.directory.get(),
              shiftMs,
              sample -> {
                pace.waitFor(sample.timeMs() - shiftMs);
                sample.records().forEach(record -> send(producer, record, sample.timeMs()));
                lines++;
                progress(begin);
              });
          continue;
        }
        read(
            file,
            line -> {
              CaptureLine moved = line.shifted(shiftMs);
              pace.waitFor(line.timeMs());
              byte[] value = Arrays.copyOf(moved.bytes(), moved.bytes().length + 1);
              value[value.length - 1] = '\n';
              producer.send(
                  new ProducerRecord<>(
                      moved.flow() ? FLOWS : METRICS,
                      null,
                      moved.timeMs() == CaptureLine.NO_TIME ? null : moved.timeMs(),
                      moved.key(),
                      value),
                  this::sent);
              lines++;
              progress(begin);
            });
      }
      producer.flush();
      checkFailure();
      console.bar("Sending", 1, rate(begin));
      return lines;
    } catch (KafkaException e) {
      throw new Refusal("Kafka at " + bootstrap + " cannot be used: " + KafkaBroker.reason(e));
    }
  }

  /**
   * Sends batch output of esxtop that is still being written, until told to stop. A sample that
   * Kafka does not take is tried again until it does, so a broker may be away for any time: the
   * file keeps what comes meanwhile.
   *
   * @throws Refusal when the file cannot be read or is no output of esxtop
   */
  void follow(BooleanSupplier goesOn) throws InterruptedException {
    Path file = files.getFirst();
    if (!file.equals(STANDARD_INPUT) && format(file) != Format.ESXTOP) {
      throw Refusal.usage("--follow is for batch output of esxtop: FILE.csv or -.");
    }
    if (file.toString().endsWith(".gz")) {
      throw new Refusal(
          file + " is compressed, and cannot be read while it grows: leave gzip out.");
    }
    try (KafkaProducer<String, byte[]> producer = new KafkaProducer<>(settings())) {
      EsxtopReader reader =
          new EsxtopReader(
              name(file),
              esxtop.directory.get(),
              esxtop.choice,
              true,
              0,
              sample -> sendUntilTaken(producer, sample, goesOn),
              console::line);
      if (file.equals(STANDARD_INPUT)) {
        try (InputStream in = open(file)) {
          pour(in, reader);
        }
        reader.end();
        reader.summarize();
      } else {
        console.line(
            Files.exists(file)
                ? "Following " + file + ". Ctrl-C ends it."
                : "Waiting for " + file + ", to follow it. Ctrl-C ends it.");
        new FollowedFile(file).read(reader, goesOn);
      }
      lines += reader.samples();
    } catch (KafkaException e) {
      throw new Refusal("Kafka at " + bootstrap + " cannot be used: " + KafkaBroker.reason(e));
    } catch (EsxtopException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new Refusal(file + " cannot be read: " + e.getMessage());
    }
  }

  private void sendUntilTaken(
      KafkaProducer<String, byte[]> producer, EsxtopSample sample, BooleanSupplier goesOn)
      throws InterruptedException {
    boolean told = false;
    while (goesOn.getAsBoolean()) {
      try {
        List<Future<?>> answers = new ArrayList<>();
        for (EsxtopSample.Record record : sample.records()) {
          answers.add(send(producer, record, sample.timeMs()));
        }
        producer.flush();
        for (Future<?> answer : answers) {
          answer.get();
        }
        if (told) {
          console.line("Kafka at " + bootstrap + " takes samples again.");
        }
        return;
      } catch (ExecutionException e) {
        if (!told) {
          console.line(
              "Kafka at %s does not take samples: %s. They are tried again until it does."
                  .formatted(bootstrap, e.getCause() == null ? e : e.getCause().getMessage()));
        }
        told = true;
        Thread.sleep(PAUSE_AFTER_FAILURE);
      }
    }
  }

  private Future<?> send(
      KafkaProducer<String, byte[]> producer, EsxtopSample.Record record, long timeMs) {
    return producer.send(
        new ProducerRecord<>(METRICS, null, timeMs, record.key(), record.value()), this::sent);
  }

  private void sent(RecordMetadata metadata, @Nullable Exception problem) {
    if (problem != null) {
      failure.compareAndSet(null, problem);
    } else {
      ends.computeIfAbsent(
              new TopicPartition(metadata.topic(), metadata.partition()), p -> new AtomicLong())
          .accumulateAndGet(metadata.offset() + 1, Math::max);
    }
  }

  /** Draws the bar now and then, and finds out whether Kafka takes what is sent. */
  private void progress(long begin) {
    long now = System.nanoTime();
    if (now - barAt < BAR_EVERY_NANOS || (linesTotal == 0 && bytesTotal == 0)) {
      return;
    }
    barAt = now;
    checkFailure();
    double part =
        linesTotal > 0 ? (double) lines / linesTotal : (double) bytesRead / Math.max(1, bytesTotal);
    console.bar("Sending", Math.min(0.999, part), rate(begin));
  }

  /**
   * Waits until the service has stored what was sent.
   *
   * @return whether it has; false when the service cannot be asked
   * @throws Refusal when it makes no progress any more
   */
  boolean awaitStored(URI url, @Nullable String token) throws InterruptedException {
    ApiClient api = new ApiClient(url, token);
    long total = ends.values().stream().mapToLong(AtomicLong::get).sum();
    long first = -1;
    long last = -1;
    long lastChange = System.nanoTime();
    while (true) {
      long stored = 0;
      try {
        JsonNode status = api.ingestStatus();
        for (Map.Entry<TopicPartition, AtomicLong> end : ends.entrySet()) {
          TopicPartition of = end.getKey();
          OptionalLong committed = ApiClient.committedOffset(status, of.topic(), of.partition());
          stored += Math.min(end.getValue().get(), committed.orElse(0));
        }
      } catch (IOException e) {
        console.line("Whether they are stored is not known: " + Commands.describe(e, url));
        return false;
      }
      if (first < 0) {
        first = stored;
      }
      if (stored >= total) {
        if (first < total) {
          console.bar("Storing", 1, "");
        }
        return true;
      }
      console.bar(
          "Storing",
          total == first ? 1 : (double) (stored - first) / (total - first),
          String.format(Locale.ROOT, "%,d records wait", total - stored));
      if (stored != last) {
        last = stored;
        lastChange = System.nanoTime();
      } else if (System.nanoTime() - lastChange > NO_PROGRESS.toNanos()) {
        throw new Refusal(
            "The service at "
                + url
                + " has stored nothing for a minute, and "
                + (total - stored)
                + " records wait. Its log says why.");
      }
      Thread.sleep(250);
    }
  }

  private void checkFailure() {
    Exception problem = failure.get();
    if (problem instanceof org.apache.kafka.common.errors.TimeoutException) {
      throw new Refusal(
          "Kafka at "
              + bootstrap
              + " does not answer, or lacks the topic: "
              + problem.getMessage());
    }
    if (problem != null) {
      throw new Refusal("Kafka at " + bootstrap + " refused a record: " + problem.getMessage());
    }
  }

  private String rate(long begin) {
    double seconds = Math.max(0.001, (System.nanoTime() - begin) / 1e9);
    return String.format(Locale.ROOT, "%,d lines, %,.0f lines/s", lines, lines / seconds);
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, "peerlens-replay");
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 20);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 15_000);
    return settings;
  }

  /**
   * Reads everything once without sending it, to know how much it is and when it was.
   *
   * @return milliseconds by which every line moves
   */
  private long survey() throws InterruptedException {
    long[] newest = {CaptureLine.NO_TIME};
    for (Path file : files) {
      if (file.equals(STANDARD_INPUT)) {
        continue;
      }
      if (format(file) == Format.ESXTOP) {
        readEsxtop(
            file,
            null,
            0,
            sample -> {
              linesTotal++;
              newest[0] = Math.max(newest[0], sample.timeMs());
            });
        continue;
      }
      read(
          file,
          line -> {
            linesTotal++;
            newest[0] = Math.max(newest[0], line.timeMs());
          });
    }
    bytesRead = 0;
    if (!shift) {
      return 0;
    }
    if (newest[0] == CaptureLine.NO_TIME) {
      throw new Refusal("No line has a time, so nothing can be shifted. Leave --shift out.");
    }
    return clock.millis() - newest[0];
  }

  private enum Format {
    LINE_PROTOCOL,
    JSON,
    ESXTOP
  }

  private static Format format(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    String plain = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
    if (plain.endsWith(".lp")) {
      return Format.LINE_PROTOCOL;
    }
    if (plain.endsWith(".jsonl")) {
      return Format.JSON;
    }
    if (plain.endsWith(".csv") || file.equals(STANDARD_INPUT)) {
      return Format.ESXTOP;
    }
    throw new Refusal(
        file
            + " is not a capture: its name must end with .lp or .jsonl, or .csv for batch output of"
            + " esxtop, each also with .gz.");
  }

  @FunctionalInterface
  private interface LineSink {
    void accept(CaptureLine line) throws InterruptedException;
  }

  /**
   * Reads batch output of esxtop to its end.
   *
   * @param directory null = only the times of the samples are wanted
   */
  private void readEsxtop(
      Path file, @Nullable ObjectDirectory directory, long shiftMs, EsxtopReader.Sink sink)
      throws InterruptedException {
    EsxtopReader reader =
        new EsxtopReader(
            name(file),
            directory,
            esxtop.choice,
            false,
            shiftMs,
            sink,
            directory == null ? text -> {} : console::line);
    try (InputStream in = open(file)) {
      pour(in, reader);
    } catch (EsxtopException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new Refusal(file + " cannot be read: " + e.getMessage());
    }
    reader.end();
    reader.summarize();
  }

  private static void pour(InputStream in, EsxtopReader reader)
      throws IOException, InterruptedException {
    byte[] buffer = new byte[64 << 10];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      reader.accept(buffer, 0, n);
    }
  }

  private static String name(Path file) {
    return file.equals(STANDARD_INPUT) ? "standard input" : file.toString();
  }

  private void read(Path file, LineSink sink) throws InterruptedException {
    Format format = format(file);
    try (InputStream in = open(file)) {
      ByteArrayOutputStream line = new ByteArrayOutputStream(1_024);
      byte[] buffer = new byte[64 << 10];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        int begin = 0;
        for (int i = 0; i < n; i++) {
          if (buffer[i] == '\n') {
            line.write(buffer, begin, i - begin);
            emit(line.toByteArray(), format, sink);
            line.reset();
            begin = i + 1;
          }
        }
        line.write(buffer, begin, n - begin);
      }
      emit(line.toByteArray(), format, sink);
    } catch (IOException e) {
      throw new Refusal(file + " cannot be read: " + e.getMessage());
    }
  }

  private static void emit(byte[] bytes, Format format, LineSink sink) throws InterruptedException {
    int length = bytes.length;
    if (length > 0 && bytes[length - 1] == '\r') {
      length--;
    }
    if (length == 0 || (format == Format.LINE_PROTOCOL && bytes[0] == '#')) {
      return;
    }
    byte[] line = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    sink.accept(
        format == Format.JSON ? CaptureLine.ofJson(line) : CaptureLine.ofLineProtocol(line));
  }

  /** Counts the bytes of the file itself, so that the bar is right for compressed ones too. */
  private InputStream open(Path file) throws IOException {
    InputStream counted =
        new FilterInputStream(
            file.equals(STANDARD_INPUT)
                ? new FileInputStream(FileDescriptor.in)
                : Files.newInputStream(file)) {
          @Override
          public int read() throws IOException {
            int b = super.read();
            bytesRead += b < 0 ? 0 : 1;
            return b;
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            int n = super.read(target, offset, length);
            bytesRead += Math.max(0, n);
            return n;
          }
        };
    BufferedInputStream buffered = new BufferedInputStream(counted, 64 << 10);
    buffered.mark(2);
    boolean compressed = buffered.read() == 0x1f && buffered.read() == 0x8b;
    buffered.reset();
    return compressed ? new GZIPInputStream(buffered, 64 << 10) : buffered;
  }

  /**
   * Pace of a replay: holds lines back until their time has come; never waits for one that is late.
   */
  private final class Pace {
    private final long sendingSince;
    private long firstMs = CaptureLine.NO_TIME;
    private long begin;

    Pace(long sendingSince) {
      this.sendingSince = sendingSince;
    }

    void waitFor(long timeMs) throws InterruptedException {
      if (speed == 0 || timeMs == CaptureLine.NO_TIME) {
        return;
      }
      if (firstMs == CaptureLine.NO_TIME) {
        firstMs = timeMs;
        begin = System.nanoTime();
      }
      long due = begin + (long) ((timeMs - firstMs) / speed * 1e6);
      for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
        progress(sendingSince);
        Thread.sleep(Duration.ofNanos(Math.min(wait, BAR_EVERY_NANOS)));
      }
    }
  }
}
