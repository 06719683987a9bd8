package io.peerlens.notify.secret;

import io.peerlens.api.SecretsApi;
import io.peerlens.api.model.Secret;
import io.peerlens.api.model.SecretList;
import io.peerlens.api.model.SecretRotation;
import io.peerlens.api.model.SecretValue;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class SecretsController implements SecretsApi {

  private static final String NO_KEY =
      "Set peerlens.secrets.key-file to a file that holds a key, for instance of: openssl rand"
          + " -base64 32.";

  private final Secrets secrets;

  SecretsController(Secrets secrets) {
    this.secrets = secrets;
  }

  @Override
  public ResponseEntity<SecretList> listSecrets() {
    return ResponseEntity.ok(
        new SecretList(secrets.list().stream().map(SecretsController::answer).toList()));
  }

  private static Secret answer(Secrets.Listed listed) {
    return new Secret(
        listed.name(),
        listed.usedBy(),
        listed.keyId(),
        listed.openable(),
        listed.createdAt(),
        listed.createdBy(),
        listed.updatedAt(),
        listed.updatedBy());
  }

  @Override
  public ResponseEntity<Void> putSecret(String name, SecretValue value) {
    refuseWithoutKey();
    secrets.put(name, value.getValue(), Caller.current().name());
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<Void> deleteSecret(String name) {
    if (!secrets.exists(name)) {
      throw ApiException.notFound("secret", name)
          .hint("GET /api/v1/secrets lists those that are stored.");
    }
    List<String> users = secrets.usersOf(name);
    if (!users.isEmpty()) {
      throw ApiException.of(
              ErrorCode.CONFLICT,
              "The secret is used by %s%s."
                  .formatted(
                      String.join(", ", users.stream().limit(5).toList()),
                      users.size() > 5 ? " and %d more".formatted(users.size() - 5) : ""))
          .hint("Change these first.");
    }
    secrets.delete(name);
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<SecretRotation> rotateSecretKey() {
    refuseWithoutKey();
    Secrets.Rotation done = secrets.rotate();
    return ResponseEntity.ok(new SecretRotation(done.resealed(), done.keyId(), done.unopenable()));
  }

  private void refuseWithoutKey() {
    if (!secrets.usable()) {
      throw ApiException.of(ErrorCode.CONFLICT, "There is no key to seal secrets with.")
          .hint(NO_KEY);
    }
  }
}
