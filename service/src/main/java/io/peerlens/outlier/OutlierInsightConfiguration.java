package io.peerlens.outlier;

import io.peerlens.alert.MetricNameQueries;
import io.peerlens.frame.Frames;
import io.peerlens.frame.Means;
import io.peerlens.rule.PreviewLimits;
import io.peerlens.scope.Scopes;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Previews of groups, what sets members apart, and groups that the data suggest. */
@Configuration(proxyBeanMethods = false)
@Import({OutlierConfiguration.class, OutlierPreviewController.class})
public class OutlierInsightConfiguration {

  @Bean
  OutlierPreviews outlierPreviews(
      JdbcClient jdbc,
      Frames frames,
      Means means,
      Scopes scopes,
      OutlierProperties properties,
      InstantSource clock) {
    return new OutlierPreviews(
        jdbc,
        frames,
        means,
        scopes,
        () -> new Names(new MetricNameQueries(jdbc)),
        group -> List.of(),
        properties,
        new PreviewLimits(clock, System::nanoTime, properties.previewTime()),
        System::nanoTime);
  }
}
