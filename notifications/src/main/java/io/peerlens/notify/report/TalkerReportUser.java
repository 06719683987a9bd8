package io.peerlens.notify.report;

import io.peerlens.api.model.RuleRef;
import io.peerlens.notify.definition.NotificationUser;
import io.peerlens.talker.report.TalkerReportStore;
import java.util.List;
import java.util.UUID;

/** References to targets and templates by reports. */
record TalkerReportUser(TalkerReportStore store) implements NotificationUser {

  @Override
  public List<RuleRef> ofTarget(UUID target) {
    return NotificationUser.named(store, report -> report.targets().contains(target));
  }

  @Override
  public List<RuleRef> ofTemplate(String template) {
    return NotificationUser.named(store, report -> report.templates().contains(template));
  }
}
