package io.peerlens.intake;

import static java.util.Map.entry;

import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.event.EventProperties;
import io.peerlens.node.KafkaWriter;
import io.peerlens.samples.IngestProperties;
import io.peerlens.samples.KafkaConfiguration;
import io.peerlens.security.Callers;
import io.peerlens.security.SecurityConfiguration;
import io.peerlens.web.OwnBodyLimits;
import io.peerlens.web.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** Intake of metrics and events over HTTP, on nodes that answer the API. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(
    name = "peerlens.intake.enabled",
    havingValue = "true",
    matchIfMissing = true)
@EnableConfigurationProperties({IntakeProperties.class, EventProperties.class})
@Import(KafkaConfiguration.class)
public class IntakeConfiguration {

  /** The servlets ask for the token themselves, in every way in which senders have one. */
  @Bean
  @Order(2)
  SecurityFilterChain intakeSecurity(HttpSecurity http) {
    List<String> paths = new ArrayList<>(IntakePaths.WRITING);
    paths.addAll(IntakePaths.ASKING);
    return SecurityConfiguration.ownCredentials(http.securityMatcher(paths.toArray(String[]::new)));
  }

  @Bean
  OwnBodyLimits intakeBodyLimits() {
    return new OwnBodyLimits(
        Set.of(
            IntakePaths.OTLP,
            IntakePaths.INFLUX_2,
            IntakePaths.INFLUX_1,
            IntakePaths.REMOTE_WRITE,
            IntakePaths.SAMPLES,
            IntakePaths.EVENTS,
            IntakePaths.QUERY));
  }

  @Bean
  IntakeGate intakeGate(Callers callers) {
    return new IntakeGate(callers);
  }

  @Bean
  ServletRegistrationBean<IntakeServlet> intakeServlet(
      IntakeGate gate,
      KafkaWriter kafka,
      IntakeProperties properties,
      IngestProperties ingest,
      EventProperties events,
      Problems problems,
      MeterRegistry meters) {
    Map<String, IntakeEndpoint> endpoints =
        Map.ofEntries(
            entry(IntakePaths.OTLP, new OtlpEndpoint()),
            entry(IntakePaths.INFLUX_2, new InfluxEndpoint(true)),
            entry(IntakePaths.INFLUX_1, new InfluxEndpoint(false)),
            entry(
                IntakePaths.REMOTE_WRITE,
                new RemoteWriteEndpoint(Math.toIntExact(properties.maxBodySize().toBytes()))),
            entry(IntakePaths.SAMPLES, new JsonEndpoint(IntakeEndpoint.Target.METRICS, problems)),
            entry(IntakePaths.EVENTS, new JsonEndpoint(IntakeEndpoint.Target.EVENTS, problems)));
    ServletRegistrationBean<IntakeServlet> bean =
        new ServletRegistrationBean<>(
            new IntakeServlet(
                endpoints,
                Map.of(
                    IntakeEndpoint.Target.METRICS,
                    ingest.topic(),
                    IntakeEndpoint.Target.EVENTS,
                    events.topic()),
                gate,
                kafka,
                properties,
                meters),
            IntakePaths.WRITING.toArray(String[]::new));
    bean.setName("intake");
    return bean;
  }

  @Bean
  ServletRegistrationBean<InfluxPing> influxPing(IntakeGate gate) {
    ServletRegistrationBean<InfluxPing> bean =
        new ServletRegistrationBean<>(
            new InfluxPing(gate), IntakePaths.ASKING.toArray(String[]::new));
    bean.setName("influxPing");
    return bean;
  }
}
