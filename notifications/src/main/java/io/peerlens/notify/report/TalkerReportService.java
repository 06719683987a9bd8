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
import io.peerlens.notify.target.NotificationTarget;
import io.peerlens.notify.target.NotificationTargetStore;
import io.peerlens.notify.template.NotificationTemplate;
import io.peerlens.notify.template.NotificationTemplates;
import io.peerlens.talker.report.ReportQuestions;
import io.peerlens.talker.report.TalkerReport;
import io.peerlens.talker.report.TalkerReportReader;
import io.peerlens.talker.report.TalkerReportStore;
import io.peerlens.web.ApiException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Changes reports. */
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
      int maxCount,
      Supplier<List<RuleUser>> users) {
    super(
        store,
        rules,
        clock,
        new DefinitionKind(
            "report", "/api/v1/talker-reports", maxCount, "peerlens.talker-reports.max-count"),
        users);
    this.store = store;
    this.targets = targets;
    this.templates = templates;
  }

  UUID create(TalkerReportEdit wanted) {
    UUID id = wanted.getId() == null ? UUID.randomUUID() : wanted.getId();
    add(id, normal("", wanted));
    return id;
  }

  void change(UUID id, TalkerReportEdit wanted, @Nullable String ifMatch) {
    if (wanted.getId() != null && !wanted.getId().equals(id)) {
      throw ApiException.invalidField("id", "is not the id of the path");
    }
    replace(id, normal("", wanted), ifMatch);
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
      NotificationTarget target =
          targets
              .find(id)
              .orElseThrow(
                  () ->
                      ApiException.invalidField(path, "there is no target " + id)
                          .hint("GET /api/v1/notification-targets lists those that are stored."));
      if (target.inForce().type() == TargetType.SNMP) {
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
      AlertTemplate template =
          templates
              .find(named)
              .orElseThrow(
                  () ->
                      ApiException.invalidField(path, "there is no template \"" + named + "\"")
                          .hint("GET /api/v1/notification-templates lists those that there are."))
              .template();
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
