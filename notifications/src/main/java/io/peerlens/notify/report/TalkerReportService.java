package io.peerlens.notify.report;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.api.model.FieldError;
import io.peerlens.api.model.TalkerDirection;
import io.peerlens.api.model.TalkerMeasure;
import io.peerlens.api.model.TalkerReportEdit;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.RuleUser;
import io.peerlens.notify.channel.TargetType;
import io.peerlens.notify.definition.AdminOnly;
import io.peerlens.notify.definition.NotificationTarget;
import io.peerlens.notify.definition.NotificationTargetStore;
import io.peerlens.notify.definition.NotificationTemplate;
import io.peerlens.notify.definition.NotificationTemplates;
import io.peerlens.talker.report.ReportQuestions;
import io.peerlens.talker.report.TalkerReport;
import io.peerlens.talker.report.TalkerReportProperties;
import io.peerlens.talker.report.TalkerReportReader;
import io.peerlens.talker.report.TalkerReportStore;
import io.peerlens.web.ApiException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Reports, changed as people ask for it. */
final class TalkerReportService extends DefinitionService<TalkerReportEdit, TalkerReport> {

  private final TalkerReportStore store;
  private final NotificationTargetStore targets;
  private final NotificationTemplates templates;

  TalkerReportService(
      TalkerReportStore store,
      RuleStore rules,
      NotificationTargetStore targets,
      NotificationTemplates templates,
      InstantSource clock,
      TalkerReportProperties properties,
      ObjectProvider<RuleUser> users) {
    super(
        store,
        rules,
        clock,
        new DefinitionKind(
            "report",
            "/api/v1/talker-reports",
            properties.maxCount(),
            "peerlens.talker-reports.max-count"),
        () -> users.stream().toList());
    this.store = store;
    this.targets = targets;
    this.templates = templates;
  }

  @Override
  protected @Nullable UUID wantedId(TalkerReportEdit wanted) {
    return wanted.getId();
  }

  @Override
  protected TalkerReportEdit prepared(UUID id, TalkerReportEdit wanted, boolean isNew) {
    return normal("", wanted);
  }

  /**
   * A definition with what was left out filled in, or refused.
   *
   * @param path of the report in the body, with a point at its end, or empty
   */
  static TalkerReportEdit normal(String path, TalkerReportEdit wanted) {
    TalkerReportReader.read(new UUID(0, 0), 0, path, wanted);
    try {
      ReportQuestions.condition(wanted.getQuery());
    } catch (ApiException e) {
      FieldError wrong = e.errors().getFirst();
      ApiException problem =
          ApiException.invalidField(path + "query." + wrong.getField(), wrong.getReason());
      throw e.hint() == null ? problem : problem.hint(e.hint());
    }
    TalkerReportEdit edit = Definitions.of(Definitions.tree(wanted), TalkerReportEdit.class);
    edit.getQuery()
        .measure(requireNonNullElse(wanted.getQuery().getMeasure(), TalkerMeasure.BYTES))
        .direction(requireNonNullElse(wanted.getQuery().getDirection(), TalkerDirection.BOTH))
        .limit(requireNonNullElse(wanted.getQuery().getLimit(), TalkerReportReader.TALKERS));
    return edit;
  }

  @Override
  protected void check(TalkerReport report) {
    for (int i = 0; i < report.targets().size(); i++) {
      UUID id = report.targets().get(i);
      String path = "targets[" + i + "]";
      NotificationTarget target = targets.named(path, id);
      if (target.active().type() == TargetType.SNMP) {
        throw ApiException.invalidField(
                path,
                "\"%s\" is for SNMP, and a trap cannot hold a report".formatted(target.name()))
            .hint(
                "Name web hooks and mail; with shareAbove, a rule sends the alert of the report to"
                    + " SNMP targets.");
      }
    }
    Set<String> types = new HashSet<>();
    for (int i = 0; i < report.templates().size(); i++) {
      String path = "templates[" + i + "]";
      String named = report.templates().get(i);
      AlertTemplate template = templates.named(path, named);
      if (template.targetType().equals(TargetType.SNMP.value())) {
        throw ApiException.invalidField(path, "is for SNMP, and a trap cannot hold a report");
      }
      if (!types.add(template.targetType())) {
        throw ApiException.invalidField(
            path, "is the second one for targets of the type " + template.targetType());
      }
    }
    // Another target would get them, too.
    Set<String> before =
        store
            .find(report.id())
            .filter(old -> old.targets().containsAll(report.targets()))
            .map(this::secrets)
            .orElse(Set.of());
    AdminOnly.requireForSecrets(secrets(report), before);
  }

  private Set<String> secrets(TalkerReport report) {
    return report.templates().stream()
        .flatMap(named -> templates.find(named).stream())
        .map(NotificationTemplate::template)
        .flatMap(template -> template.needs().secrets().stream())
        .collect(Collectors.toSet());
  }
}
