package io.peerlens.notify.relay;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.NotificationRelayEdit;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.notify.definition.AdminOnly;
import io.peerlens.notify.definition.NotificationProperties;
import io.peerlens.notify.definition.NotificationVersionStore;
import io.peerlens.notify.definition.SecretKeepingService;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Relays, changed as people ask for it; what is secret in them goes to the secret store. */
final class NotificationRelayService
    extends SecretKeepingService<NotificationRelayEdit, NotificationRelay> {

  private final NotificationRelayStore store;

  NotificationRelayService(
      NotificationRelayStore store,
      NotificationVersionStore number,
      Secrets secrets,
      InstantSource clock,
      NotificationProperties properties) {
    super(
        store,
        number,
        secrets,
        clock,
        new DefinitionKind(
            "relay",
            "/api/v1/notification-relays",
            properties.maxRelays(),
            "peerlens.notify.definitions.max-relays"),
        List::of);
    this.store = store;
  }

  @Override
  protected @Nullable UUID wantedId(NotificationRelayEdit wanted) {
    return wanted.getId();
  }

  @Override
  protected Split<NotificationRelayEdit> split(UUID id, NotificationRelayEdit wanted) {
    Split<NotificationRelayEdit> split = NotificationRelayReader.split(id, wanted);
    return new Split<>(normal("", split.edit()), split.values());
  }

  /** Senders, rules and alerts know a relay by its name. */
  @Override
  protected void check(NotificationRelay relay) {
    store
        .find(relay.id())
        .filter(before -> !before.name().equals(relay.name()))
        .ifPresent(
            before -> {
              throw ApiException.of(
                      ErrorCode.CONFLICT, "The relay is called %s.".formatted(before.name()))
                  .field("name", "cannot change: senders and rules know it by that")
                  .hint("Store another relay, and delete this one when it is no longer used.");
            });
  }

  /**
   * A definition with what was left out filled in, or refused.
   *
   * @param path of the relay in the body, with a point at its end, or empty
   */
  static NotificationRelayEdit normal(String path, NotificationRelayEdit wanted) {
    NotificationRelayReader.read(new UUID(0, 0), 0, path, wanted);
    NotificationRelayEdit edit = NotificationRelayReader.copy(wanted);
    edit.setId(null);
    edit.setEnabled(requireNonNullElse(edit.getEnabled(), true));
    return edit;
  }

  /**
   * A relay of a file, in which secrets are names.
   *
   * @param path of the relay in the file, with a point at its end
   */
  static NotificationRelayEdit ofFile(String path, NotificationRelayEdit wanted) {
    AdminOnly.require("A relay");
    if (!NotificationRelayReader.split(new UUID(0, 0), wanted).values().isEmpty()) {
      throw ApiException.invalidField(path + "auth", "holds a secret")
          .hint("Store it with PUT /api/v1/secrets/NAME, and name it: {\"secret\": \"NAME\"}.");
    }
    return normal(path, wanted);
  }
}
