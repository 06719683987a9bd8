package io.peerlens.event;

import io.peerlens.api.model.EventIngestStatus;
import io.peerlens.api.model.IngestStatus;
import io.peerlens.database.Times;
import io.peerlens.samples.IngestStatusPart;
import io.peerlens.samples.TopicOffsets;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Status of the reading of events, from what is stored and from Kafka. */
final class EventStatusQueries implements IngestStatusPart {

  private static final String STATUS =
      """
      select (select count(*) from event_waiting) as waiting,
             (select min(received_at) from event_waiting) as oldest,
             (select count(*) from dead_letter where topic = :topic) as letters
      """;

  private final JdbcClient jdbc;
  private final TopicOffsets offsets;
  private final EventProperties properties;

  EventStatusQueries(JdbcClient jdbc, TopicOffsets offsets, EventProperties properties) {
    this.jdbc = jdbc;
    this.offsets = offsets;
    this.properties = properties;
  }

  @Override
  public void addTo(IngestStatus status, Instant now) {
    if (properties.enabled()) {
      status.events(read());
    }
  }

  private EventIngestStatus read() {
    Long lag = TopicOffsets.totalLag(offsets.read(List.of()));
    return jdbc.sql(STATUS)
        .param("topic", properties.topic())
        .query(
            (row, number) ->
                new EventIngestStatus(
                    properties.topic(),
                    lag,
                    row.getLong("waiting"),
                    Times.instantOrNull(row, "oldest"),
                    row.getLong("letters")))
        .single();
  }
}
