package io.peerlens.outlier;

import io.peerlens.definition.PreviewLimits;
import io.peerlens.frame.Frames;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.learning.LearningProperties;
import io.peerlens.scope.Scopes;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Previews of groups, what sets members apart, and groups that the data suggest. */
@Configuration(proxyBeanMethods = false)
@Import({
  OutlierApiConfiguration.class,
  OutlierPreviewController.class,
  OutlierSuggestionsController.class
})
public class OutlierInsightConfiguration {

  @Bean
  OutlierGroupUses outlierGroupUses(
      OutlierGroupStore store,
      JdbcClient jdbc,
      Frames frames,
      PeerValues past,
      Scopes scopes,
      OutlierGroupAnswers answers,
      OutlierProperties properties) {
    return new OutlierGroupUses(
        store, new PreviewQueries(jdbc), frames, past, scopes, answers, properties);
  }

  @Bean
  OutlierPreviews outlierPreviews(
      JdbcClient jdbc,
      OutlierGroupStore groups,
      LearningProperties learning,
      Frames frames,
      PeerValues past,
      Scopes scopes,
      OutlierGroupAnswers answers,
      OutlierProperties properties,
      InstantSource clock) {
    PreviewQueries queries = new PreviewQueries(jdbc);
    return new OutlierPreviews(
        queries,
        groups,
        new MedianQueries(jdbc),
        learning,
        new ObjectLookup(jdbc),
        new PreviewWarnings(queries, new AttributeQueries(jdbc)),
        frames,
        past,
        scopes,
        answers,
        properties,
        new PreviewLimits(clock, System::nanoTime, properties.previewTime()),
        System::nanoTime);
  }
}
