package io.peerlens.samples;

import io.peerlens.api.model.IngestPartition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Offsets of a topic: how far each partition is read, from what nodes report, the database and
 * Kafka.
 */
public final class TopicOffsets implements DisposableBean {

  private static final String OFFSETS =
      "select topic, partition, next_offset from kafka_offset where topic = :topic";

  /** A node that is alive, with the partitions that it reads. */
  public record Reader(String node, Instant updatedAt, List<NodePartition> partitions) {}

  private final JdbcClient jdbc;
  private final EndOffsets endOffsets;
  private final String topic;

  /**
   * @param properties where Kafka is
   */
  public TopicOffsets(JdbcClient jdbc, IngestProperties properties, String topic) {
    this.jdbc = jdbc;
    this.topic = topic;
    endOffsets = new EndOffsets(properties, topic);
  }

  /** The partitions that anybody knows of, by number. */
  public List<IngestPartition> read(List<Reader> readers) {
    Optional<Map<TopicPartition, Long>> ends = endOffsets.read();
    Map<TopicPartition, Long> committed = new HashMap<>();
    jdbc.sql(OFFSETS)
        .param("topic", topic)
        .query(
            row -> {
              committed.put(
                  new TopicPartition(row.getString("topic"), row.getInt("partition")),
                  row.getLong("next_offset"));
            });
    Map<TopicPartition, Reader> owners = new HashMap<>();
    Map<TopicPartition, Double> rates = new HashMap<>();
    for (Reader node : readers) {
      for (NodePartition partition : node.partitions) {
        TopicPartition key = new TopicPartition(partition.topic(), partition.partition());
        Reader other = owners.get(key);
        if (other == null || other.updatedAt.isBefore(node.updatedAt)) {
          owners.put(key, node);
        }
        rates.merge(key, partition.recordsPerSecond(), Double::sum);
      }
    }
    TreeMap<Integer, TopicPartition> all = new TreeMap<>();
    committed.keySet().forEach(p -> all.put(p.partition(), p));
    ends.orElse(Map.of()).keySet().forEach(p -> all.put(p.partition(), p));
    List<IngestPartition> partitions = new ArrayList<>();
    for (TopicPartition partition : all.values()) {
      Long from = committed.get(partition);
      Long to = ends.map(e -> e.get(partition)).orElse(null);
      Reader owner = owners.get(partition);
      partitions.add(
          new IngestPartition(
              partition.topic(),
              partition.partition(),
              from,
              to,
              to == null ? null : Long.valueOf(Math.max(0, to - (from == null ? 0 : from))),
              owner == null ? null : owner.node,
              rates.getOrDefault(partition, 0.0)));
    }
    return partitions;
  }

  /** Records that wait in all partitions; null when that is not known. */
  public static @Nullable Long totalLag(List<IngestPartition> partitions) {
    long lag = 0;
    for (IngestPartition partition : partitions) {
      if (partition.getLag() == null) {
        return null;
      }
      lag += partition.getLag();
    }
    return partitions.isEmpty() ? null : Long.valueOf(lag);
  }

  @Override
  public void destroy() {
    endOffsets.destroy();
  }
}
