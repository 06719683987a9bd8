package io.peerlens.threshold;

import io.peerlens.api.model.ThresholdEdit;
import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.RuleItems;
import io.peerlens.frame.FrameConfiguration;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.learning.LearningConfiguration;
import jakarta.validation.Validator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Beans of the API of thresholds: definitions, rules files and previews. */
@Configuration(proxyBeanMethods = false)
@Import({
  ThresholdConfiguration.class,
  FrameConfiguration.class,
  LearningConfiguration.class,
  ObjectLookup.class,
  ThresholdController.class,
  ThresholdService.class,
  ThresholdQueries.class,
  ThresholdUses.class,
  ThresholdPreviews.class,
  RuleChecks.class,
  ThresholdChecks.class
})
public class ThresholdApiConfiguration {

  @Bean
  RuleItems thresholdItems(ThresholdStore store, ThresholdService service, Validator validator) {
    return new DefinitionItems<>(
        "thresholds",
        1,
        ThresholdEdit.class,
        store,
        service,
        (path, item) -> {
          ThresholdEdit given = Definitions.of(path, item, ThresholdEdit.class, validator);
          ThresholdEdit edit = service.normal(path + ".", given);
          return new RuleItems.Item(given.getId(), edit.getName(), Definitions.tree(edit));
        });
  }
}
