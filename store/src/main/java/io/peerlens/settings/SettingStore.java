package io.peerlens.settings;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Settings as JSON with a version that counts their changes. */
public final class SettingStore {

  private static final String READ = "select value, version from setting where name = :name";

  private static final String INSERT =
      """
      insert into setting (name, value, version, updated_at, updated_by)
      values (:name, :value::jsonb, 1, :now, :by)
      on conflict (name) do nothing
      """;

  private static final String UPDATE =
      """
      update setting set value = :value::jsonb, version = version + 1, updated_at = :now, updated_by = :by
      where name = :name and version = :version
      """;

  private final JdbcClient jdbc;

  SettingStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A setting as stored.
   *
   * @param json null = never set, so the default holds
   * @param version 0 = never set
   */
  public record Stored(@Nullable String json, long version) {}

  /** A setting. */
  public Stored read(String name) {
    Optional<Stored> stored =
        jdbc.sql(READ)
            .param("name", name)
            .query((row, number) -> new Stored(row.getString("value"), row.getLong("version")))
            .optional();
    return stored.orElse(new Stored(null, 0));
  }

  /** Replaces the setting if it still has the version; says whether it had. */
  public boolean replace(String name, long version, String json, Instant now, String by) {
    JdbcClient.StatementSpec statement =
        jdbc.sql(version == 0 ? INSERT : UPDATE)
            .param("name", name)
            .param("value", json)
            .param("now", now.atOffset(ZoneOffset.UTC))
            .param("by", by);
    return (version == 0 ? statement : statement.param("version", version)).update() == 1;
  }
}
