package io.peerlens.security;

import static io.peerlens.database.Times.utc;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Store of pairing codes: screens that wait for approval. */
final class PairingStore {

  private static final String LOCK = "lock table pairing in share row exclusive mode";

  private static final String FORGET = "delete from pairing where expires_at <= :now";

  private static final String COUNT = "select count(*) from pairing";

  /** The oldest of the network that has the most, so that one network alone cannot fill it. */
  private static final String MAKE_ROOM =
      """
      delete from pairing where id = (
        select id from pairing
        where network = (
          select network from pairing group by network order by count(*) desc, min(created_at), network limit 1)
        order by created_at, id limit 1)
      """;

  private static final String INSERT =
      """
      insert into pairing (id, secret_hash, code, network, created_at, expires_at)
      values (:id, :hash, :code, :network, :now, :expires)
      """;

  private static final String APPROVE =
      """
      update pairing set token_id = :token, expires_at = :expires
      where code = :code and token_id is null and expires_at > :now
      """;

  private static final String WAITS =
      "select exists (select from pairing where secret_hash = :hash and expires_at > :now)";

  private static final String COLLECT =
      """
      delete from pairing where secret_hash = :hash and token_id is not null and expires_at > :now
      returning token_id
      """;

  private final JdbcClient jdbc;

  PairingStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Stores a screen that waits. Called in a transaction.
   *
   * @param code what is stored of the code
   * @param most screens that may wait at once; beyond them room is made
   */
  void insert(
      UUID id, byte[] hash, String code, String network, Instant now, Instant expires, int most) {
    jdbc.sql(LOCK).update();
    jdbc.sql(FORGET).param("now", utc(now)).update();
    if (jdbc.sql(COUNT).query(Long.class).single() >= most) {
      jdbc.sql(MAKE_ROOM).update();
    }
    jdbc.sql(INSERT)
        .param("id", id)
        .param("hash", hash)
        .param("code", code)
        .param("network", network)
        .param("now", utc(now))
        .param("expires", utc(expires))
        .update();
  }

  /** Gives the screen with this code a token; false when none waits. */
  boolean approve(String code, UUID token, Instant now, Instant expires) {
    return jdbc.sql(APPROVE)
            .param("code", code)
            .param("token", token)
            .param("now", utc(now))
            .param("expires", utc(expires))
            .update()
        > 0;
  }

  /** Whether a screen with this secret waits or may collect. */
  boolean waits(byte[] hash, Instant now) {
    return jdbc.sql(WAITS).param("hash", hash).param("now", utc(now)).query(Boolean.class).single();
  }

  /** The token of the screen with this secret, for one caller only; empty before it is approved. */
  Optional<UUID> collect(byte[] hash, Instant now) {
    return jdbc.sql(COLLECT)
        .param("hash", hash)
        .param("now", utc(now))
        .query(UUID.class)
        .optional();
  }
}
