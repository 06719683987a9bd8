package io.peerlens.definition;

import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of the API of rules files and packs. */
@Configuration(proxyBeanMethods = false)
@Import({RuleConfiguration.class, RulesController.class, RulePacks.class})
public class RuleApiConfiguration {

  @Bean
  RulesImporter rulesImporter(List<RuleItems> sorts, List<ChangeNumberStore> numbers) {
    return new RulesImporter(sorts, numbers);
  }

  @Bean
  RulesExporter rulesExporter(RulesImporter importer) {
    return new RulesExporter(importer.sorts());
  }
}
