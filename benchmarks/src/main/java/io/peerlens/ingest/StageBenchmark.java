package io.peerlens.ingest;

import io.peerlens.benchmarks.Workload;
import io.peerlens.ingest.mapping.MappedSeries;
import io.peerlens.ingest.mapping.Mappings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The decoder's work taken apart, on the lines of {@code DecoderBenchmark}. One operation is always
 * what one line needs: {@link #findFields} looks up all fields of a line, {@link #parseNumbers}
 * makes all its numbers.
 *
 * <p>{@link #read} is the parser with the lookups of series and fields and the numbers; {@link
 * #fillRows} is what the mapping does with a parsed line: its row, and its values at their
 * positions. Together they are nearly {@code DecoderBenchmark}; the rest is bookkeeping. {@link
 * #map} happens once in the life of a series and is no part of that sum.
 *
 * <p>In this package, because the parts are nobody else's business.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class StageBenchmark {

  @Param({"300", "30000"})
  int virtualMachines;

  private final Mappings mappings = Mappings.shipped();
  private final Registry registry = new Registry(Workload.catalog());
  private final LineDecoder lines = new LineDecoder(mappings, registry, TimePrecision.NS);
  private final Limits limits = Limits.at(IngestGuards.DEFAULT, Workload.TIME);
  private final SampleBatch batch = new SampleBatch();
  private final List<Parsed[]> rounds = new ArrayList<>();
  private int next;

  /**
   * A line, and what reading it gave.
   *
   * @param keyTo end of measurement and tags
   * @param names begin and end of each number's name
   * @param texts the numbers as they stand there
   * @param mantissas the numbers without point and sign
   * @param exponents and the power of ten that belongs to each
   */
  private record Parsed(
      byte[] line,
      int keyTo,
      Series series,
      String measurement,
      Map<String, String> tags,
      int[] names,
      FieldSlot[] slots,
      double[] values,
      String[] texts,
      long[] mantissas,
      int[] exponents) {}

  @Setup(Level.Trial)
  public void parse() throws IOException {
    for (List<ConsumerRecord<byte[], byte[]>> records : Workload.rounds(virtualMachines)) {
      // New series, then their new fields, become known; then every line can be read.
      for (int pass = 0; pass < 2; pass++) {
        registry.beginBatch();
        records.forEach(record -> readLine(record.value()));
        registry.settle(IngestGuards.DEFAULT, Workload.TIME.toEpochMilli());
      }
      rounds.add(records.stream().map(r -> parsed(r.value())).toArray(Parsed[]::new));
    }
  }

  @Benchmark
  @OperationsPerInvocation(Workload.LINES)
  public void read(Blackhole blackhole) {
    for (Parsed one : round()) {
      blackhole.consume(readLine(one.line));
    }
  }

  @Benchmark
  @OperationsPerInvocation(Workload.LINES)
  public void findSeries(Blackhole blackhole) {
    for (Parsed one : round()) {
      blackhole.consume(registry.find(one.line, 0, one.keyTo));
    }
  }

  @Benchmark
  @OperationsPerInvocation(Workload.LINES)
  public void findFields(Blackhole blackhole) {
    for (Parsed one : round()) {
      FieldTable fields = one.series.fields;
      for (int i = 0; i < one.names.length; i += 2) {
        blackhole.consume(fields.find(one.line, one.names[i], one.names[i + 1]));
      }
    }
  }

  /** From digits to doubles; the digits themselves are read by {@link #read}. */
  @Benchmark
  @OperationsPerInvocation(Workload.LINES)
  public void parseNumbers(Blackhole blackhole) {
    for (Parsed one : round()) {
      for (int i = 0; i < one.mantissas.length; i++) {
        blackhole.consume(Decimals.toDouble(one.mantissas[i], one.exponents[i]));
      }
    }
  }

  /** The same numbers by the JDK, whose texts are made already: what there is to compare with. */
  @Benchmark
  @OperationsPerInvocation(Workload.LINES)
  public void parseNumbersByJdk(Blackhole blackhole) {
    for (Parsed one : round()) {
      for (String text : one.texts) {
        blackhole.consume(Double.parseDouble(text));
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(Workload.LINES)
  public SampleBatch fillRows() {
    batch.clear();
    long micros = Workload.TIME.getEpochSecond() * 1_000_000;
    for (Parsed one : round()) {
      int row = batch.row(one.series.set.id, micros, one.series.fields.group.width());
      for (int i = 0; i < one.values.length; i++) {
        batch.put(row, one.slots[i].position, one.values[i]);
      }
    }
    return batch;
  }

  /** What a series means: the rules of the mapping files, applied to measurement and tags. */
  @Benchmark
  @OperationsPerInvocation(Workload.LINES)
  public void map(Blackhole blackhole) {
    for (Parsed one : round()) {
      MappedSeries mapped = mappings.map(one.measurement, one.tags);
      blackhole.consume(mapped);
    }
  }

  private Parsed[] round() {
    Parsed[] round = rounds.get(next);
    next = (next + 1) % rounds.size();
    return round;
  }

  private Line.Outcome readLine(byte[] line) {
    lines.beginRecord(null);
    return lines.read(line, 0, line.length, 0, false, limits);
  }

  private Parsed parsed(byte[] bytes) {
    if (readLine(bytes) != Line.Outcome.READ) {
      throw new IllegalStateException("Not read: " + lines.line().detail);
    }
    Line line = lines.line();
    Series series = Objects.requireNonNull(line.series);
    for (int i = 0; i < line.properties; i++) {
      series.propertyApplied(
          line.propertySlots[i],
          Arrays.copyOfRange(bytes, line.propertyFrom[i], line.propertyTo[i]));
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int keyTo = series.key.length;
    int count = line.count;
    int[] names = new int[2 * count];
    String[] texts = new String[count];
    long[] mantissas = new long[count];
    int[] exponents = new int[count];
    for (int i = 0; i < count; i++) {
      String name = new String(line.slots[i].name, StandardCharsets.ISO_8859_1) + '=';
      int from = text.indexOf(name, keyTo + 1);
      while (text.charAt(from - 1) != ',' && text.charAt(from - 1) != ' ') {
        from = text.indexOf(name, from + 1);
      }
      names[2 * i] = from;
      names[2 * i + 1] = from + name.length() - 1;
      String number = text.substring(from + name.length()).split("[, i]", 2)[0];
      texts[i] = number;
      int point = number.indexOf('.');
      mantissas[i] = Long.parseLong(number.replace(".", "").replace("-", ""));
      exponents[i] = point < 0 ? 0 : point + 1 - number.length();
    }
    String[] key = text.substring(0, keyTo).split(",");
    Map<String, String> tags = new LinkedHashMap<>();
    for (int i = 1; i < key.length; i++) {
      String[] tag = key[i].split("=", 2);
      tags.put(tag[0], tag[1]);
    }
    return new Parsed(
        bytes,
        keyTo,
        series,
        key[0],
        tags,
        names,
        Arrays.copyOf(line.slots, count),
        Arrays.copyOf(line.values, count),
        texts,
        mantissas,
        exponents);
  }
}
