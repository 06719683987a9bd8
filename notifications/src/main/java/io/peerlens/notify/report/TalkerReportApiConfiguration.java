package io.peerlens.notify.report;

import io.peerlens.api.model.TalkerReportEdit;
import io.peerlens.definition.RuleItems;
import io.peerlens.notify.definition.NamedItems;
import io.peerlens.notify.definition.NotificationDefinitionConfiguration;
import io.peerlens.talker.report.TalkerReportConfiguration;
import io.peerlens.talker.report.TalkerReportStore;
import jakarta.validation.Validator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Endpoints of reports, and their section in rules files. */
@Configuration(proxyBeanMethods = false)
@Import({
  TalkerReportConfiguration.class,
  NotificationDefinitionConfiguration.class,
  TalkerReportService.class,
  TalkerReportUser.class,
  TalkerReportsController.class
})
public class TalkerReportApiConfiguration {

  @Bean
  RuleItems talkerReportItems(
      TalkerReportStore store, TalkerReportService service, Validator validator) {
    return NamedItems.of(
        "talkerReports",
        16,
        TalkerReportEdit.class,
        store,
        service,
        validator,
        TalkerReportService::normal);
  }
}
