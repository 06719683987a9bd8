package io.peerlens.report;

import io.peerlens.api.model.DashboardEdit;
import io.peerlens.api.model.LoadProfileQuestion;
import io.peerlens.api.model.ReportEdit;
import io.peerlens.api.model.UserRole;
import io.peerlens.dashboard.Owned;
import io.peerlens.dashboard.OwnedDashboard;
import io.peerlens.dashboard.file.Variable;
import io.peerlens.definition.DefinitionAction;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.StoredRule;
import io.peerlens.notify.channel.TargetType;
import io.peerlens.notify.definition.NotificationTarget;
import io.peerlens.notify.definition.NotificationTargetStore;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reports, changed as people ask for it. */
final class ReportService extends DefinitionService<ReportEdit, Report> {

  private final ReportSources sources;
  private final NotificationTargetStore targets;

  ReportService(
      ReportStore store,
      RuleStore rules,
      ReportSources sources,
      NotificationTargetStore targets,
      InstantSource clock,
      ReportProperties properties) {
    super(
        store,
        rules,
        clock,
        new DefinitionKind(
            "report", "/api/v1/reports", properties.maxCount(), "peerlens.reports.max-count"),
        List::of);
    this.sources = sources;
    this.targets = targets;
  }

  @Override
  protected @Nullable UUID wantedId(ReportEdit wanted) {
    return wanted.getId();
  }

  @Override
  protected ReportEdit prepared(UUID id, ReportEdit wanted, boolean isNew) {
    return normal("", wanted);
  }

  @Override
  public void change(UUID id, ReportEdit wanted, @Nullable String ifMatch) {
    refuseAnotherId(id, wanted);
    replace(
        id,
        ifMatch,
        DefinitionAction.CHANGED,
        before -> {
          ReportEdit edit = Definitions.of(Definitions.tree(wanted), ReportEdit.class);
          if (edit.getOwner() == null && before != null) {
            edit.setOwner(before.rule().owner());
          }
          return normal("", edit);
        });
  }

  /**
   * A definition with what was left out filled in, or refused.
   *
   * @param path of the report in the body, with a point at its end, or empty
   */
  static ReportEdit normal(String path, ReportEdit wanted) {
    ReportReader.read(new UUID(0, 0), 0, path, wanted);
    ReportEdit edit = Definitions.of(Definitions.tree(wanted), ReportEdit.class);
    if (edit.getOwner() == null) {
      edit.setOwner(Caller.current().name());
    }
    return edit;
  }

  @Override
  protected void check(Report report) {
    check("", report);
  }

  /** Refuses a report that does not fit what is stored now. */
  void check(String path, Report report) {
    LoadProfileQuestion question = report.loadProfile();
    if (question == null) {
      readable(path, report);
    } else {
      sources.profiles().check(question);
    }
    if (report.dashboard() != null) {
      variables(path, report, sources.dashboard(report.dashboard()).orElseThrow());
    }
    for (int i = 0; i < report.targets().size(); i++) {
      String at = path + "targets[" + i + "]";
      NotificationTarget target = targets.named(at, report.targets().get(i));
      if (target.active().type() == TargetType.SNMP) {
        throw ApiException.invalidField(
                at, "\"%s\" is for SNMP, and a trap cannot hold a report".formatted(target.name()))
            .hint("Name web hooks and mail.");
      }
    }
  }

  /** It reads what its owner reads; whoever stores it reads that, too. */
  private void readable(String path, Report report) {
    Caller caller = Caller.current();
    String field = report.dashboard() == null ? "view" : "dashboard";
    Owned source = sources.of(report).filter(one -> sees(caller, one)).orElse(null);
    if (source == null) {
      throw ApiException.invalidField(path + field, "is not there, or is private to somebody else")
          .hint("GET /api/v1/%ss lists those that you may read.".formatted(field));
    }
    if (!ReportSources.reads(report.owner(), source)) {
      throw ApiException.invalidField(
              path + field,
              "\"%s\" is private, and not of %s, with whose rights the report runs"
                  .formatted(source.name(), report.owner()))
          .hint("Share it, or let its owner make the report.");
    }
  }

  private static boolean sees(Caller caller, Owned one) {
    return caller.role() == UserRole.ADMIN || ReportSources.reads(caller.name(), one);
  }

  private static void variables(
      String path, Report report, StoredRule<DashboardEdit, OwnedDashboard> source) {
    List<Variable> known = source.rule().dashboard().variables();
    List<String> names = known.stream().map(Variable::name).toList();
    for (String name : report.variables().keySet()) {
      if (!names.contains(name)) {
        throw ApiException.invalidField(
                path + "variables." + name, "is no variable of \"%s\"".formatted(source.name()))
            .hint("Its variables: " + String.join(", ", names) + ".");
      }
    }
    String each = report.each();
    if (each == null) {
      return;
    }
    Variable variable =
        known.stream().filter(one -> one.name().equals(each)).findFirst().orElse(null);
    if (variable == null) {
      throw ApiException.invalidField(
              path + "each", "is no variable of \"%s\"".formatted(source.name()))
          .hint("Its variables: " + String.join(", ", names) + ".");
    }
    if (!ReportContents.canBeListed(variable)) {
      throw ApiException.invalidField(
              path + "each", "has values that cannot be listed, as it is any " + variable.type())
          .hint("Name a variable of the type object or tag, or one with choices.");
    }
  }

  @Override
  protected boolean isVisible(StoredRule<ReportEdit, Report> stored) {
    Caller caller = Caller.current();
    Report report = stored.rule();
    return caller.role() == UserRole.ADMIN
        || caller.name().equals(report.owner())
        || report.loadProfile() != null
        || sources.of(report).filter(one -> sees(caller, one)).isPresent();
  }

  @Override
  protected void authorise(
      UUID id,
      @Nullable StoredRule<ReportEdit, Report> before,
      @Nullable Report now,
      DefinitionAction action) {
    Caller caller = Caller.current();
    if (now == null || caller.role() == UserRole.ADMIN || action == DefinitionAction.RESTORED) {
      return;
    }
    String owner = before == null ? caller.name() : before.rule().owner();
    if (!now.owner().equals(owner)) {
      throw ApiException.of(ErrorCode.FORBIDDEN, "Another owner is named by the role admin only.")
          .field("owner", "is not " + owner)
          .hint("Leave owner out, or ask an administrator.");
    }
  }

  boolean visible(StoredRule<ReportEdit, Report> stored) {
    return isVisible(stored);
  }
}
