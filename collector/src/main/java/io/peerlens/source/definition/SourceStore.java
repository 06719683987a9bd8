package io.peerlens.source.definition;

import io.peerlens.api.model.SourceEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredForms;
import io.peerlens.definition.StoredRule;
import io.peerlens.web.ApiException;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Store of sources. Thread-safe. */
public final class SourceStore extends DefinitionStore<SourceEdit, Source> {

  private static final String LOCK_LEASE =
      "select 1 from source_lease where source_id = :id for update";

  private final JdbcClient jdbc;

  SourceStore(JdbcClient jdbc, SourceVersionStore number, CollectorProperties properties) {
    super(jdbc, number, StoredForms.SOURCE, properties.history());
    this.jdbc = jdbc;
  }

  /**
   * Locks the lease of a source that is to be removed, as its collector does before it notes
   * something about the source: who locks both in the same order never waits for the other for
   * good. Within the write.
   */
  void lockLease(UUID id) {
    jdbc.sql(LOCK_LEASE).param("id", id).query(Integer.class).optional();
  }

  /** The source of an id, or 404. */
  public StoredRule<SourceEdit, Source> existing(UUID id) {
    StoredRule<SourceEdit, Source> stored = byId().get(id);
    if (stored == null) {
      throw ApiException.notFound("source", id)
          .hint("GET /api/v1/sources lists those that are stored.");
    }
    return stored;
  }

  @Override
  protected Source read(UUID id, long version, SourceEdit edit) {
    return SourceReader.read(id, version, edit);
  }

  @Override
  protected String name(Source source) {
    return source.name();
  }

  /** Whether it is read does not stand in its definition. */
  @Override
  protected boolean isEnabled(Source source) {
    return true;
  }
}
