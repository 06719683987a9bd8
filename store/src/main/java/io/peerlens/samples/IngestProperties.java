package io.peerlens.samples;

import io.peerlens.ingest.TimePrecision;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the ingest of samples.
 *
 * @param bootstrapServers Kafka brokers as host:port, separated by commas
 * @param topic topic that holds the samples
 * @param moreTopics further topics with samples, separated by commas, such as {@code otlp_metrics},
 *     to which an OpenTelemetry Collector writes unless told otherwise; what Peerlens itself writes
 *     goes to the topic alone
 * @param deadLetterTopic topic that gets a copy of every line that could not be stored
 * @param group consumer group; all ingest nodes of one installation share it
 * @param consumers consumers in this process; more than one helps only with more than two cores and
 *     as many partitions
 * @param maxBatchRecords a batch is stored when it holds this many Kafka records
 * @param linger a batch is stored at the latest when it is this old
 * @param timestampPrecision unit of the timestamps in line protocol, of records that name none: ns,
 *     us, ms, s, m or h
 * @param mappings directory with mapping files that replace or precede the shipped ones
 * @param deadLetterAge dead letters older than this are forgotten
 * @param deadLetterCount only so many of the newest dead letters are kept
 * @param kafka further Kafka client settings, for instance for TLS and SASL
 */
@ConfigurationProperties("peerlens.ingest")
public record IngestProperties(
    @DefaultValue("localhost:9092") String bootstrapServers,
    @DefaultValue("peerlens.metrics") String topic,
    @DefaultValue List<String> moreTopics,
    @DefaultValue("peerlens.dead-letter") String deadLetterTopic,
    @DefaultValue("peerlens-ingest") String group,
    @DefaultValue("1") int consumers,
    @DefaultValue("20000") int maxBatchRecords,
    @DefaultValue("500ms") Duration linger,
    @DefaultValue("ns") TimePrecision timestampPrecision,
    @Nullable Path mappings,
    @DefaultValue("30d") Duration deadLetterAge,
    @DefaultValue("1000000") int deadLetterCount,
    @DefaultValue Map<String, String> kafka) {

  public IngestProperties {
    if (consumers < 1 || maxBatchRecords < 1 || linger.isNegative()) {
      throw new IllegalArgumentException(
          "peerlens.ingest: consumers and max-batch-records must be at least 1, linger not negative");
    }
    if (!deadLetterAge.isPositive() || deadLetterCount < 1) {
      throw new IllegalArgumentException(
          "peerlens.ingest: dead-letter-age and dead-letter-count must be positive");
    }
    moreTopics = List.copyOf(moreTopics);
    kafka = Map.copyOf(kafka);
  }

  /** All topics that hold samples, without repetition; {@link #topic} is the first. */
  public List<String> topics() {
    return Stream.concat(Stream.of(topic), moreTopics.stream()).distinct().toList();
  }
}
