package io.peerlens.notify.target;

import static java.util.Objects.requireNonNullElse;
import static java.util.Objects.requireNonNullElseGet;

import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.api.model.RuleRef;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.RuleUser;
import io.peerlens.notify.definition.NotificationVersionStore;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.notify.target.PlainSecrets.Parted;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Changes targets. What is secret in them goes to the secret store in the same transaction. */
final class NotificationTargetService
    extends DefinitionService<NotificationTargetEdit, NotificationTarget> {

  private final NotificationTargetStore store;
  private final NotificationVersionStore number;
  private final Secrets secrets;
  private final Supplier<List<TargetUser>> rules;

  NotificationTargetService(
      NotificationTargetStore store,
      NotificationVersionStore number,
      Secrets secrets,
      InstantSource clock,
      int maxCount,
      Supplier<List<RuleUser>> users,
      Supplier<List<TargetUser>> rules) {
    super(
        store,
        number,
        clock,
        new DefinitionKind(
            "notification target",
            "/api/v1/notification-targets",
            maxCount,
            "peerlens.notify.definitions.max-targets"),
        users);
    this.store = store;
    this.number = number;
    this.rules = rules;
    this.secrets = secrets;
  }

  UUID create(NotificationTargetEdit wanted) {
    UUID id = requireNonNullElseGet(wanted.getId(), UUID::randomUUID);
    Parted parted = PlainSecrets.part(id, "", wanted);
    NotificationTargetEdit edit = normal("", parted.edit());
    return number.write(
        () -> {
          add(id, edit);
          keep(parted.values());
          return id;
        });
  }

  void change(UUID id, NotificationTargetEdit wanted, @Nullable String ifMatch) {
    if (wanted.getId() != null && !wanted.getId().equals(id)) {
      throw ApiException.invalidField("id", "is not the id of the path");
    }
    Parted parted = PlainSecrets.part(id, "", wanted);
    NotificationTargetEdit edit = normal("", parted.edit());
    number.write(
        () -> {
          replace(id, edit, ifMatch);
          keep(parted.values());
          return id;
        });
  }

  /** Whether it still fits the templates of the rules that send to it. */
  @Override
  protected void check(NotificationTarget target) {
    boolean another =
        store
            .find(target.id())
            .filter(before -> before.inForce().type() != target.inForce().type())
            .isPresent();
    List<RuleRef> users =
        rules.get().stream().flatMap(user -> user.users(target.id()).stream()).toList();
    if (another && !users.isEmpty()) {
      throw ApiException.of(
              ErrorCode.CONFLICT,
              "The rule %s sends to it by a template for another type."
                  .formatted(users.getFirst().getName()))
          .field("type", "cannot change while a rule sends to it")
          .hint("Store another target, and change the rules.");
    }
  }

  private void keep(Map<String, String> values) {
    String by = Caller.current().name();
    values.forEach(
        (name, value) -> {
          try {
            secrets.put(name, value, by);
          } catch (SecretException e) {
            throw ApiException.of(
                    ErrorCode.CONFLICT, "The secret cannot be stored: " + e.getMessage() + ".")
                .hint("Give the name of a stored secret instead, or configure a key.");
          }
        });
  }

  /**
   * A definition with what was left out filled in, or refused.
   *
   * @param path of the target in the body, with a point at its end, or empty
   */
  static NotificationTargetEdit normal(String path, NotificationTargetEdit wanted) {
    NotificationTargetReader.read(new UUID(0, 0), 0, path, wanted);
    wanted.setEnabled(requireNonNullElse(wanted.getEnabled(), true));
    return wanted;
  }

  /**
   * A target of a file, in which secrets are names.
   *
   * @param path of the target in the file, with a point at its end
   */
  static NotificationTargetEdit ofFile(String path, NotificationTargetEdit wanted) {
    Parted parted = PlainSecrets.part(new UUID(0, 0), path, wanted);
    if (!parted.values().isEmpty()) {
      throw ApiException.invalidField(path + wanted.getType(), "holds a secret")
          .hint(
              "Store it with PUT /api/v1/secrets/NAME, and name it: {\"secret\": \"NAME\"}, in"
                  + " texts ${secret:NAME}.");
    }
    return normal(path, parted.edit());
  }
}
