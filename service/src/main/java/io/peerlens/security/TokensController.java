package io.peerlens.security;

import io.peerlens.api.TokensApi;
import io.peerlens.api.model.ApiTokenList;
import io.peerlens.api.model.CreatedToken;
import io.peerlens.api.model.TokenRequest;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class TokensController implements TokensApi {

  private final ApiTokens tokens;
  private final InstantSource clock;

  TokensController(ApiTokens tokens, InstantSource clock) {
    this.tokens = tokens;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<ApiTokenList> listTokens() {
    return ResponseEntity.ok(new ApiTokenList(tokens.list()));
  }

  @Override
  public ResponseEntity<CreatedToken> createToken(TokenRequest request) {
    String name = request.getName().strip();
    if (name.isEmpty()) {
      throw ApiException.invalidField("name", "is blank");
    }
    Instant expiresAt = null;
    if (request.getExpiresAt() != null) {
      expiresAt = Moments.field("expiresAt", request.getExpiresAt());
      if (!expiresAt.isAfter(clock.instant())) {
        throw ApiException.invalidField("expiresAt", expiresAt + " is not in the future");
      }
    }
    CreatedToken created =
        tokens.create(name, request.getRole(), Caller.current().name(), expiresAt);
    return ResponseEntity.status(HttpStatus.CREATED)
        .cacheControl(CacheControl.noStore())
        .body(created);
  }

  @Override
  public ResponseEntity<Void> revokeToken(UUID id) {
    tokens.revoke(id);
    return ResponseEntity.noContent().build();
  }
}
