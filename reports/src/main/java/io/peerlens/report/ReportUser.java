package io.peerlens.report;

import io.peerlens.api.model.RuleRef;
import io.peerlens.notify.definition.NotificationUser;
import java.util.List;
import java.util.UUID;

/** References to targets by reports. */
record ReportUser(ReportStore store) implements NotificationUser {

  @Override
  public List<RuleRef> ofTarget(UUID target) {
    return NotificationUser.named(store, report -> report.targets().contains(target));
  }

  /** They have no templates. */
  @Override
  public List<RuleRef> ofTemplate(String template) {
    return List.of();
  }
}
