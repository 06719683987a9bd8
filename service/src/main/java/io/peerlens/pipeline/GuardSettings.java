package io.peerlens.pipeline;

import io.peerlens.ingest.IngestGuards;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The guards as set through the API, read again every ten seconds so that all nodes follow a change
 * without being told. While the database is away the last ones stay in force.
 */
final class GuardSettings implements Supplier<IngestGuards> {

  private static final Logger log = LoggerFactory.getLogger(GuardSettings.class);
  private static final long REFRESH_MILLIS = 10_000;
  private static final String SETTING = "select value from setting where name = 'ingest-guards'";

  private final JdbcClient jdbc;
  private final InstantSource clock;
  private volatile IngestGuards guards = IngestGuards.DEFAULT;
  private volatile long readAt = Long.MIN_VALUE;

  GuardSettings(JdbcClient jdbc, InstantSource clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  @Override
  public IngestGuards get() {
    long now = clock.millis();
    if (readAt == Long.MIN_VALUE || now - readAt > REFRESH_MILLIS) {
      readAt = now;
      try {
        Optional<String> json = jdbc.sql(SETTING).query(String.class).optional();
        guards = json.map(GuardSettings::parse).orElse(IngestGuards.DEFAULT);
      } catch (DataAccessException | JacksonException e) {
        log.warn("The ingest guards could not be read, the last ones stay: {}", e.getMessage());
      }
    }
    return guards;
  }

  private static IngestGuards parse(String json) {
    JsonNode node = JsonMapper.shared().readTree(json);
    IngestGuards d = IngestGuards.DEFAULT;
    return new IngestGuards(
        Duration.ofSeconds(node.path("maxFutureSeconds").asLong(d.maxFuture().toSeconds())),
        Duration.ofSeconds(node.path("maxAgeSeconds").asLong(d.maxAge().toSeconds())),
        node.path("newObjectsPerMinute").asInt(d.newObjectsPerMinute()),
        node.path("newMetricsPerMinute").asInt(d.newMetricsPerMinute()),
        node.path("maxRecordBytes").asInt(d.maxRecordBytes()),
        node.path("maxNameLength").asInt(d.maxNameLength()));
  }
}
