package io.peerlens.supermetric;

import io.peerlens.definition.SuperMetricPacks;
import io.peerlens.frame.FrameConfiguration;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.supermetrics.file.ImportPlan;
import io.peerlens.vocabulary.Vocabularies;
import io.peerlens.vocabulary.VocabularyQueries;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Beans of the API of super metrics: definitions, files, previews and backfills. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FormulaProperties.class)
@Import({
  SuperMetricConfiguration.class,
  FrameConfiguration.class,
  ObjectLookup.class,
  SuperMetricController.class,
  SuperMetricService.class,
  SuperMetricList.class,
  SuperMetricFiles.class,
  FormulaChecks.class,
  SuperMetricReferences.class,
  SuperMetricStateQueries.class,
  PastFormulas.class,
  PastSuperMetrics.class,
  Previews.class,
  Effects.class,
  Backfills.class,
  BackfillStore.class
})
public class SuperMetricApiConfiguration {

  @Bean
  Vocabularies superMetricVocabularies(
      JdbcClient jdbc, InstantSource clock, SuperMetricProperties properties) {
    return new Vocabularies(new VocabularyQueries(jdbc), clock, properties.vocabularyAge());
  }

  @Bean
  SuperMetricPacks superMetricPacks(SuperMetricFiles files) {
    return name -> files.install(name, ImportPlan.OnConflict.SKIP, true, false);
  }
}
