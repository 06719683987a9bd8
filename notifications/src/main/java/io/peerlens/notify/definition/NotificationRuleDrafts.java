package io.peerlens.notify.definition;

import io.peerlens.api.model.NotificationRuleEdit;
import java.util.UUID;

/** Notification rules to be tried, stored or not. */
public final class NotificationRuleDrafts {

  private final NotificationRuleService service;

  NotificationRuleDrafts(NotificationRuleService service) {
    this.service = service;
  }

  /**
   * A rule that need not be stored; its template and targets need not exist.
   *
   * @param path of the rule in the body, with a point at its end
   * @throws io.peerlens.web.ApiException if it makes no sense
   */
  public NotificationRule draft(String path, NotificationRuleEdit wanted) {
    return NotificationRuleReader.read(
        new UUID(0, 0), path, NotificationRuleService.normal(path, wanted));
  }

  /** One that is stored, or 404. */
  public NotificationRule stored(UUID id) {
    return service.get(id).rule();
  }
}
