package io.peerlens.store;

import io.peerlens.database.NamedStatement;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;

/**
 * Store of Kafka's offsets, moved in the transaction that stores what was read. An offset only
 * moves from where this node believes it to be, so a node that lost a partition without knowing is
 * stopped, and so is one whose database went back behind what it has stored, to a standby or a
 * backup that lacks it.
 */
public final class KafkaOffsets {

  private static final String MOVE =
      """
      update kafka_offset set next_offset = :to, node = :node, updated_at = :now
      where topic = :topic and partition = :partition and next_offset = :from
      """;
  private static final String FIRST =
      """
      insert into kafka_offset (topic, partition, next_offset, node, updated_at)
      values (:topic, :partition, :to, :node, :now)
      on conflict do nothing
      """;
  private static final String POSITIONS =
      """
      select partition, next_offset, updated_at from kafka_offset
      where topic = :topic and partition = any (:partitions)
      """;

  private final String node;
  private final InstantSource clock;

  /**
   * @param node name of this process, kept with the offsets
   */
  public KafkaOffsets(String node, InstantSource clock) {
    this.node = node;
    this.clock = clock;
  }

  /**
   * Moves offsets in the caller's transaction. One that is not there is made only by who begins at
   * 0, which is the place of what was never read.
   *
   * @throws SampleSink.FencedException when one is no longer where it is believed to be
   */
  public void move(Connection connection, Map<TopicPartition, SampleBatch.Range> moves)
      throws SQLException {
    Map<TopicPartition, SampleBatch.Range> ranges =
        new TreeMap<>(
            Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition));
    ranges.putAll(moves);
    try (NamedStatement move = new NamedStatement(connection, MOVE);
        NamedStatement first = new NamedStatement(connection, FIRST)) {
      for (Map.Entry<TopicPartition, SampleBatch.Range> entry : ranges.entrySet()) {
        SampleBatch.Range range = entry.getValue();
        int moved = set(move, entry.getKey(), range.to()).set("from", range.from()).update();
        if (moved == 0 && range.from() == 0) {
          moved = set(first, entry.getKey(), range.to()).update();
        }
        if (moved == 0) {
          throw new SampleSink.FencedException(entry.getKey(), range.from());
        }
      }
    }
  }

  private NamedStatement set(NamedStatement statement, TopicPartition partition, long to)
      throws SQLException {
    return statement
        .set("node", node)
        .set("now", clock.instant())
        .set("topic", partition.topic())
        .set("partition", partition.partition())
        .set("to", to);
  }

  /** The offset to read next, for each partition that has one; absent = never read. */
  public Map<TopicPartition, Long> positions(
      Connection connection, Collection<TopicPartition> partitions) throws SQLException {
    Map<TopicPartition, Long> positions = new HashMap<>();
    read(connection, partitions)
        .forEach((partition, stored) -> positions.put(partition, stored.next));
    return positions;
  }

  /** When the offset of each partition was moved last; absent = never read. */
  public Map<TopicPartition, Instant> movedAt(
      Connection connection, Collection<TopicPartition> partitions) throws SQLException {
    Map<TopicPartition, Instant> moved = new HashMap<>();
    read(connection, partitions).forEach((partition, stored) -> moved.put(partition, stored.at));
    return moved;
  }

  private record Stored(long next, Instant at) {}

  private static Map<TopicPartition, Stored> read(
      Connection connection, Collection<TopicPartition> partitions) throws SQLException {
    Map<TopicPartition, Stored> read = new HashMap<>();
    Map<String, TreeSet<Integer>> byTopic = new TreeMap<>();
    for (TopicPartition partition : partitions) {
      byTopic.computeIfAbsent(partition.topic(), t -> new TreeSet<>()).add(partition.partition());
    }
    try (NamedStatement statement = new NamedStatement(connection, POSITIONS)) {
      for (Map.Entry<String, TreeSet<Integer>> topic : byTopic.entrySet()) {
        statement.set("topic", topic.getKey()).set("partitions", "int4", topic.getValue());
        ResultSet rows = statement.query();
        while (rows.next()) {
          read.put(
              new TopicPartition(topic.getKey(), rows.getInt(1)),
              new Stored(rows.getLong(2), rows.getObject(3, OffsetDateTime.class).toInstant()));
        }
      }
      return read;
    }
  }
}
