package io.peerlens.notify.report;

import io.peerlens.api.model.RuleRef;
import io.peerlens.api.model.TalkerReportEdit;
import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.RuleUser;
import io.peerlens.notify.target.NotificationTargetConfiguration;
import io.peerlens.notify.target.NotificationTargetStore;
import io.peerlens.notify.target.TargetUser;
import io.peerlens.notify.template.NotificationTemplateConfiguration;
import io.peerlens.notify.template.NotificationTemplates;
import io.peerlens.notify.template.TemplateUser;
import io.peerlens.talker.report.TalkerReport;
import io.peerlens.talker.report.TalkerReportConfiguration;
import io.peerlens.talker.report.TalkerReportProperties;
import io.peerlens.talker.report.TalkerReportStore;
import jakarta.validation.Validator;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Reports in the API. */
@Configuration(proxyBeanMethods = false)
@Import({
  TalkerReportConfiguration.class,
  NotificationTargetConfiguration.class,
  NotificationTemplateConfiguration.class,
  TalkerReportsController.class
})
public class TalkerReportApiConfiguration {

  @Bean
  TalkerReportService talkerReportService(
      TalkerReportStore store,
      RuleStore rules,
      NotificationTargetStore targets,
      NotificationTemplates templates,
      InstantSource clock,
      TalkerReportProperties properties,
      ObjectProvider<RuleUser> users) {
    return new TalkerReportService(
        store,
        rules,
        targets,
        templates,
        clock,
        properties.maxCount(),
        () -> users.stream().toList());
  }

  @Bean
  RuleItems talkerReportItems(
      TalkerReportStore store, TalkerReportService service, Validator validator) {
    return new DefinitionItems<>(
        "talkerReports",
        16,
        TalkerReportEdit.class,
        store,
        service,
        (path, item) -> {
          TalkerReportEdit given = Definitions.of(path, item, TalkerReportEdit.class, validator);
          TalkerReportEdit edit = TalkerReportService.normal(path + ".", given);
          return new RuleItems.Item(given.getId(), edit.getName(), Definitions.tree(edit));
        });
  }

  @Bean
  TemplateUser talkerReportsOfTemplates(TalkerReportStore store) {
    return template -> named(store, report -> report.templates().contains(template));
  }

  @Bean
  TargetUser talkerReportsOfTargets(TalkerReportStore store) {
    return target -> named(store, report -> report.targets().contains(target));
  }

  private static List<RuleRef> named(TalkerReportStore store, Predicate<TalkerReport> chosen) {
    return store.byId().values().stream()
        .filter(one -> chosen.test(one.rule()))
        .map(one -> new RuleRef(one.id(), one.name()))
        .sorted(Comparator.comparing(RuleRef::getName))
        .toList();
  }
}
