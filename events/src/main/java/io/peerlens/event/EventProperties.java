package io.peerlens.event;

import io.peerlens.event.decode.EventGuards;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of events: how they are read and recorded. Brokers and further Kafka settings are those
 * of {@code peerlens.ingest}.
 *
 * @param enabled whether this installation reads events
 * @param topic topic that holds the events; it may be created later
 * @param group consumer group; all ingest nodes of one installation share it
 * @param maxPollRecords Kafka records that are read and stored at once, at most
 * @param mappings directory of mapping files of your own, see docs/events.md; read at the start
 * @param vcenters pairs {@code SOURCE=VCENTER}, where a vCenter has another name as source of its
 *     events than in the ids of its objects
 * @param defaultVcenter name of the vCenter whose events do not name it; empty = the only one whose
 *     hosts are known
 * @param keepUnknown how long an event of an object that is not known is kept and tried again
 *     before it goes to the dead letters
 * @param maxUnknown events of unknown objects that are kept at most; further ones go to the dead
 *     letters at once
 * @param maxChangesPerMinute changes and alarms that a node records in a minute at most; further
 *     ones go to the dead letters
 * @param maxFuture an event that happened further ahead of the clock goes to the dead letters
 * @param maxAge an event that happened longer ago goes to the dead letters
 * @param maxRecordBytes a Kafka record that is larger goes to the dead letters
 */
@ConfigurationProperties("peerlens.events")
public record EventProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("peerlens.events") String topic,
    @DefaultValue("peerlens-events") String group,
    @DefaultValue("500") int maxPollRecords,
    @Nullable Path mappings,
    @DefaultValue({}) List<String> vcenters,
    @DefaultValue("") String defaultVcenter,
    @DefaultValue("24h") Duration keepUnknown,
    @DefaultValue("10000") int maxUnknown,
    @DefaultValue("60000") int maxChangesPerMinute,
    @DefaultValue("10m") Duration maxFuture,
    @DefaultValue("400d") Duration maxAge,
    @DefaultValue("4194304") int maxRecordBytes) {

  public EventProperties {
    if (topic.isBlank() || group.isBlank()) {
      throw new IllegalArgumentException("peerlens.events: topic and group must not be empty");
    }
    if (maxPollRecords < 1 || maxUnknown < 0 || maxChangesPerMinute < 1 || maxRecordBytes < 1) {
      throw new IllegalArgumentException(
          "peerlens.events: max-poll-records, max-changes-per-minute and max-record-bytes must be"
              + " at least 1, max-unknown at least 0");
    }
    if (keepUnknown.isNegative() || maxFuture.isNegative() || !maxAge.isPositive()) {
      throw new IllegalArgumentException(
          "peerlens.events: keep-unknown and max-future must not be negative, max-age greater than 0");
    }
    vcenters = List.copyOf(vcenters);
    new VCenters(vcenters, defaultVcenter);
  }

  /** The limits for the decoder. */
  EventGuards guards() {
    return new EventGuards(maxFuture, maxAge, maxRecordBytes);
  }

  /** Names of vCenters. */
  VCenters names() {
    return new VCenters(vcenters, defaultVcenter);
  }
}
