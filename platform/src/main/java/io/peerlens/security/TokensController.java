package io.peerlens.security;

import io.peerlens.api.TokensApi;
import io.peerlens.api.model.ApiTokenList;
import io.peerlens.api.model.CreatedToken;
import io.peerlens.api.model.TokenRequest;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class TokensController implements TokensApi {

  /** How long a token may go on beside the one that takes its place. */
  private static final Duration MOST_OVERLAP = Duration.ofDays(30);

  private final ApiTokens tokens;
  private final SecurityProperties properties;
  private final InstantSource clock;

  TokensController(ApiTokens tokens, SecurityProperties properties, InstantSource clock) {
    this.tokens = tokens;
    this.properties = properties;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<ApiTokenList> listTokens(Boolean revoked) {
    return ResponseEntity.ok(new ApiTokenList(tokens.list(revoked)));
  }

  @Override
  public ResponseEntity<CreatedToken> createToken(TokenRequest request) {
    String name = request.getName().strip();
    if (name.isEmpty()) {
      throw ApiException.invalidField("name", "is blank");
    }
    if (Caller.isNarrow(request.getRole())) {
      throw ApiException.invalidField(
              "role", "is " + request.getRole() + ", whose tokens are not made here")
          .hint(
              "A screen gets its token by pairing, a link by POST /api/v1/dashboards/{id}/links.");
    }
    Instant now = clock.instant();
    Instant expiresAt = now.plus(properties.tokenLife());
    if (request.getExpiresAt() != null) {
      expiresAt = Moments.field("expiresAt", request.getExpiresAt());
      if (!expiresAt.isAfter(now)) {
        throw ApiException.invalidField("expiresAt", expiresAt + " is not in the future");
      }
      Instant latest = now.plus(properties.tokenLongestLife());
      if (expiresAt.isAfter(latest)) {
        throw ApiException.invalidField(
                "expiresAt",
                "is after "
                    + latest.truncatedTo(ChronoUnit.SECONDS)
                    + ", the longest life of a token")
            .hint("Ask for a shorter life, or raise peerlens.security.token-longest-life.");
      }
    }
    CreatedToken created =
        tokens.create(name, request.getRole(), Caller.current().name(), expiresAt);
    return ResponseEntity.status(HttpStatus.CREATED)
        .cacheControl(CacheControl.noStore())
        .body(created);
  }

  @Override
  public ResponseEntity<CreatedToken> rotateToken(UUID id, String overlap) {
    Duration stays = Durations.parse(overlap);
    if (stays.compareTo(MOST_OVERLAP) > 0) {
      throw ApiException.invalidParameter(
          "overlap", "is longer than " + MOST_OVERLAP.toDays() + "d");
    }
    CreatedToken created =
        tokens.rotate(
            id,
            Caller.current().name(),
            stays,
            life -> clock.instant().plus(life.isZero() ? properties.tokenLife() : capped(life)));
    return ResponseEntity.status(HttpStatus.CREATED)
        .cacheControl(CacheControl.noStore())
        .body(created);
  }

  private Duration capped(Duration life) {
    Duration longest = properties.tokenLongestLife();
    return life.compareTo(longest) > 0 ? longest : life;
  }

  @Override
  public ResponseEntity<Void> revokeToken(UUID id) {
    tokens.revoke(id);
    return ResponseEntity.noContent().build();
  }
}
