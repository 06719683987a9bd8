package io.peerlens.samples;

import io.peerlens.api.model.IngestPartition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Offsets of topics: how far each partition is read, from what nodes report, the database and
 * Kafka.
 */
public final class TopicOffsets implements DisposableBean {

  private static final String OFFSETS =
      "select topic, partition, next_offset from kafka_offset where topic in (:topics)";

  /** A node that is alive, with the partitions that it reads. */
  public record Reader(String node, Instant updatedAt, List<NodePartition> partitions) {}

  private final JdbcClient jdbc;
  private final EndOffsets endOffsets;
  private final List<String> topics;

  /**
   * @param properties where Kafka is
   */
  public TopicOffsets(JdbcClient jdbc, IngestProperties properties, List<String> topics) {
    this.jdbc = jdbc;
    this.topics = topics;
    endOffsets = new EndOffsets(properties, topics);
  }

  /** The partitions that anybody knows of, in the order of the topics and by number. */
  public List<IngestPartition> read(List<Reader> readers) {
    Optional<Map<TopicPartition, Long>> ends = endOffsets.read();
    Map<TopicPartition, Long> committed = new HashMap<>();
    jdbc.sql(OFFSETS)
        .param("topics", topics)
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
    TreeSet<TopicPartition> all =
        new TreeSet<>(
            Comparator.comparingInt((TopicPartition p) -> topics.indexOf(p.topic()))
                .thenComparingInt(TopicPartition::partition));
    all.addAll(committed.keySet());
    all.addAll(ends.orElse(Map.of()).keySet());
    List<IngestPartition> partitions = new ArrayList<>();
    for (TopicPartition partition : all) {
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
