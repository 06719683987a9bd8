package io.peerlens.notify.chart;

import io.peerlens.alert.MetricNameQueries;
import io.peerlens.notify.channel.Pictures;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The charts of mails; for who delivers and for who shows previews. */
@Configuration(proxyBeanMethods = false)
public class ChartConfiguration {

  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final Duration REST = Duration.ofSeconds(30);

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
