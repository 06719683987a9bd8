package io.peerlens.role;

import io.peerlens.audit.AuditMaintenanceConfiguration;
import io.peerlens.capacity.CapacityConfiguration;
import io.peerlens.evaluation.EvaluationConfiguration;
import io.peerlens.flow.FlowMaintenanceConfiguration;
import io.peerlens.incident.IncidentConfiguration;
import io.peerlens.learning.LearningTaskConfiguration;
import io.peerlens.node.Role;
import io.peerlens.outlier.suggest.OutlierSuggestionTaskConfiguration;
import io.peerlens.samples.KafkaConfiguration;
import io.peerlens.store.MaintenanceConfiguration;
import io.peerlens.talker.TalkerMaintenanceConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Roll-ups and retention, super metrics, thresholds, outliers and alerts. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.EVALUATOR)
@Import({
  KafkaConfiguration.class,
  AuditMaintenanceConfiguration.class,
  MaintenanceConfiguration.class,
  FlowMaintenanceConfiguration.class,
  TalkerMaintenanceConfiguration.class,
  LearningTaskConfiguration.class,
  EvaluationConfiguration.class,
  IncidentConfiguration.class,
  OutlierSuggestionTaskConfiguration.class,
  CapacityConfiguration.class
})
public class EvaluatorRole {}
