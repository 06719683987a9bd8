package io.peerlens.talker;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the roll-up of flows, and of how long they are kept. When they are rolled up is said
 * by {@code peerlens.rollup}, as for samples.
 *
 * @param deduplicate whether only one of several exporters that saw the same traffic counts
 * @param keysPerSender receivers and services that are kept of each sender in a bucket; those with
 *     fewer bytes are folded into one
 * @param talkers talkers that are kept in each list by each measure
 * @param portionRows rows that are rolled up in memory at once; one takes some 200 bytes
 * @param keep5m how long flows and talkers of 5 minutes are kept
 * @param keep1h how long flows and talkers of an hour are kept
 * @param keep1d how long flows and talkers of a day are kept
 * @param queryTimeout how long the database may add up flows for one request with filters
 */
@ConfigurationProperties("peerlens.talkers")
public record TalkerProperties(
    @DefaultValue("true") boolean deduplicate,
    @DefaultValue("200") int keysPerSender,
    @DefaultValue("1000") int talkers,
    @DefaultValue("1000000") int portionRows,
    @DefaultValue("14d") Duration keep5m,
    @DefaultValue("90d") Duration keep1h,
    @DefaultValue("730d") Duration keep1d,
    @DefaultValue("15s") Duration queryTimeout) {

  public TalkerProperties {
    if (keysPerSender < 1 || talkers < 1 || portionRows < 1) {
      throw new IllegalArgumentException(
          "peerlens.talkers: keys-per-sender, talkers and portion-rows must be at least 1");
    }
    if (queryTimeout.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("peerlens.talkers: query-timeout must be at least 1s");
    }
    if (keep5m.compareTo(Duration.ofHours(2)) < 0
        || keep1h.compareTo(Duration.ofDays(2)) < 0
        || keep1d.compareTo(Duration.ofDays(2)) < 0) {
      throw new IllegalArgumentException(
          "peerlens.talkers: keep5m must be at least 2h, keep1h and keep1d at least 2d");
    }
  }

  Duration keep(FlowLevel level) {
    return switch (level) {
      case FIVE_MINUTES -> keep5m;
      case ONE_HOUR -> keep1h;
      case ONE_DAY -> keep1d;
    };
  }
}
