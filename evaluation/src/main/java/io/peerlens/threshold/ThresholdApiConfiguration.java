package io.peerlens.threshold;

import io.peerlens.api.model.ThresholdEdit;
import io.peerlens.definition.DefinitionItems;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.PreviewLimits;
import io.peerlens.definition.RuleItems;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.RuleUser;
import io.peerlens.frame.FrameConfiguration;
import io.peerlens.frame.FrameProperties;
import io.peerlens.frame.Frames;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.learning.LearningConfiguration;
import io.peerlens.learning.PastBands;
import io.peerlens.scope.Scopes;
import io.peerlens.supermetric.PastSuperMetrics;
import jakarta.validation.Validator;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Thresholds in the API. */
@Configuration(proxyBeanMethods = false)
@Import({
  ThresholdConfiguration.class,
  FrameConfiguration.class,
  LearningConfiguration.class,
  ThresholdController.class,
  ThresholdQueries.class,
  RuleChecks.class,
  ThresholdChecks.class
})
public class ThresholdApiConfiguration {

  @Bean
  ThresholdService thresholdService(
      ThresholdStore store,
      RuleStore rules,
      InstantSource clock,
      ThresholdProperties properties,
      FrameProperties frames,
      ObjectProvider<RuleUser> users) {
    return new ThresholdService(
        store,
        rules,
        clock,
        properties.maxCount(),
        frames.metricAge(),
        () -> users.stream().toList());
  }

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

  @Bean
  ThresholdUses thresholdUses(
      ThresholdStore store,
      Frames frames,
      Scopes scopes,
      ThresholdProperties properties,
      FrameProperties frameProperties,
      PastBands bands) {
    return new ThresholdUses(store, frames, scopes, properties, frameProperties.metricAge(), bands);
  }

  @Bean
  ThresholdPreviews thresholdPreviews(
      ThresholdService service,
      ThresholdStore store,
      ThresholdChecks checks,
      Frames frames,
      Scopes scopes,
      JdbcClient jdbc,
      ThresholdProperties properties,
      FrameProperties frameProperties,
      PastAlerts alerts,
      PastBands bands,
      PastSuperMetrics superMetrics,
      InstantSource clock) {
    return new ThresholdPreviews(
        service,
        store,
        checks,
        frames,
        scopes,
        new ObjectLookup(jdbc),
        alerts,
        properties,
        frameProperties.metricAge(),
        new PreviewLimits(clock, System::nanoTime, properties.previewTime()),
        bands,
        superMetrics);
  }
}
