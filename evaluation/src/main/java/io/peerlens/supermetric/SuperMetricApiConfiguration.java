package io.peerlens.supermetric;

import io.peerlens.definition.PreviewLimits;
import io.peerlens.definition.SuperMetricPacks;
import io.peerlens.frame.FrameConfiguration;
import io.peerlens.frame.FrameProperties;
import io.peerlens.frame.Frames;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.job.Jobs;
import io.peerlens.store.RollUpProperties;
import io.peerlens.supermetrics.file.ImportPlan;
import io.peerlens.supermetrics.program.Program;
import io.peerlens.vocabulary.Vocabularies;
import io.peerlens.vocabulary.VocabularyQueries;
import java.time.InstantSource;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Super metrics in the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(FormulaProperties.class)
@Import({
  SuperMetricConfiguration.class,
  FrameConfiguration.class,
  SuperMetricController.class,
  SuperMetricList.class,
  SuperMetricFiles.class,
  FormulaChecks.class,
  SuperMetricReferences.class,
  SuperMetricStateQueries.class
})
public class SuperMetricApiConfiguration {

  @Bean
  SuperMetricService superMetricService(
      SuperMetricStore store, InstantSource clock, SuperMetricProperties properties) {
    return new SuperMetricService(store, clock, properties.maxCount());
  }

  @Bean
  Importer superMetricImporter(SuperMetricStore store, SuperMetricProperties properties) {
    return new Importer(store, properties.maxCount());
  }

  @Bean
  Vocabularies superMetricVocabularies(
      JdbcClient jdbc, InstantSource clock, SuperMetricProperties properties) {
    return new Vocabularies(new VocabularyQueries(jdbc), clock, properties.vocabularyAge());
  }

  @Bean
  SuperMetricPacks superMetricPacks(SuperMetricFiles files) {
    return name -> files.install(name, ImportPlan.OnConflict.SKIP, true, false);
  }

  @Bean
  Previews superMetricPreviews(
      SuperMetricStore store,
      JdbcClient jdbc,
      Frames frames,
      SuperMetricProperties properties,
      FrameProperties frameProperties,
      FormulaProperties formulas,
      InstantSource clock) {
    return new Previews(
        store,
        new ObjectReferenceQueries(jdbc),
        frames,
        properties,
        frameProperties.metricAge(),
        options(formulas, properties),
        clock);
  }

  @Bean
  Effects superMetricEffects(
      SuperMetricStore store,
      List<SuperMetricUser> users,
      Frames frames,
      Policies policies,
      JdbcClient jdbc,
      SuperMetricProperties properties,
      FrameProperties frameProperties,
      FormulaProperties formulas,
      InstantSource clock) {
    return new Effects(
        store,
        users,
        frames,
        policies,
        new ObjectLookup(jdbc),
        frameProperties.metricAge(),
        options(formulas, properties),
        new PreviewLimits(clock, System::nanoTime, properties.previewTime()));
  }

  @Bean
  PastSuperMetrics pastSuperMetrics(
      SuperMetricStore store,
      Frames frames,
      Policies policies,
      SuperMetricProperties properties,
      FrameProperties frameProperties,
      FormulaProperties formulas) {
    return new PastSuperMetrics(
        store, policies, frames, frameProperties.metricAge(), options(formulas, properties));
  }

  @Bean
  Backfills superMetricBackfills(
      Frames frames,
      ResultStore sets,
      Policies policies,
      DataSource dataSource,
      JdbcClient jdbc,
      RollUpProperties rollUps,
      Jobs jobs,
      SuperMetricProperties properties,
      FrameProperties frameProperties,
      FormulaProperties formulas,
      InstantSource clock) {
    return new Backfills(
        frames,
        sets,
        policies,
        new BackfillStore(dataSource, jdbc, rollUps.lag(), clock),
        jobs,
        properties,
        frameProperties.metricAge(),
        options(formulas, properties),
        clock);
  }

  /** As the evaluation loop computes, whose settings these are; only the budget is a preview's. */
  private static Program.Options options(
      FormulaProperties formulas, SuperMetricProperties properties) {
    Program.Options usual = Program.Options.DEFAULT;
    return new Program.Options(
        formulas.emptyIsZero(), properties.previewTime(), usual.mostMembers(), usual.ticker());
  }
}
