package io.peerlens.notify.definition;

import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredForms;
import io.peerlens.web.ApiException;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Store of targets. Thread-safe. */
public final class NotificationTargetStore
    extends DefinitionStore<NotificationTargetEdit, NotificationTarget> {

  private static final String LISTED =
      "GET /api/v1/notification-targets lists those that are stored.";

  NotificationTargetStore(
      JdbcClient jdbc, NotificationVersionStore number, NotificationProperties properties) {
    super(jdbc, number, StoredForms.NOTIFICATION_TARGET, properties.history());
  }

  /** The target of an id, or 404. */
  public NotificationTarget existing(UUID id) {
    return find(id)
        .orElseThrow(() -> ApiException.notFound("notification target", id).hint(LISTED));
  }

  /**
   * The target that a field names.
   *
   * @throws ApiException if there is none
   */
  public NotificationTarget named(String field, UUID id) {
    return find(id)
        .orElseThrow(
            () -> ApiException.invalidField(field, "there is no target " + id).hint(LISTED));
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
