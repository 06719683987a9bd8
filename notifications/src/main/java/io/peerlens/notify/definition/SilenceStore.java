package io.peerlens.notify.definition;

import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.SilenceEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredForms;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Store of silences. Thread-safe. */
public final class SilenceStore extends DefinitionStore<SilenceEdit, Silence> {

  private static final String OLD =
      """
      select id from silence where (definition ->> 'to')::timestamptz < :oldest and id <> all (:added)
      """;

  private final InstantSource clock;
  private final Duration kept;

  SilenceStore(
      JdbcClient jdbc,
      NotificationVersionStore number,
      InstantSource clock,
      NotificationProperties properties) {
    super(jdbc, number, StoredForms.SILENCE, properties.history());
    this.clock = clock;
    this.kept = properties.silencesKept();
  }

  @Override
  protected Silence read(UUID id, long version, SilenceEdit edit) {
    return SilenceReader.read(id, "", edit);
  }

  /** Silences have no names. */
  @Override
  protected String name(Silence silence) {
    return silence.id().toString();
  }

  @Override
  protected boolean isEnabled(Silence silence) {
    return true;
  }

  /** With every new one, those go that have been over for long. */
  @Override
  protected void replaced(JdbcClient jdbc, List<Replaced<Silence>> silences) {
    UUID[] added =
        silences.stream()
            .filter(one -> one.before() == null && one.now() != null)
            .map(Replaced::id)
            .toArray(UUID[]::new);
    if (added.length == 0) {
      return;
    }
    UUID[] old =
        jdbc.sql(OLD)
            .param("oldest", utc(clock.instant().minus(kept)))
            .param("added", added)
            .query(UUID.class)
            .list()
            .toArray(UUID[]::new);
    for (String table : List.of("silence where id", "silence_history where silence_id")) {
      jdbc.sql("delete from " + table + " = any (:old)").param("old", old).update();
    }
  }
}
