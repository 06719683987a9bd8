package io.peerlens.notify.relay;

import io.peerlens.api.model.NotificationRelayEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredForms;
import io.peerlens.definition.StoredRule;
import io.peerlens.notify.definition.NotificationVersionStore;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The stored relays. Thread-safe. */
final class NotificationRelayStore
    extends DefinitionStore<NotificationRelayEdit, NotificationRelay> {

  private final Consumer<String> gone;

  /**
   * @param gone called with the name of a relay that is deleted, within the transaction
   */
  NotificationRelayStore(
      JdbcClient jdbc, NotificationVersionStore number, int historyKept, Consumer<String> gone) {
    super(jdbc, number, StoredForms.NOTIFICATION_RELAY, historyKept);
    this.gone = gone;
  }

  @Override
  protected void replaced(JdbcClient jdbc, List<Replaced<NotificationRelay>> relays) {
    for (Replaced<NotificationRelay> one : relays) {
      if (one.before() != null && one.now() == null) {
        gone.accept(one.before().name());
      }
    }
  }

  /** The relay of a name. */
  Optional<NotificationRelay> named(String name) {
    return byId().values().stream()
        .map(StoredRule::rule)
        .filter(relay -> relay.name().equals(name))
        .findFirst();
  }

  @Override
  protected NotificationRelay read(UUID id, long version, NotificationRelayEdit edit) {
    return NotificationRelayReader.read(id, version, "", edit);
  }

  @Override
  protected String name(NotificationRelay relay) {
    return relay.name();
  }

  @Override
  protected boolean isEnabled(NotificationRelay relay) {
    return relay.enabled();
  }
}
