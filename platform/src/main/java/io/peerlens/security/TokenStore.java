package io.peerlens.security;

import static io.peerlens.database.Times.utcOrNull;

import io.peerlens.api.model.UserRole;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * API tokens and browser sessions in the database. Whatever ends one clears the cache of callers:
 * revoking works at once on this node, and on others when their cache has expired.
 */
final class TokenStore {

  /** Uses within this time are not written again. */
  private static final Duration USE_PRECISION = Duration.ofMinutes(1);

  private static final String INSERT =
      """
      insert into api_token (id, name, role, secret_hash, created_at, created_by, expires_at, start)
      values (:id, :name, :role, :hash, :now, :by, :expires, :start)
      """;

  private static final String LOCK = "lock table api_token in share row exclusive mode";

  private static final String ANY_ADMIN =
      """
      select exists (select from api_token where role = 'admin' and revoked_at is null
        and (expires_at is null or expires_at > :now))
      """;

  private static final String COLUMNS =
      "id, name, role, created_at, created_by, expires_at, last_used_at, revoked_at, start";

  private static final String BY_SECRET =
      "select "
          + COLUMNS
          + """
           from api_token
          where secret_hash = :hash and revoked_at is null and (expires_at is null or expires_at > :now)
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

  private static final String OPEN_SESSION =
      """
      insert into browser_session
        (secret_hash, token_id, created_at, expires_at, last_used_at, address, agent)
      values (:hash, :token, :now, :expires, :now, :address, :agent)
      returning id
      """;

  private static final String SESSION =
      """
      select s.id as session_id, t.id, t.name, t.role, s.expires_at, s.last_used_at as session_used,
             t.last_used_at, t.expires_at as token_expires
      from browser_session s join api_token t on t.id = s.token_id
      where s.secret_hash = :hash and s.expires_at > :now and s.last_used_at > :idleSince
        and t.revoked_at is null and (t.expires_at is null or t.expires_at > :now)
      """;

  private static final String SESSION_USED =
      """
      update browser_session set last_used_at = :now
      where secret_hash = :hash and last_used_at < :before
      """;

  private static final String END_SESSION = "delete from browser_session where secret_hash = :hash";

  private static final String END_OLD_SESSIONS =
      "delete from browser_session where expires_at <= :now or last_used_at <= :idleSince";

  private static final String OPEN_SESSIONS =
      """
      select s.id, s.token_id, t.name, t.role, s.created_at, s.last_used_at,
             least(s.expires_at, t.expires_at) as ends, s.address, s.agent,
             s.secret_hash is not distinct from :own::bytea as own
      from browser_session s join api_token t on t.id = s.token_id
      where s.expires_at > :now and s.last_used_at > :idleSince and t.revoked_at is null
        and (t.expires_at is null or t.expires_at > :now)
        and (:token::uuid is null or s.token_id = :token::uuid)
      order by s.last_used_at desc, s.id limit 1000
      """;

  private static final String END_SESSION_WITH_ID =
      "delete from browser_session where id = :id and (:token::uuid is null or token_id = :token::uuid)";

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
      @Nullable String start) {}

  /** A session as people see it. */
  record Seen(
      UUID id,
      UUID tokenId,
      String name,
      UserRole role,
      Instant createdAt,
      Instant lastUsedAt,
      Instant expiresAt,
      @Nullable String address,
      @Nullable String agent,
      boolean own) {}

  /** A session that is open. */
  record Session(
      UUID id,
      UUID tokenId,
      String name,
      UserRole role,
      Instant expiresAt,
      Instant lastUsedAt,
      @Nullable Instant tokenLastUsedAt) {}

  /** Keeps other nodes from creating or revoking tokens until the transaction ends. */
  void lock() {
    jdbc.sql(LOCK).update();
  }

  boolean anyAdmin(Instant now) {
    return jdbc.sql(ANY_ADMIN).param("now", utcOrNull(now)).query(Boolean.class).single();
  }

  void insert(Stored token, byte[] hash) {
    jdbc.sql(INSERT)
        .param("id", token.id())
        .param("name", token.name())
        .param("role", token.role().getValue())
        .param("hash", hash)
        .param("now", utcOrNull(token.createdAt()))
        .param("by", token.createdBy())
        .param("expires", utcOrNull(token.expiresAt()), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("start", token.start(), Types.VARCHAR)
        .update();
  }

  /** The token with this secret, when it is in force; notes that it was used. */
  Optional<Stored> use(byte[] hash, Instant now) {
    Optional<Stored> token =
        jdbc.sql(BY_SECRET)
            .param("hash", hash)
            .param("now", utcOrNull(now))
            .query(TokenStore::token)
            .optional();
    token.ifPresent(t -> used(t.id(), t.lastUsedAt(), now));
    return token;
  }

  private void used(UUID id, @Nullable Instant last, Instant now) {
    if (last == null || last.plus(USE_PRECISION).isBefore(now)) {
      jdbc.sql(USED)
          .param("now", utcOrNull(now))
          .param("before", utcOrNull(now.minus(USE_PRECISION)))
          .param("id", id)
          .update();
    }
  }

  /** The token with this id, when it is in force. */
  Optional<Stored> find(UUID id, Instant now) {
    return jdbc.sql(BY_ID)
        .param("id", id)
        .param("now", utcOrNull(now))
        .query(TokenStore::token)
        .optional();
  }

  List<Stored> list(boolean revoked) {
    return jdbc.sql(LIST).param("revoked", revoked).query(TokenStore::token).list();
  }

  /** Lets a token end then, unless it ends before. */
  void endAt(UUID id, Instant at) {
    jdbc.sql(END_AT).param("at", utcOrNull(at)).param("id", id).update();
    callers.clear();
  }

  Optional<UserRole> role(UUID id) {
    return jdbc.sql(ROLE).param("id", id).query(String.class).optional().map(UserRole::fromValue);
  }

  boolean anotherAdminThan(UUID id, Instant now) {
    return jdbc.sql(OTHER_ADMIN)
        .param("id", id)
        .param("now", utcOrNull(now))
        .query(Boolean.class)
        .single();
  }

  void revoke(UUID id, Instant now) {
    jdbc.sql(REVOKE).param("now", utcOrNull(now)).param("id", id).update();
    jdbc.sql(END_SESSIONS_OF).param("id", id).update();
    callers.clear();
  }

  /** Opens a session, and gives its id. */
  UUID openSession(
      byte[] hash,
      UUID token,
      Instant now,
      Instant expires,
      Instant idleSince,
      Sessions.Browser browser) {
    jdbc.sql(END_OLD_SESSIONS)
        .param("now", utcOrNull(now))
        .param("idleSince", utcOrNull(idleSince))
        .update();
    return jdbc.sql(OPEN_SESSION)
        .param("hash", hash)
        .param("token", token)
        .param("now", utcOrNull(now))
        .param("expires", utcOrNull(expires))
        .param("address", browser.address())
        .param("agent", browser.agent(), Types.VARCHAR)
        .query(UUID.class)
        .single();
  }

  /** The open session with this secret; notes that it was used, and its token with it. */
  Optional<Session> useSession(byte[] hash, Instant now, Instant idleSince) {
    Optional<Session> session =
        jdbc.sql(SESSION)
            .param("hash", hash)
            .param("now", utcOrNull(now))
            .param("idleSince", utcOrNull(idleSince))
            .query(TokenStore::session)
            .optional();
    session.ifPresent(
        s -> {
          if (s.lastUsedAt().plus(USE_PRECISION).isBefore(now)) {
            jdbc.sql(SESSION_USED)
                .param("now", utcOrNull(now))
                .param("before", utcOrNull(now.minus(USE_PRECISION)))
                .param("hash", hash)
                .update();
          }
          used(s.tokenId(), s.tokenLastUsedAt(), now);
        });
    return session;
  }

  void endSession(byte[] hash) {
    jdbc.sql(END_SESSION).param("hash", hash).update();
    callers.clear();
  }

  /**
   * Sessions that are open, the one that was used last first.
   *
   * @param token whose; null = all
   * @param own hash of the session that asks; null = none does
   */
  List<Seen> sessions(@Nullable UUID token, byte @Nullable [] own, Instant now, Instant idleSince) {
    return jdbc.sql(OPEN_SESSIONS)
        .param("token", token, Types.OTHER)
        .param("own", own, Types.BINARY)
        .param("now", utcOrNull(now))
        .param("idleSince", utcOrNull(idleSince))
        .query(TokenStore::seen)
        .list();
  }

  /**
   * Ends a session; false when there is none.
   *
   * @param token whose; null = anybody's
   */
  boolean endSession(UUID id, @Nullable UUID token) {
    int ended =
        jdbc.sql(END_SESSION_WITH_ID).param("id", id).param("token", token, Types.OTHER).update();
    callers.clear();
    return ended > 0;
  }

  private static Stored token(ResultSet row, int number) throws SQLException {
    return new Stored(
        row.getObject("id", UUID.class),
        row.getString("name"),
        UserRole.fromValue(row.getString("role")),
        row.getTimestamp("created_at").toInstant(),
        row.getString("created_by"),
        instant(row.getTimestamp("expires_at")),
        instant(row.getTimestamp("last_used_at")),
        instant(row.getTimestamp("revoked_at")),
        row.getString("start"));
  }

  private static Seen seen(ResultSet row, int number) throws SQLException {
    return new Seen(
        row.getObject("id", UUID.class),
        row.getObject("token_id", UUID.class),
        row.getString("name"),
        UserRole.fromValue(row.getString("role")),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("last_used_at").toInstant(),
        row.getTimestamp("ends").toInstant(),
        row.getString("address"),
        row.getString("agent"),
        row.getBoolean("own"));
  }

  private static Session session(ResultSet row, int number) throws SQLException {
    Instant expires = row.getTimestamp("expires_at").toInstant();
    Instant tokenExpires = instant(row.getTimestamp("token_expires"));
    return new Session(
        row.getObject("session_id", UUID.class),
        row.getObject("id", UUID.class),
        row.getString("name"),
        UserRole.fromValue(row.getString("role")),
        tokenExpires != null && tokenExpires.isBefore(expires) ? tokenExpires : expires,
        row.getTimestamp("session_used").toInstant(),
        instant(row.getTimestamp("last_used_at")));
  }

  private static @Nullable Instant instant(@Nullable Timestamp timestamp) {
    return timestamp == null ? null : timestamp.toInstant();
  }
}
