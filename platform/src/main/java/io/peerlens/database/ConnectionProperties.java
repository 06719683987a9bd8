package io.peerlens.database;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Connections to the database at most, by kind of work. Ticks, upkeep and everything else share
 * {@code spring.datasource.hikari.maximum-pool-size}.
 *
 * @param api for requests of a node with the role api
 * @param ingest for storing samples and flows on a node with the role ingest; two for each consumer
 *     and two more
 * @param notification for notifications of a node with the role notifier, and for relays
 * @param apiTimeout a statement of a request that takes longer is stopped, and the request is
 *     answered with 503; ticks, back-fills and other work have no such limit
 */
@ConfigurationProperties("peerlens.connections")
public record ConnectionProperties(
    @DefaultValue("12") int api,
    @DefaultValue("8") int ingest,
    @DefaultValue("8") int notification,
    @DefaultValue("30s") Duration apiTimeout) {

  public ConnectionProperties {
    atLeastTwo("api", api);
    atLeastTwo("ingest", ingest);
    atLeastTwo("notification", notification);
    if (apiTimeout.toMillis() < 1000) {
      throw new IllegalArgumentException(
          "peerlens.connections.api-timeout is below 1s: " + apiTimeout);
    }
  }

  private static void atLeastTwo(String key, int connections) {
    if (connections < 2) {
      throw new IllegalArgumentException(
          "peerlens.connections." + key + " must be at least 2: " + connections);
    }
  }
}
