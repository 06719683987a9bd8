package io.peerlens.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.UserRole;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SecretTest {

  @Test
  void noTextOfOursShowsASecret() {
    Secret secret = Secret.random(Secret.TOKEN_PREFIX);
    Caller caller =
        new Caller(new UUID(0, 1), "grafana", UserRole.VIEWER, null, null, secret.csrfToken());
    assertThat(secret.toString()).doesNotContain(secret.value());
    assertThat(new FirstAdminToken(secret.value()).toString()).doesNotContain(secret.value());
    assertThat(caller.toString()).doesNotContain(secret.csrfToken());
  }

  @Test
  void twoSecretsDiffer() {
    assertThat(Secret.random("x").value()).isNotEqualTo(Secret.random("x").value());
  }

  @Test
  void theCsrfTokenBelongsToItsSecret() {
    Secret secret = Secret.random(Secret.SESSION_PREFIX);
    assertThat(secret.hasCsrfToken(secret.csrfToken())).isTrue();
    assertThat(secret.hasCsrfToken(Secret.random("x").csrfToken())).isFalse();
    assertThat(secret.hasCsrfToken("")).isFalse();
  }
}
