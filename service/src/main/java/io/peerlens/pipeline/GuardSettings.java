package io.peerlens.pipeline;

import io.peerlens.ingest.IngestGuards;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private static final Pattern DURATION = Pattern.compile("([1-9][0-9]{0,5})([smhd])");
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
        Optional<String> json = jdbc.sql(SETTING).query(String.class).optional();
        guards = json.map(GuardSettings::parse).orElse(IngestGuards.DEFAULT);
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

  /** The JSON of {@code IngestGuardSettings} in the contract; what it does not name is fixed. */
  private static IngestGuards parse(String json) {
    JsonNode node = JsonMapper.shared().readTree(json);
    IngestGuards d = IngestGuards.DEFAULT;
    String maxFuture = node.path("maxFuture").asString("");
    return new IngestGuards(
        maxFuture.isEmpty() ? d.maxFuture() : duration(maxFuture),
        d.maxAge(),
        node.path("newObjectsPerMinute").asInt(d.newObjectsPerMinute()),
        node.path("newMetricNamesPerMinute").asInt(d.newMetricsPerMinute()),
        node.path("maxRecordBytes").asInt(d.maxRecordBytes()),
        d.maxNameLength());
  }

  private static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("maxFuture is '" + text + "'");
    }
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofDays(count);
    };
  }
}
