package io.peerlens.security;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;
import static io.peerlens.database.Times.utcOrNull;

import io.peerlens.api.model.UserRole;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Store of API tokens. Whatever ends one clears the cache of callers: revoking works at once on
 * this node, and on others when their cache has expired.
 */
final class TokenStore {

  /** Uses within this time are not written again. */
  static final Duration USE_PRECISION = Duration.ofMinutes(1);

  private static final String INSERT =
      """
      insert into api_token (id, name, role, secret_hash, created_at, created_by, expires_at, start, bound_to)
      values (:id, :name, :role, :hash, :now, :by, :expires, :start, :bound)
      """;

  private static final String LOCK = "lock table api_token in share row exclusive mode";

  private static final String ANY_ADMIN =
      """
      select exists (select from api_token where role = 'admin' and revoked_at is null
        and (expires_at is null or expires_at > :now))
      """;

  private static final String COLUMNS =
      "id, name, role, created_at, created_by, expires_at, last_used_at, revoked_at, start, bound_to";

  /** A link is worth what its maker still may: one who could not make it now has none. */
  private static final String BY_SECRET =
      "select "
          + COLUMNS
          + """
           from api_token t
          where secret_hash = :hash and revoked_at is null and (expires_at is null or expires_at > :now)
            and (role <> 'link' or exists (select from api_token m
              where m.name = t.created_by and m.role in ('operator', 'admin') and m.revoked_at is null
                and (m.expires_at is null or m.expires_at > :now)))
          """;

  private static final String BY_ID =
      "select "
          + COLUMNS
          + """
           from api_token
          where id = :id and revoked_at is null and (expires_at is null or expires_at > :now)
          """;

  private static final String LIST =
      "select "
          + COLUMNS
          + """
           from api_token
          where revoked_at is null or :revoked order by created_at desc, id
          """;

  private static final String END_AT =
      """
      update api_token set expires_at = least(coalesce(expires_at, :at), :at)
      where id = :id and revoked_at is null
      """;

  private static final String PROLONG =
      """
      update api_token set expires_at = greatest(expires_at, :at)
      where id = :id and role = 'screen' and revoked_at is null
      """;

  private static final String USED =
      """
      update api_token set last_used_at = :now
      where id = :id and (last_used_at is null or last_used_at < :before)
      """;

  private static final String REVOKE =
      "update api_token set revoked_at = :now where id = :id and revoked_at is null";

  private static final String OTHER_ADMIN =
      """
      select exists (select from api_token where role = 'admin' and id <> :id
        and revoked_at is null and (expires_at is null or expires_at > :now))
      """;

  private static final String ROLE =
      "select role from api_token where id = :id and revoked_at is null";

  private static final String END_SESSIONS_OF = "delete from browser_session where token_id = :id";

  private final JdbcClient jdbc;
  private final CallerCache callers;

  TokenStore(JdbcClient jdbc, CallerCache callers) {
    this.jdbc = jdbc;
    this.callers = callers;
  }

  /** A token as stored, without its secret. */
  record Stored(
      UUID id,
      String name,
      UserRole role,
      Instant createdAt,
      String createdBy,
      @Nullable Instant expiresAt,
      @Nullable Instant lastUsedAt,
      @Nullable Instant revokedAt,
      @Nullable String start,
      @Nullable UUID boundTo) {}

  /** Keeps other nodes from creating or revoking tokens until the transaction ends. */
  void lock() {
    jdbc.sql(LOCK).update();
  }

  boolean anyAdmin(Instant now) {
    return jdbc.sql(ANY_ADMIN).param("now", utc(now)).query(Boolean.class).single();
  }

  void insert(Stored token, byte[] hash) {
    jdbc.sql(INSERT)
        .param("id", token.id())
        .param("name", token.name())
        .param("role", token.role().getValue())
        .param("hash", hash)
        .param("now", utc(token.createdAt()))
        .param("by", token.createdBy())
        .param("expires", utcOrNull(token.expiresAt()), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("start", token.start(), Types.VARCHAR)
        .param("bound", token.boundTo(), Types.OTHER)
        .update();
  }

  /** The token with this secret, when it is in force; notes that it was used. */
  Optional<Stored> use(byte[] hash, Instant now) {
    Optional<Stored> token =
        jdbc.sql(BY_SECRET)
            .param("hash", hash)
            .param("now", utc(now))
            .query(TokenStore::token)
            .optional();
    token.ifPresent(t -> used(t.id(), t.lastUsedAt(), now));
    return token;
  }

  /** Notes that a token was used; not more often than once a minute. */
  void used(UUID id, @Nullable Instant last, Instant now) {
    if (last == null || last.plus(USE_PRECISION).isBefore(now)) {
      jdbc.sql(USED)
          .param("now", utc(now))
          .param("before", utc(now.minus(USE_PRECISION)))
          .param("id", id)
          .update();
    }
  }

  /** The token with this id, when it is in force. */
  Optional<Stored> find(UUID id, Instant now) {
    return jdbc.sql(BY_ID)
        .param("id", id)
        .param("now", utc(now))
        .query(TokenStore::token)
        .optional();
  }

  List<Stored> list(boolean revoked) {
    return jdbc.sql(LIST).param("revoked", revoked).query(TokenStore::token).list();
  }

  /** Lets a token end then, unless it ends before. */
  void endAt(UUID id, Instant at) {
    jdbc.sql(END_AT).param("at", utc(at)).param("id", id).update();
    callers.clear();
  }

  /** Lets the token of a screen end then, if it would end before. */
  void prolong(UUID id, Instant at) {
    jdbc.sql(PROLONG).param("at", utc(at)).param("id", id).update();
    callers.clear();
  }

  Optional<UserRole> role(UUID id) {
    return jdbc.sql(ROLE).param("id", id).query(String.class).optional().map(UserRole::fromValue);
  }

  boolean anotherAdminThan(UUID id, Instant now) {
    return jdbc.sql(OTHER_ADMIN)
        .param("id", id)
        .param("now", utc(now))
        .query(Boolean.class)
        .single();
  }

  void revoke(UUID id, Instant now) {
    jdbc.sql(REVOKE).param("now", utc(now)).param("id", id).update();
    jdbc.sql(END_SESSIONS_OF).param("id", id).update();
    callers.clear();
  }

  private static Stored token(ResultSet row, int number) throws SQLException {
    return new Stored(
        row.getObject("id", UUID.class),
        row.getString("name"),
        UserRole.fromValue(row.getString("role")),
        instant(row, "created_at"),
        row.getString("created_by"),
        instantOrNull(row, "expires_at"),
        instantOrNull(row, "last_used_at"),
        instantOrNull(row, "revoked_at"),
        row.getString("start"),
        row.getObject("bound_to", UUID.class));
  }
}
