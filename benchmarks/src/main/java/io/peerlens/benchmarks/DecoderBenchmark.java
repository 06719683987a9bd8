package io.peerlens.benchmarks;

import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.GroupKey;
import io.peerlens.ingest.IngestGuards;
import io.peerlens.ingest.Metric;
import io.peerlens.ingest.ObjectKey;
import io.peerlens.ingest.RecordDecoder;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SetKey;
import io.peerlens.ingest.TimePrecision;
import io.peerlens.ingest.mapping.Mappings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
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

/**
 * Kafka records in, a batch in columns out: all of the decoder's work in steady state, when every
 * series is known. One operation is one line of Telegraf's inputs.vsphere.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class DecoderBenchmark {

  private static final int LINES = 20_000;
  private static final TopicPartition PARTITION = new TopicPartition("peerlens.metrics", 0);

  /** Objects of which there are lines: 300 as captured, and what fills no cache. */
  @Param({"300", "30000"})
  int virtualMachines;

  private final SampleBatch batch = new SampleBatch();
  private final List<List<ConsumerRecord<byte[], byte[]>>> rounds = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // by decodeOnce
  private RecordDecoder decoder;

  private int next;

  @Setup(Level.Trial)
  public void decodeOnce() throws IOException {
    InstantSource clock = InstantSource.fixed(Instant.ofEpochSecond(1_795_219_680L));
    decoder =
        new RecordDecoder(
            Mappings.shipped(), new Ids(), () -> IngestGuards.DEFAULT, TimePrecision.NS, clock);
    List<ConsumerRecord<byte[], byte[]>> round = new ArrayList<>();
    long offset = 0;
    for (String line : VsphereLines.round(virtualMachines, 1_795_219_680_000_000_000L)) {
      round.add(
          new ConsumerRecord<>(
              PARTITION.topic(),
              PARTITION.partition(),
              offset++,
              null,
              (line + '\n').getBytes(StandardCharsets.UTF_8)));
      if (round.size() == LINES) {
        rounds.add(round);
        round = new ArrayList<>();
      }
    }
    if (rounds.isEmpty()) {
      List<ConsumerRecord<byte[], byte[]>> once = List.copyOf(round);
      while (round.size() < LINES) {
        round.add(once.get(round.size() % once.size()));
      }
      rounds.add(round);
    }
    long values = 0;
    for (int i = 0; i < 2; i++) {
      values = 0;
      for (List<ConsumerRecord<byte[], byte[]>> records : rounds) {
        batch.clear();
        decoder.decode(records, Map.of(), batch);
        values +=
            records.stream()
                .mapToLong(r -> VsphereLines.values(new String(r.value(), StandardCharsets.UTF_8)))
                .sum();
        if (!batch.deadLetters().isEmpty()) {
          throw new IllegalStateException(batch.deadLetters().getFirst().detail());
        }
      }
    }
    System.out.printf(
        "%.3f values and %.1f bytes a line, %d series%n",
        (double) values / LINES / rounds.size(),
        rounds.stream().flatMap(List::stream).mapToInt(r -> r.value().length).average().orElse(0),
        decoder.seriesCount());
  }

  @Benchmark
  @OperationsPerInvocation(LINES)
  public SampleBatch decode() {
    batch.clear();
    decoder.decode(rounds.get(next), Map.of(), batch);
    next = (next + 1) % rounds.size();
    return batch;
  }

  /** Gives out ids and keeps nothing else. */
  private static final class Ids implements Catalog {
    private final Map<ObjectKey, Integer> objects = new HashMap<>();
    private final Map<SetKey, Integer> sets = new HashMap<>();
    private final Map<GroupKey, Set<String>> groups = new HashMap<>();

    @Override
    public Answer apply(Request request) {
      request
          .metrics()
          .forEach(
              (group, metrics) -> metrics.stream().map(Metric::name).forEach(names(group)::add));
      List<KnownSet> known = new ArrayList<>();
      for (NewSet set : request.sets()) {
        ObjectKey object = set.key().object();
        known.add(
            new KnownSet(
                sets.computeIfAbsent(set.key(), k -> sets.size() + 1),
                objects.computeIfAbsent(object, k -> objects.size() + 1),
                set.attributes(),
                set.timeMicros(),
                null));
        Set<String> unused =
            names(new GroupKey(object.adapterKind(), object.objectKind(), set.key().group()));
      }
      Map<GroupKey, KnownGroup> answer = new HashMap<>();
      groups.forEach((group, names) -> answer.put(group, new KnownGroup(1, List.copyOf(names))));
      return new Answer(List.copyOf(known), answer, 0, 0, 0);
    }

    private Set<String> names(GroupKey group) {
      return groups.computeIfAbsent(group, g -> new LinkedHashSet<>());
    }
  }
}
