package io.peerlens.role;

import io.peerlens.alert.AlertApiConfiguration;
import io.peerlens.assistant.AssistantConfiguration;
import io.peerlens.audit.AuditConfiguration;
import io.peerlens.capacity.CapacityApiConfiguration;
import io.peerlens.dashboard.DashboardConfiguration;
import io.peerlens.definition.RuleApiConfiguration;
import io.peerlens.evaluation.EvaluationApiConfiguration;
import io.peerlens.event.EventApiConfiguration;
import io.peerlens.flow.FlowApiConfiguration;
import io.peerlens.impact.ImpactApiConfiguration;
import io.peerlens.incident.IncidentApiConfiguration;
import io.peerlens.intake.IntakeConfiguration;
import io.peerlens.inventory.InventoryApiConfiguration;
import io.peerlens.job.JobApiConfiguration;
import io.peerlens.learning.LearnedTrafficConfiguration;
import io.peerlens.learning.LearningApiConfiguration;
import io.peerlens.maintenance.MaintenanceWindowApiConfiguration;
import io.peerlens.node.Role;
import io.peerlens.notify.channel.SnmpEngineApiConfiguration;
import io.peerlens.notify.definition.NotificationDefinitionApiConfiguration;
import io.peerlens.notify.delivery.DeliveryApiConfiguration;
import io.peerlens.notify.preview.PreviewApiConfiguration;
import io.peerlens.notify.relay.NotificationRelayApiConfiguration;
import io.peerlens.notify.report.TalkerReportApiConfiguration;
import io.peerlens.outlier.preview.OutlierPreviewConfiguration;
import io.peerlens.outlier.result.OutlierApiConfiguration;
import io.peerlens.outlier.suggest.OutlierSuggestionApiConfiguration;
import io.peerlens.panel.PanelConfiguration;
import io.peerlens.planning.PlanningConfiguration;
import io.peerlens.report.ReportConfiguration;
import io.peerlens.samples.IngestApiConfiguration;
import io.peerlens.scope.ScopeApiConfiguration;
import io.peerlens.security.AccessConfiguration;
import io.peerlens.series.SeriesConfiguration;
import io.peerlens.settings.SettingsConfiguration;
import io.peerlens.slow.api.WhySlowConfiguration;
import io.peerlens.source.state.SourceApiConfiguration;
import io.peerlens.suiteapi.SuiteApiConfiguration;
import io.peerlens.summary.SummaryConfiguration;
import io.peerlens.supermetric.SuperMetricApiConfiguration;
import io.peerlens.talker.TalkerApiConfiguration;
import io.peerlens.threshold.ThresholdApiConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The REST API and the pages. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.API)
@Import({
  AuditConfiguration.class,
  AccessConfiguration.class,
  AlertApiConfiguration.class,
  IncidentApiConfiguration.class,
  MaintenanceWindowApiConfiguration.class,
  InventoryApiConfiguration.class,
  SeriesConfiguration.class,
  PanelConfiguration.class,
  ImpactApiConfiguration.class,
  IngestApiConfiguration.class,
  FlowApiConfiguration.class,
  EventApiConfiguration.class,
  IntakeConfiguration.class,
  TalkerApiConfiguration.class,
  LearnedTrafficConfiguration.class,
  JobApiConfiguration.class,
  CapacityApiConfiguration.class,
  LearningApiConfiguration.class,
  EvaluationApiConfiguration.class,
  SettingsConfiguration.class,
  SummaryConfiguration.class,
  TalkerReportApiConfiguration.class,
  SuperMetricApiConfiguration.class,
  OutlierApiConfiguration.class,
  OutlierPreviewConfiguration.class,
  OutlierSuggestionApiConfiguration.class,
  ScopeApiConfiguration.class,
  ThresholdApiConfiguration.class,
  RuleApiConfiguration.class,
  NotificationDefinitionApiConfiguration.class,
  NotificationRelayApiConfiguration.class,
  DeliveryApiConfiguration.class,
  SnmpEngineApiConfiguration.class,
  PreviewApiConfiguration.class,
  SourceApiConfiguration.class,
  PlanningConfiguration.class,
  WhySlowConfiguration.class,
  DashboardConfiguration.class,
  ReportConfiguration.class,
  AssistantConfiguration.class,
  SuiteApiConfiguration.class
})
public class ApiRole {}
