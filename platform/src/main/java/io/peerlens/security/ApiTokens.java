package io.peerlens.security;

import io.peerlens.api.model.ApiToken;
import io.peerlens.api.model.CreatedToken;
import io.peerlens.api.model.UserRole;
import io.peerlens.security.TokenStore.Stored;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionOperations;

/** API tokens: create, list, rotate and revoke. */
public final class ApiTokens {

  private final TokenStore store;
  private final TransactionOperations transactions;
  private final InstantSource clock;

  ApiTokens(TokenStore store, TransactionOperations transactions, InstantSource clock) {
    this.store = store;
    this.transactions = transactions;
    this.clock = clock;
  }

  /**
   * Makes a token. The secret in the answer is kept nowhere.
   *
   * @param name who or what will use it
   * @param createdBy name of the token that asked, {@code launcher} or {@code first start}
   * @param expiresAt when it ends; null when it does not
   */
  public CreatedToken create(
      String name, UserRole role, String createdBy, @Nullable Instant expiresAt) {
    return create(Secret.TOKEN_PREFIX, name, role, createdBy, expiresAt, null);
  }

  /**
   * Makes the token of a public link. The secret in the answer is kept nowhere.
   *
   * @param name what it is for
   * @param boundTo the one thing that it reads
   */
  public CreatedToken createLink(String name, String createdBy, Instant expiresAt, UUID boundTo) {
    return create(Secret.LINK_PREFIX, name, UserRole.LINK, createdBy, expiresAt, boundTo);
  }

  private CreatedToken create(
      String prefix,
      String name,
      UserRole role,
      String createdBy,
      @Nullable Instant expiresAt,
      @Nullable UUID boundTo) {
    Secret secret = Secret.random(prefix);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Stored token =
        new Stored(
            UUID.randomUUID(),
            name,
            role,
            now,
            createdBy,
            expiresAt,
            null,
            null,
            secret.start(),
            boundTo);
    store.insert(token, secret.hash());
    return new CreatedToken(view(token), secret.value());
  }

  /**
   * Makes an admin token if none is in force: at the first start, or when the last one has expired.
   * It does not end, or nobody might be there to make another. Several nodes may ask at once.
   *
   * @param made called in the transaction that makes it
   */
  Optional<FirstAdminToken> createFirst(Consumer<CreatedToken> made) {
    return transactions.execute(
        status -> {
          store.lock();
          if (store.anyAdmin(clock.instant())) {
            return Optional.<FirstAdminToken>empty();
          }
          CreatedToken first = create("admin", UserRole.ADMIN, "first start", null);
          made.accept(first);
          return Optional.of(new FirstAdminToken(first.getSecret()));
        });
  }

  /**
   * All tokens, newest first.
   *
   * @param revoked with those that were revoked
   */
  List<ApiToken> list(boolean revoked) {
    return store.list(revoked).stream().map(ApiTokens::view).toList();
  }

  /**
   * Makes a token that takes the place of another: same name and role, and as long a life.
   *
   * @param overlap how long the other one still works
   * @throws ApiException if there is no such token in force
   */
  CreatedToken rotate(UUID id, String by, Duration overlap, Function<Duration, Instant> ends) {
    return Objects.requireNonNull(
        transactions.execute(
            status -> {
              store.lock();
              Instant now = clock.instant();
              Stored old =
                  store.find(id, now).orElseThrow(() -> ApiException.notFound("token", id));
              if (Caller.isNarrow(old.role())) {
                throw ApiException.of(
                        ErrorCode.CONFLICT,
                        "The token of a %s is not replaced.".formatted(old.role()))
                    .hint("Pair the screen again, or make another link, and revoke this one.");
              }
              Duration life =
                  old.expiresAt() == null
                      ? Duration.ZERO
                      : Duration.between(old.createdAt(), old.expiresAt());
              store.endAt(id, now.plus(overlap));
              return create(old.name(), old.role(), by, ends.apply(life));
            }));
  }

  /**
   * Ends a token, and every session opened with it.
   *
   * @throws ApiException 404 if there is none, 409 for the last one of an admin
   */
  public void revoke(UUID id) {
    transactions.executeWithoutResult(
        status -> {
          store.lock();
          Instant now = clock.instant();
          UserRole role = store.role(id).orElseThrow(() -> ApiException.notFound("token", id));
          if (role == UserRole.ADMIN && !store.anotherAdminThan(id, now)) {
            throw ApiException.of(
                    ErrorCode.CONFLICT,
                    "This is the last admin token; without it no other could be created.")
                .hint("Create another admin token first.");
          }
          store.revoke(id, now);
        });
  }

  private static ApiToken view(Stored token) {
    return new ApiToken(
        token.id(),
        token.name(),
        token.role(),
        token.createdAt(),
        token.createdBy(),
        token.lastUsedAt(),
        token.expiresAt(),
        token.revokedAt(),
        token.start());
  }
}
