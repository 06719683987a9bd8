package io.peerlens.source.definition;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Pauses of sources: a person does not want them to be read now. */
public final class SourcePauseStore {

  private static final String PAUSE =
      "update source set paused_at = :now, paused_by = :by where id = :id and paused_at is null";
  private static final String RESUME =
      "update source set paused_at = null, paused_by = null where id = :id and paused_at is not null";
  private static final String ALL =
      "select id, paused_at, paused_by from source where paused_at is not null";

  private final JdbcClient jdbc;

  SourcePauseStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A pause, from when on and by whom. */
  public record Pause(Instant at, String by) {}

  /** Pauses a source; one that is paused stays as it is. */
  public void pause(UUID id, Instant now, String by) {
    jdbc.sql(PAUSE).param("id", id).param("now", utc(now)).param("by", by).update();
  }

  /** Ends the pause of a source, if there is one. */
  public void resume(UUID id) {
    jdbc.sql(RESUME).param("id", id).update();
  }

  /** The pauses now, by source. */
  public Map<UUID, Pause> all() {
    Map<UUID, Pause> pauses = new HashMap<>();
    jdbc.sql(ALL)
        .query(
            row -> {
              pauses.put(
                  row.getObject("id", UUID.class),
                  new Pause(instant(row, "paused_at"), row.getString("paused_by")));
            });
    return pauses;
  }
}
