package io.peerlens.security;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.UserRole;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Store of browser sessions. Whatever ends one clears the cache of callers, as in {@link
 * TokenStore}.
 */
final class SessionStore {

  private static final String OPEN =
      """
      insert into browser_session
        (secret_hash, token_id, created_at, expires_at, last_used_at, address, agent)
      values (:hash, :token, :now, :expires, :now, :address, :agent)
      returning id
      """;

  private static final String BY_SECRET =
      """
      select s.id as session_id, t.id, t.name, t.role, s.expires_at, s.last_used_at as session_used,
             t.last_used_at, t.expires_at as token_expires
      from browser_session s join api_token t on t.id = s.token_id
      where s.secret_hash = :hash and s.expires_at > :now
        and (s.last_used_at > :idleSince or t.role = 'screen')
        and t.revoked_at is null and (t.expires_at is null or t.expires_at > :now)
      """;

  private static final String USED =
      """
      update browser_session set last_used_at = :now
      where secret_hash = :hash and last_used_at < :before
      """;

  private static final String PROLONG =
      "update browser_session set expires_at = greatest(expires_at, :expires) where secret_hash = :hash";

  private static final String END = "delete from browser_session where secret_hash = :hash";

  /** Screens are renewed while they live, so theirs end by age alone. */
  private static final String END_OLD =
      """
      delete from browser_session s
      where expires_at <= :now or (last_used_at <= :idleSince
        and not exists (select from api_token t where t.id = s.token_id and t.role = 'screen'))
      """;

  private static final String LIST =
      """
      select s.id, s.token_id, t.name, t.role, s.created_at, s.last_used_at,
             least(s.expires_at, t.expires_at) as ends, s.address, s.agent,
             s.secret_hash is not distinct from :own::bytea as own
      from browser_session s join api_token t on t.id = s.token_id
      where s.expires_at > :now and (s.last_used_at > :idleSince or t.role = 'screen') and t.revoked_at is null
        and (t.expires_at is null or t.expires_at > :now)
        and (:token::uuid is null or s.token_id = :token::uuid)
      order by s.last_used_at desc, s.id limit 1000
      """;

  private static final String END_WITH_ID =
      "delete from browser_session where id = :id and (:token::uuid is null or token_id = :token::uuid)";

  private final JdbcClient jdbc;
  private final TokenStore tokens;
  private final CallerCache callers;

  SessionStore(JdbcClient jdbc, TokenStore tokens, CallerCache callers) {
    this.jdbc = jdbc;
    this.tokens = tokens;
    this.callers = callers;
  }

  /**
   * A session in a list.
   *
   * @param own whether it is the one that asks
   */
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

  /** Opens a session, and gives its id. */
  UUID open(
      byte[] hash,
      UUID token,
      Instant now,
      Instant expires,
      Instant idleSince,
      Sessions.Browser browser) {
    jdbc.sql(END_OLD).param("now", utc(now)).param("idleSince", utc(idleSince)).update();
    return jdbc.sql(OPEN)
        .param("hash", hash)
        .param("token", token)
        .param("now", utc(now))
        .param("expires", utc(expires))
        .param("address", browser.address())
        .param("agent", browser.agent(), Types.VARCHAR)
        .query(UUID.class)
        .single();
  }

  /** The open session with this secret; notes that it was used, and its token with it. */
  Optional<Session> use(byte[] hash, Instant now, Instant idleSince) {
    Optional<Session> session =
        jdbc.sql(BY_SECRET)
            .param("hash", hash)
            .param("now", utc(now))
            .param("idleSince", utc(idleSince))
            .query(SessionStore::session)
            .optional();
    session.ifPresent(
        s -> {
          if (s.lastUsedAt().plus(TokenStore.USE_PRECISION).isBefore(now)) {
            jdbc.sql(USED)
                .param("now", utc(now))
                .param("before", utc(now.minus(TokenStore.USE_PRECISION)))
                .param("hash", hash)
                .update();
          }
          tokens.used(s.tokenId(), s.tokenLastUsedAt(), now);
        });
    return session;
  }

  /** Lets a session end then, if it would end before. */
  void prolong(byte[] hash, Instant expires) {
    jdbc.sql(PROLONG).param("expires", utc(expires)).param("hash", hash).update();
  }

  void end(byte[] hash) {
    jdbc.sql(END).param("hash", hash).update();
    callers.clear();
  }

  /**
   * Sessions that are open, the one that was used last first.
   *
   * @param token whose; null = all
   * @param own hash of the session that asks; null = none does
   */
  List<Seen> list(@Nullable UUID token, byte @Nullable [] own, Instant now, Instant idleSince) {
    return jdbc.sql(LIST)
        .param("token", token, Types.OTHER)
        .param("own", own, Types.BINARY)
        .param("now", utc(now))
        .param("idleSince", utc(idleSince))
        .query(SessionStore::seen)
        .list();
  }

  /**
   * Ends a session; false when there is none.
   *
   * @param token whose; null = anybody's
   */
  boolean end(UUID id, @Nullable UUID token) {
    int ended = jdbc.sql(END_WITH_ID).param("id", id).param("token", token, Types.OTHER).update();
    callers.clear();
    return ended > 0;
  }

  private static Seen seen(ResultSet row, int number) throws SQLException {
    return new Seen(
        row.getObject("id", UUID.class),
        row.getObject("token_id", UUID.class),
        row.getString("name"),
        UserRole.fromValue(row.getString("role")),
        instant(row, "created_at"),
        instant(row, "last_used_at"),
        instant(row, "ends"),
        row.getString("address"),
        row.getString("agent"),
        row.getBoolean("own"));
  }

  private static Session session(ResultSet row, int number) throws SQLException {
    Instant expires = instant(row, "expires_at");
    Instant tokenExpires = instantOrNull(row, "token_expires");
    return new Session(
        row.getObject("session_id", UUID.class),
        row.getObject("id", UUID.class),
        row.getString("name"),
        UserRole.fromValue(row.getString("role")),
        tokenExpires != null && tokenExpires.isBefore(expires) ? tokenExpires : expires,
        instant(row, "session_used"),
        instantOrNull(row, "last_used_at"));
  }
}
