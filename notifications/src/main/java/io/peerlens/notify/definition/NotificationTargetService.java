package io.peerlens.notify.definition;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.api.model.RuleRef;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.RuleUser;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Targets, changed as people ask for it; what is secret in them goes to the secret store. */
final class NotificationTargetService
    extends SecretKeepingService<NotificationTargetEdit, NotificationTarget> {

  private final NotificationTargetStore store;
  private final ObjectProvider<NotificationUser> senders;

  NotificationTargetService(
      NotificationTargetStore store,
      NotificationVersionStore number,
      Secrets secrets,
      InstantSource clock,
      NotificationProperties properties,
      ObjectProvider<RuleUser> users,
      ObjectProvider<NotificationUser> senders) {
    super(
        store,
        number,
        secrets,
        clock,
        new DefinitionKind(
            "notification target",
            "/api/v1/notification-targets",
            properties.maxTargets(),
            "peerlens.notify.definitions.max-targets"),
        () -> users.stream().toList());
    this.store = store;
    this.senders = senders;
  }

  @Override
  protected @Nullable UUID wantedId(NotificationTargetEdit wanted) {
    return wanted.getId();
  }

  @Override
  protected Split<NotificationTargetEdit> split(UUID id, NotificationTargetEdit wanted) {
    Split<NotificationTargetEdit> split = PlainSecrets.split(id, "", wanted);
    return new Split<>(normal("", split.edit()), split.values());
  }

  /** Rules and reports that send to a target. */
  List<RuleRef> usersOf(UUID target) {
    return senders.stream().flatMap(user -> user.ofTarget(target).stream()).toList();
  }

  /** Whether it still fits the templates of the rules that send to it. */
  @Override
  protected void check(NotificationTarget target) {
    boolean another =
        store
            .find(target.id())
            .filter(before -> before.active().type() != target.active().type())
            .isPresent();
    List<RuleRef> users = usersOf(target.id());
    if (another && !users.isEmpty()) {
      throw ApiException.of(
              ErrorCode.CONFLICT,
              "The rule %s sends to it by a template for another type."
                  .formatted(users.getFirst().getName()))
          .field("type", "cannot change while a rule sends to it")
          .hint("Store another target, and change the rules.");
    }
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
    AdminOnly.require("A target");
    Split<NotificationTargetEdit> split = PlainSecrets.split(new UUID(0, 0), path, wanted);
    if (!split.values().isEmpty()) {
      throw ApiException.invalidField(path + wanted.getType(), "holds a secret")
          .hint(
              "Store it with PUT /api/v1/secrets/NAME, and name it: {\"secret\": \"NAME\"}, in"
                  + " texts ${secret:NAME}.");
    }
    return normal(path, split.edit());
  }
}
