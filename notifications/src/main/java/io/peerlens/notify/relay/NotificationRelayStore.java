package io.peerlens.notify.relay;

import io.peerlens.api.model.NotificationRelayEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredForms;
import io.peerlens.definition.StoredRule;
import io.peerlens.notify.definition.NotificationProperties;
import io.peerlens.notify.definition.NotificationVersionStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Store of relays. Thread-safe. */
final class NotificationRelayStore
    extends DefinitionStore<NotificationRelayEdit, NotificationRelay> {

  private final ForeignAlertStore alerts;
  private final InstantSource clock;

  NotificationRelayStore(
      JdbcClient jdbc,
      NotificationVersionStore number,
      NotificationProperties properties,
      ForeignAlertStore alerts,
      InstantSource clock) {
    super(jdbc, number, StoredForms.NOTIFICATION_RELAY, properties.history());
    this.alerts = alerts;
    this.clock = clock;
  }

  /** The alerts of a relay that is deleted end with it. */
  @Override
  protected void replaced(JdbcClient jdbc, List<Replaced<NotificationRelay>> relays) {
    for (Replaced<NotificationRelay> one : relays) {
      if (one.before() != null && one.now() == null) {
        String source = one.before().name();
        alerts.open(source).forEach(key -> alerts.end(source, key, clock.instant()));
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
