package io.peerlens.definition;

import io.peerlens.api.model.AlertDefinitionEdit;
import io.peerlens.api.model.DashboardEdit;
import io.peerlens.api.model.GroupEdit;
import io.peerlens.api.model.MaintenanceWindowEdit;
import io.peerlens.api.model.NotificationRelayEdit;
import io.peerlens.api.model.NotificationRuleEdit;
import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.api.model.NotificationTemplateEdit;
import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.PlaylistEdit;
import io.peerlens.api.model.ReportEdit;
import io.peerlens.api.model.SilenceEdit;
import io.peerlens.api.model.SourceEdit;
import io.peerlens.api.model.TalkerReportEdit;
import io.peerlens.api.model.ThresholdEdit;
import io.peerlens.api.model.ViewEdit;
import java.util.List;

/**
 * The stored form of every definition that the API has a model of, by table. Where the API and the
 * database differ, it stands here. Files of definitions as they were stored
 * (src/test/resources/stored) hold each form to what it was; super metrics and networks have a
 * column for each member instead, lookup tables a record of their own.
 */
public final class StoredForms {

  public static final StoredForm<AlertDefinitionEdit> ALERT_DEFINITION =
      StoredForm.of("alert_definition", AlertDefinitionEdit.class)
          .seconds("intervalSeconds", "interval")
          .renamed("criticality", "severity");
  public static final StoredForm<DashboardEdit> DASHBOARD =
      StoredForm.of("dashboard", DashboardEdit.class);
  public static final StoredForm<ViewEdit> DASHBOARD_VIEW =
      StoredForm.of("dashboard_view", ViewEdit.class);
  public static final StoredForm<MaintenanceWindowEdit> MAINTENANCE_WINDOW =
      StoredForm.of("maintenance_window", MaintenanceWindowEdit.class);
  public static final StoredForm<NotificationRelayEdit> NOTIFICATION_RELAY =
      StoredForm.of("notification_relay", NotificationRelayEdit.class)
          .capitals("labels.severities");
  public static final StoredForm<NotificationRuleEdit> NOTIFICATION_RULE =
      StoredForm.of("notification_rule", NotificationRuleEdit.class);
  public static final StoredForm<NotificationTargetEdit> NOTIFICATION_TARGET =
      StoredForm.of("notification_target", NotificationTargetEdit.class);
  public static final StoredForm<NotificationTemplateEdit> NOTIFICATION_TEMPLATE =
      StoredForm.of("notification_template", NotificationTemplateEdit.class);
  public static final StoredForm<GroupEdit> OBJECT_GROUP =
      StoredForm.of("object_group", GroupEdit.class);
  public static final StoredForm<OutlierGroupEdit> OUTLIER_GROUP =
      StoredForm.of("outlier_group", OutlierGroupEdit.class);
  public static final StoredForm<PlaylistEdit> PLAYLIST =
      StoredForm.of("playlist", PlaylistEdit.class);
  public static final StoredForm<SilenceEdit> SILENCE = StoredForm.of("silence", SilenceEdit.class);
  public static final StoredForm<ReportEdit> REPORT = StoredForm.of("report", ReportEdit.class);
  public static final StoredForm<SourceEdit> SOURCE = StoredForm.of("source", SourceEdit.class);
  public static final StoredForm<TalkerReportEdit> TALKER_REPORT =
      StoredForm.of("talker_report", TalkerReportEdit.class);
  public static final StoredForm<ThresholdEdit> THRESHOLD =
      StoredForm.of("threshold", ThresholdEdit.class).seconds("intervalSeconds", "interval");

  private StoredForms() {}

  /** All of them. */
  public static List<StoredForm<?>> all() {
    return List.of(
        ALERT_DEFINITION,
        DASHBOARD,
        DASHBOARD_VIEW,
        MAINTENANCE_WINDOW,
        NOTIFICATION_RELAY,
        NOTIFICATION_RULE,
        NOTIFICATION_TARGET,
        NOTIFICATION_TEMPLATE,
        OBJECT_GROUP,
        OUTLIER_GROUP,
        PLAYLIST,
        SILENCE,
        REPORT,
        SOURCE,
        TALKER_REPORT,
        THRESHOLD);
  }
}
