package io.peerlens.notify.target;

import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredForms;
import io.peerlens.notify.definition.NotificationVersionStore;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The stored targets. Thread-safe. */
public final class NotificationTargetStore
    extends DefinitionStore<NotificationTargetEdit, NotificationTarget> {

  NotificationTargetStore(JdbcClient jdbc, NotificationVersionStore number, int historyKept) {
    super(jdbc, number, StoredForms.NOTIFICATION_TARGET, historyKept);
  }

  @Override
  protected NotificationTarget read(UUID id, long version, NotificationTargetEdit edit) {
    return NotificationTargetReader.read(id, version, "", edit);
  }

  @Override
  protected String name(NotificationTarget target) {
    return target.name();
  }

  @Override
  protected boolean isEnabled(NotificationTarget target) {
    return target.enabled();
  }
}
