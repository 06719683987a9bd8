package io.peerlens.load;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of how much a node does for requests at once.
 *
 * @param heavyAtOnce heavy requests (series queries, rankings, previews, exports) that a node runs
 *     at once; 0 = one more than it has cores. Of previews and exports it runs at most half as
 *     many, or two; of imports always one, of looks at sources two
 * @param heavyQueue how many of each kind may wait; further ones are answered with 503 at once
 * @param heavyWait how long they wait at most before they are answered with 503
 * @param heavyPerToken heavy requests of one token, running and waiting; further ones are answered
 *     with 429
 * @param requestsPerSecond requests of one token in a second, on average over ten; further ones are
 *     answered with 429. All readers of a public link together have a tenth of it
 */
@ConfigurationProperties("peerlens.load")
public record LoadProperties(
    @DefaultValue("0") int heavyAtOnce,
    @DefaultValue("48") int heavyQueue,
    @DefaultValue("5s") Duration heavyWait,
    @DefaultValue("24") int heavyPerToken,
    @DefaultValue("200") int requestsPerSecond) {

  public LoadProperties {
    if (heavyAtOnce < 0 || heavyAtOnce == 1) {
      throw new IllegalArgumentException(
          "peerlens.load.heavy-at-once is neither 0 nor at least 2: " + heavyAtOnce);
    }
    notNegative("heavy-queue", heavyQueue);
    if (heavyWait.isNegative() || heavyWait.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException(
          "peerlens.load.heavy-wait is not between 0s and 1m: " + heavyWait);
    }
    atLeastOne("heavy-per-token", heavyPerToken);
    atLeastOne("requests-per-second", requestsPerSecond);
    heavyAtOnce = heavyAtOnce == 0 ? Runtime.getRuntime().availableProcessors() + 1 : heavyAtOnce;
  }

  private static void notNegative(String key, int value) {
    if (value < 0) {
      throw new IllegalArgumentException("peerlens.load." + key + " is below 0: " + value);
    }
  }

  private static void atLeastOne(String key, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("peerlens.load." + key + " is below 1: " + value);
    }
  }
}
