package io.peerlens.notify.render;

import io.peerlens.notify.channel.Pictures;
import io.peerlens.words.MetricNameQueries;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Contexts of alerts and charts of mails, for the notifier and for previews. */
@Configuration(proxyBeanMethods = false)
public class RenderConfiguration {

  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final Duration REST = Duration.ofSeconds(30);

  @Bean
  Contexts notificationContexts(JdbcClient jdbc, @Value("${peerlens.notify.url:}") String url) {
    return new Contexts(new ContextQueries(jdbc), new PagesAddressQueries(jdbc, url));
  }

  @Bean
  Pictures alertPictures(DataSource dataSource, InstantSource clock) {
    // The statement ends on the server, too, so that nothing goes on that nobody waits for.
    JdbcTemplate timed = new JdbcTemplate(dataSource);
    timed.setQueryTimeout((int) LIMIT.toSeconds());
    JdbcClient jdbc = JdbcClient.create(timed);
    AlertCharts charts =
        new AlertCharts(new ChartQueries(jdbc), new MetricNameQueries(jdbc)::name, clock);
    return new Charts(charts::of, LIMIT, REST);
  }
}
