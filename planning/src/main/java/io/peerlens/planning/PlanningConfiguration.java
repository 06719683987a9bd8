package io.peerlens.planning;

import io.peerlens.frame.FrameConfiguration;
import io.peerlens.frame.Frames;
import io.peerlens.frame.Means;
import io.peerlens.impact.RecordedChangeStore;
import io.peerlens.inventory.ChangeQueries;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.job.Jobs;
import io.peerlens.node.KafkaWriter;
import io.peerlens.planning.sizing.SizingConfiguration;
import io.peerlens.samples.IngestProperties;
import io.peerlens.samples.KafkaConfiguration;
import io.peerlens.settings.SettingStore;
import io.peerlens.talker.TalkerAnswers;
import io.peerlens.talker.TalkerAnswersConfiguration;
import io.peerlens.talker.TalkerProperties;
import io.peerlens.web.OwnBodyLimits;
import java.time.InstantSource;
import java.util.Set;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Beans of benchmark runs, load profiles and their API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IngestProperties.class)
@Import({
  KafkaConfiguration.class,
  FrameConfiguration.class,
  RecordedChangeStore.class,
  ChangeQueries.class,
  TalkerAnswersConfiguration.class,
  BenchmarkRunsController.class,
  LoadProfilesController.class,
  SizingConfiguration.class
})
public class PlanningConfiguration {

  @Bean
  OwnBodyLimits benchmarkFileLimit() {
    return new OwnBodyLimits(Set.of(BenchmarkFileConverter.PATH));
  }

  @Bean
  WebMvcConfigurer benchmarkFiles() {
    return new WebMvcConfigurer() {
      @Override
      public void configureMessageConverters(HttpMessageConverters.ServerBuilder converters) {
        converters.addCustomConverter(new BenchmarkFileConverter());
      }
    };
  }

  @Bean
  BenchmarkImportStore benchmarkImportStore(
      JdbcClient jdbc, PlatformTransactionManager transactions) {
    return new BenchmarkImportStore(jdbc, new TransactionTemplate(transactions));
  }

  @Bean
  BenchmarkRunStore benchmarkRunStore(
      JdbcClient jdbc, PlatformTransactionManager transactions, BenchmarkImportStore imports) {
    return new BenchmarkRunStore(jdbc, new TransactionTemplate(transactions), imports);
  }

  @Bean
  BenchmarkRunRecords benchmarkRunRecords(
      BenchmarkRunStore store,
      RecordedChangeStore changes,
      PlatformTransactionManager transactions,
      KafkaWriter kafka,
      IngestProperties properties) {
    return new BenchmarkRunRecords(
        store, changes, new TransactionTemplate(transactions), kafka, properties.topic());
  }

  @Bean
  LoadProfileStore loadProfileStore(JdbcClient jdbc) {
    return new LoadProfileStore(jdbc);
  }

  @Bean
  LoadProfileRequests loadProfileRequests(LoadProfileStore store, InstantSource clock) {
    return new LoadProfileRequests(store, clock);
  }

  @Bean
  LoadProfileComputation loadProfileComputation(
      LoadProfileStore store, Frames frames, Means means) {
    return new LoadProfileComputation(store, frames, means);
  }

  @Bean
  LoadProfiles loadProfiles(
      LoadProfileStore store, LoadProfileComputation computation, Jobs jobs, InstantSource clock) {
    return new LoadProfiles(store, computation, jobs, clock);
  }

  @Bean
  LoadProfileAccesses loadProfileAccesses(
      JdbcClient jdbc, LoadProfileStore store, BenchmarkRunStore runs, InstantSource clock) {
    return new LoadProfileAccesses(new LoadProfileAccessStore(jdbc), store, runs, clock);
  }

  @Bean
  LoadProfilePeaks loadProfilePeaks(
      Frames frames,
      ChangeQueries changes,
      TalkerAnswers talkers,
      TalkerProperties properties,
      JdbcClient jdbc) {
    return new LoadProfilePeaks(frames, changes, talkers, properties, new ObjectLookup(jdbc));
  }

  @Bean
  LoadProfileReport loadProfileReport(
      LoadProfileRequests requests,
      LoadProfileStore store,
      LoadProfiles profiles,
      LoadProfilePeaks peaks,
      InstantSource clock) {
    return new LoadProfileReport(requests, store, profiles, peaks, clock);
  }

  @Bean
  LoadProfileFits loadProfileFits(
      BenchmarkRunStore runs, BenchmarkReadings readings, Frames frames) {
    return new LoadProfileFits(runs, readings, frames);
  }

  @Bean
  BenchmarkReadings benchmarkReadings(BenchmarkRunStore store) {
    return new BenchmarkReadings(store);
  }

  @Bean
  BenchmarkShapes benchmarkShapes(BenchmarkRunStore store) {
    return new BenchmarkShapes(store);
  }

  @Bean
  BenchmarkHosts benchmarkHosts(Frames frames, Means means) {
    return new BenchmarkHosts(frames, means);
  }

  @Bean
  BenchmarkProfiles benchmarkProfiles(LoadProfileStore profiles) {
    return new BenchmarkProfiles(profiles);
  }

  @Bean
  BenchmarkCriteriaStore benchmarkCriteriaStore(SettingStore settings) {
    return new BenchmarkCriteriaStore(settings);
  }

  @Bean
  BenchmarkDrift benchmarkDrift(BenchmarkRunStore store, BenchmarkRunRecords records) {
    return new BenchmarkDrift(store, records);
  }

  @Bean
  BenchmarkImports benchmarkImports(
      BenchmarkImportStore store,
      BenchmarkRunRecords records,
      BenchmarkDrift drift,
      Jobs jobs,
      InstantSource clock) {
    return new BenchmarkImports(store, records, drift, jobs, clock);
  }
}
