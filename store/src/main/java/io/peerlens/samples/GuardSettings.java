package io.peerlens.samples;

import io.peerlens.ingest.IngestGuards;
import io.peerlens.web.Durations;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Guards of ingest as set through the API, read again every ten seconds so that all nodes follow a
 * change without being told. While the database is away the last ones stay in force.
 */
public final class GuardSettings implements Supplier<IngestGuards> {

  private static final Logger log = LoggerFactory.getLogger(GuardSettings.class);
  private static final long REFRESH_MILLIS = 10_000;
  private static final String SETTING = "select value from setting where name = 'ingest-guards'";

  private final JdbcClient jdbc;
  private final InstantSource clock;
  private volatile IngestGuards guards = IngestGuards.DEFAULT;
  private volatile long readAt = Long.MIN_VALUE;
  private volatile String trouble = "";

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
        guards = parse(jdbc.sql(SETTING).query(String.class).optional().orElse(null));
        trouble = "";
      } catch (DataAccessException | JacksonException | IllegalArgumentException e) {
        String message = String.valueOf(e.getMessage());
        if (!message.equals(trouble)) {
          log.warn("The ingest guards could not be read, the last ones stay: {}", message);
        }
        trouble = message;
      }
    }
    return guards;
  }

  /**
   * Guards of the JSON that the contract calls {@code IngestGuardSettings}; what it does not name
   * has its default.
   *
   * @throws IllegalArgumentException when a duration is none
   */
  public static IngestGuards parse(@Nullable String json) {
    IngestGuards d = IngestGuards.DEFAULT;
    if (json == null) {
      return d;
    }
    JsonNode node = JsonMapper.shared().readTree(json);
    return new IngestGuards(
        node.has("maxFuture") ? Durations.parse(node.get("maxFuture").asString()) : d.maxFuture(),
        d.maxAge(),
        node.path("newObjectsPerMinute").asInt(d.newObjectsPerMinute()),
        node.path("newMetricNamesPerMinute").asInt(d.newMetricsPerMinute()),
        node.path("newSetsPerMinute").asInt(d.newSetsPerMinute()),
        node.path("maxRecordBytes").asInt(d.maxRecordBytes()),
        d.maxNameLength());
  }
}
