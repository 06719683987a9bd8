package io.peerlens.notify.relay;

import static java.util.Objects.requireNonNullElse;
import static java.util.Objects.requireNonNullElseGet;

import io.peerlens.api.model.NotificationRelayEdit;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.notify.definition.NotificationVersionStore;
import io.peerlens.notify.relay.NotificationRelayReader.Parted;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Changes relays. What is secret in them goes to the secret store in the same transaction. */
final class NotificationRelayService
    extends DefinitionService<NotificationRelayEdit, NotificationRelay> {

  private final NotificationRelayStore store;
  private final NotificationVersionStore number;
  private final Secrets secrets;

  NotificationRelayService(
      NotificationRelayStore store,
      NotificationVersionStore number,
      Secrets secrets,
      InstantSource clock,
      int maxCount) {
    super(
        store,
        number,
        clock,
        new DefinitionKind(
            "relay",
            "/api/v1/notification-relays",
            maxCount,
            "peerlens.notify.definitions.max-relays"),
        List::of);
    this.store = store;
    this.number = number;
    this.secrets = secrets;
  }

  UUID create(NotificationRelayEdit wanted) {
    UUID id = requireNonNullElseGet(wanted.getId(), UUID::randomUUID);
    Parted parted = NotificationRelayReader.part(id, wanted);
    NotificationRelayEdit edit = normal("", parted.edit());
    return number.write(
        () -> {
          add(id, edit);
          keep(parted.values());
          return id;
        });
  }

  void change(UUID id, NotificationRelayEdit wanted, @Nullable String ifMatch) {
    if (wanted.getId() != null && !wanted.getId().equals(id)) {
      throw ApiException.invalidField("id", "is not the id of the path");
    }
    Parted parted = NotificationRelayReader.part(id, wanted);
    NotificationRelayEdit edit = normal("", parted.edit());
    number.write(
        () -> {
          replace(id, edit, ifMatch);
          keep(parted.values());
          return id;
        });
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
                  .hint("Store another relay, and delete this one when nobody sends to it.");
            });
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
    if (!NotificationRelayReader.part(new UUID(0, 0), wanted).values().isEmpty()) {
      throw ApiException.invalidField(path + "auth", "holds a secret")
          .hint("Store it with PUT /api/v1/secrets/NAME, and name it: {\"secret\": \"NAME\"}.");
    }
    return normal(path, wanted);
  }
}
