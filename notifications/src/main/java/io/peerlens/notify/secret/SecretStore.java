package io.peerlens.notify.secret;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Encrypted secrets in the database. */
final class SecretStore {

  private static final String FIND =
      "select key_id, nonce, sealed, version from secret where name = :name";

  private static final String LIST =
      "select name, key_id, version, created_at, created_by, updated_at, updated_by from secret order by name";

  private static final String PUT =
      """
      insert into secret (name, key_id, nonce, sealed, version, created_at, created_by, updated_at, updated_by)
      values (:name, :key, :nonce, :sealed, 1, :now, :by, :now, :by)
      on conflict (name) do update
      set key_id = :key, nonce = :nonce, sealed = :sealed, version = secret.version + 1,
          updated_at = :now, updated_by = :by
      """;

  private static final String SEALED_OTHERWISE =
      "select name from secret where key_id <> :key order by name";

  private static final String SEAL_AGAIN =
      """
      update secret set key_id = :key, nonce = :nonce, sealed = :sealed
      where name = :name and version = :version
      """;

  private static final String DELETE = "delete from secret where name = :name";

  private final JdbcClient jdbc;

  SecretStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A secret as stored. */
  record Stored(EncryptedSecret sealed, long version) {}

  /** Entry of a secret without its value. */
  record Entry(
      String name,
      String keyId,
      long version,
      Instant createdAt,
      String createdBy,
      Instant updatedAt,
      String updatedBy) {}

  Optional<Stored> find(String name) {
    return jdbc.sql(FIND)
        .param("name", name)
        .query(
            (row, number) ->
                new Stored(
                    new EncryptedSecret(
                        row.getString("key_id"), row.getBytes("nonce"), row.getBytes("sealed")),
                    row.getLong("version")))
        .optional();
  }

  List<Entry> list() {
    return jdbc.sql(LIST).query(SecretStore::entry).list();
  }

  void put(String name, EncryptedSecret sealed, Instant now, String by) {
    jdbc.sql(PUT)
        .param("name", name)
        .param("key", sealed.keyId())
        .param("nonce", sealed.nonce())
        .param("sealed", sealed.bytes())
        .param("now", now.atOffset(ZoneOffset.UTC))
        .param("by", by)
        .update();
  }

  List<String> sealedOtherwise(String keyId) {
    return jdbc.sql(SEALED_OTHERWISE)
        .param("key", keyId)
        .query((row, number) -> row.getString("name"))
        .list();
  }

  /** Says whether the secret still had the version. */
  boolean sealAgain(String name, long version, EncryptedSecret sealed) {
    return jdbc.sql(SEAL_AGAIN)
            .param("name", name)
            .param("version", version)
            .param("key", sealed.keyId())
            .param("nonce", sealed.nonce())
            .param("sealed", sealed.bytes())
            .update()
        == 1;
  }

  boolean delete(String name) {
    return jdbc.sql(DELETE).param("name", name).update() == 1;
  }

  private static Entry entry(ResultSet row, int number) throws SQLException {
    return new Entry(
        row.getString("name"),
        row.getString("key_id"),
        row.getLong("version"),
        row.getTimestamp("created_at").toInstant(),
        row.getString("created_by"),
        row.getTimestamp("updated_at").toInstant(),
        row.getString("updated_by"));
  }
}
