package io.peerlens.security;

import io.peerlens.api.model.UserRole;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
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
      insert into api_token (id, name, role, secret_hash, created_at, created_by, expires_at)
      values (:id, :name, :role, :hash, :now, :by, :expires)
      """;

  private static final String LOCK = "lock table api_token in share row exclusive mode";

  private static final String ANY = "select exists (select from api_token)";

  private static final String BY_SECRET =
      """
      select id, name, role, created_at, created_by, expires_at, last_used_at from api_token
      where secret_hash = :hash and revoked_at is null and (expires_at is null or expires_at > :now)
      """;

  private static final String LIST =
      """
      select id, name, role, created_at, created_by, expires_at, last_used_at from api_token
      where revoked_at is null order by created_at desc, id
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
      insert into browser_session (secret_hash, token_id, created_at, expires_at, last_used_at)
      values (:hash, :token, :now, :expires, :now)
      """;

  private static final String SESSION =
      """
      select t.id, t.name, t.role, s.expires_at, s.last_used_at as session_used,
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

  /** A token that waits for somebody to approve it was revoked when it was made. */
  private static final String INSERT_PAIRING =
      """
      insert into api_token (id, name, role, secret_hash, created_at, created_by, expires_at, revoked_at)
      values (:id, 'screen', 'viewer', :hash, :now, :mark, :expires, :now)
      """;

  private static final String WAITING =
      "created_by like 'pairing %' and revoked_at = created_at and role = 'viewer'";

  private static final String FORGET_PAIRINGS =
      "delete from api_token where " + WAITING + " and expires_at <= :now";

  private static final String WAITING_PAIRINGS =
      "select count(*) from api_token where " + WAITING + " and expires_at > :now";

  private static final String APPROVE_PAIRING =
      """
      update api_token set revoked_at = null, name = :name, created_by = :by, expires_at = :expires
      where created_by = :mark and expires_at > :now and\s"""
          + WAITING;

  private static final String PAIRING =
      """
      select revoked_at is null from api_token
      where secret_hash = :hash and expires_at > :now and (revoked_at is null or revoked_at = created_at)
      """;

  private static final String SPEND =
      "update api_token set secret_hash = :other where secret_hash = :hash";

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
      @Nullable Instant lastUsedAt) {}

  /** A session that is open. */
  record Session(
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

  boolean any() {
    return jdbc.sql(ANY).query(Boolean.class).single();
  }

  void insert(Stored token, byte[] hash) {
    jdbc.sql(INSERT)
        .param("id", token.id())
        .param("name", token.name())
        .param("role", token.role().getValue())
        .param("hash", hash)
        .param("now", timestamp(token.createdAt()))
        .param("by", token.createdBy())
        .param("expires", timestamp(token.expiresAt()), Types.TIMESTAMP_WITH_TIMEZONE)
        .update();
  }

  /** The token with this secret, when it is in force; notes that it was used. */
  Optional<Stored> use(byte[] hash, Instant now) {
    Optional<Stored> token =
        jdbc.sql(BY_SECRET)
            .param("hash", hash)
            .param("now", timestamp(now))
            .query(TokenStore::token)
            .optional();
    token.ifPresent(t -> used(t.id(), t.lastUsedAt(), now));
    return token;
  }

  private void used(UUID id, @Nullable Instant last, Instant now) {
    if (last == null || last.plus(USE_PRECISION).isBefore(now)) {
      jdbc.sql(USED)
          .param("now", timestamp(now))
          .param("before", timestamp(now.minus(USE_PRECISION)))
          .param("id", id)
          .update();
    }
  }

  List<Stored> list() {
    return jdbc.sql(LIST).query(TokenStore::token).list();
  }

  Optional<UserRole> role(UUID id) {
    return jdbc.sql(ROLE).param("id", id).query(String.class).optional().map(UserRole::fromValue);
  }

  boolean anotherAdminThan(UUID id, Instant now) {
    return jdbc.sql(OTHER_ADMIN)
        .param("id", id)
        .param("now", timestamp(now))
        .query(Boolean.class)
        .single();
  }

  void revoke(UUID id, Instant now) {
    jdbc.sql(REVOKE).param("now", timestamp(now)).param("id", id).update();
    jdbc.sql(END_SESSIONS_OF).param("id", id).update();
    callers.clear();
  }

  void openSession(byte[] hash, UUID token, Instant now, Instant expires, Instant idleSince) {
    jdbc.sql(END_OLD_SESSIONS)
        .param("now", timestamp(now))
        .param("idleSince", timestamp(idleSince))
        .update();
    jdbc.sql(OPEN_SESSION)
        .param("hash", hash)
        .param("token", token)
        .param("now", timestamp(now))
        .param("expires", timestamp(expires))
        .update();
  }

  /** The open session with this secret; notes that it was used, and its token with it. */
  Optional<Session> useSession(byte[] hash, Instant now, Instant idleSince) {
    Optional<Session> session =
        jdbc.sql(SESSION)
            .param("hash", hash)
            .param("now", timestamp(now))
            .param("idleSince", timestamp(idleSince))
            .query(TokenStore::session)
            .optional();
    session.ifPresent(
        s -> {
          if (s.lastUsedAt().plus(USE_PRECISION).isBefore(now)) {
            jdbc.sql(SESSION_USED)
                .param("now", timestamp(now))
                .param("before", timestamp(now.minus(USE_PRECISION)))
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
   * Stores a viewer token that is not in force before it is approved.
   *
   * @param mark by which it is found again
   */
  void insertPairing(UUID id, byte[] hash, String mark, Instant now, Instant expires) {
    jdbc.sql(INSERT_PAIRING)
        .param("id", id)
        .param("hash", hash)
        .param("mark", mark)
        .param("now", timestamp(now))
        .param("expires", timestamp(expires))
        .update();
  }

  /** Forgets those that nobody has approved in time. */
  void forgetPairings(Instant now) {
    jdbc.sql(FORGET_PAIRINGS).param("now", timestamp(now)).update();
  }

  int waitingPairings(Instant now) {
    return jdbc.sql(WAITING_PAIRINGS).param("now", timestamp(now)).query(Integer.class).single();
  }

  /** Puts the token with this mark in force; false when none waits. */
  boolean approvePairing(String mark, String name, String by, Instant now, Instant expires) {
    return jdbc.sql(APPROVE_PAIRING)
            .param("mark", mark)
            .param("name", name)
            .param("by", by)
            .param("now", timestamp(now))
            .param("expires", timestamp(expires))
            .update()
        > 0;
  }

  /** Whether the token with this secret was approved; empty when there is none. */
  Optional<Boolean> pairing(byte[] hash, Instant now) {
    return jdbc.sql(PAIRING)
        .param("hash", hash)
        .param("now", timestamp(now))
        .query(Boolean.class)
        .optional();
  }

  /** Makes a secret void; its token and the sessions opened with it go on. */
  void spend(byte[] hash, byte[] other) {
    jdbc.sql(SPEND).param("other", other).param("hash", hash).update();
    callers.clear();
  }

  private static Stored token(ResultSet row, int number) throws SQLException {
    return new Stored(
        row.getObject("id", UUID.class),
        row.getString("name"),
        UserRole.fromValue(row.getString("role")),
        row.getTimestamp("created_at").toInstant(),
        row.getString("created_by"),
        instant(row.getTimestamp("expires_at")),
        instant(row.getTimestamp("last_used_at")));
  }

  private static Session session(ResultSet row, int number) throws SQLException {
    Instant expires = row.getTimestamp("expires_at").toInstant();
    Instant tokenExpires = instant(row.getTimestamp("token_expires"));
    return new Session(
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

  private static @Nullable OffsetDateTime timestamp(@Nullable Instant instant) {
    return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
  }
}
