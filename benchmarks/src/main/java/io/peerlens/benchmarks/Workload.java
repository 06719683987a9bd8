package io.peerlens.benchmarks;

import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.IngestGuards;
import io.peerlens.ingest.Metric;
import io.peerlens.ingest.RecordDecoder;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.TimePrecision;
import io.peerlens.ingest.key.GroupKey;
import io.peerlens.ingest.key.ObjectDescription;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReport;
import io.peerlens.ingest.key.SetKey;
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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The lines that all JMH benchmarks work on, so that their times can be compared and added up: one
 * operation of each of them is one of these lines, or what one line becomes.
 */
public final class Workload {

  /** Records in a round: what one batch of the service holds. */
  public static final int LINES = 20_000;

  /** When everything was sampled. */
  public static final Instant TIME = Instant.ofEpochSecond(1_795_219_680L);

  private static final TopicPartition PARTITION = new TopicPartition("peerlens.metrics", 0);

  private Workload() {}

  /**
   * Rounds of {@link #LINES} records of one line each. Few machines are repeated to fill one round;
   * many give several rounds, and each series is in one of them.
   */
  public static List<List<ConsumerRecord<byte[], byte[]>>> rounds(int virtualMachines)
      throws IOException {
    List<List<ConsumerRecord<byte[], byte[]>>> rounds = new ArrayList<>();
    List<ConsumerRecord<byte[], byte[]>> round = new ArrayList<>();
    long offset = 0;
    for (String line : VsphereLines.round(virtualMachines, TIME.getEpochSecond() * 1_000_000_000)) {
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
    return rounds;
  }

  /** A decoder that has met nothing yet. */
  static RecordDecoder decoder() {
    return new RecordDecoder(
        Mappings.shipped(),
        catalog(),
        () -> IngestGuards.DEFAULT,
        TimePrecision.NS,
        InstantSource.fixed(TIME));
  }

  /** Decodes a round into an empty batch. */
  static void decode(
      RecordDecoder decoder, List<ConsumerRecord<byte[], byte[]>> records, SampleBatch batch) {
    batch.clear();
    decoder.decode(records, Map.of(), batch);
    if (!batch.deadLetters().isEmpty()) {
      throw new IllegalStateException(batch.deadLetters().getFirst().detail());
    }
  }

  /** A catalog that gives out ids and keeps nothing else. */
  public static Catalog catalog() {
    return new Ids();
  }

  /** An object of which nothing is known but what a new set says. */
  static Catalog.KnownObject known(int id, Catalog.NewSet set) {
    return new Catalog.KnownObject(
        id,
        ObjectDescription.ofNew(
            set.key().object(), ObjectReport.ofLine(set.attributes()), set.timeMicros()));
  }

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
                Workload.known(objects.computeIfAbsent(object, k -> objects.size() + 1), set),
                null));
        Set<String> unused =
            names(new GroupKey(object.adapterKind(), object.objectKind(), set.key().group()));
      }
      Map<GroupKey, KnownGroup> answer = new HashMap<>();
      groups.forEach((group, names) -> answer.put(group, new KnownGroup(1, List.copyOf(names))));
      return new Answer(List.of(), List.copyOf(known), answer, 0, 0, 0);
    }

    private Set<String> names(GroupKey group) {
      return groups.computeIfAbsent(group, g -> new LinkedHashSet<>());
    }
  }
}
