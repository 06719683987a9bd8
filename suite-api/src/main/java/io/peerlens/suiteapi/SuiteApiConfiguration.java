package io.peerlens.suiteapi;

import io.peerlens.api.AlertDefinitionsApi;
import io.peerlens.api.AlertsApi;
import io.peerlens.api.GroupsApi;
import io.peerlens.api.HealthApi;
import io.peerlens.api.LearningApi;
import io.peerlens.api.MaintenanceApi;
import io.peerlens.api.SuperMetricsApi;
import io.peerlens.api.ThresholdsApi;
import io.peerlens.audit.AuditedWork;
import io.peerlens.load.LoadLimits;
import io.peerlens.node.KafkaWriter;
import io.peerlens.samples.IngestProperties;
import io.peerlens.samples.KafkaConfiguration;
import io.peerlens.security.ClientSessions;
import io.peerlens.security.SignInBrake;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.words.MetricNameQueries;
import io.peerlens.words.MetricNames;
import jakarta.validation.Validator;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

/** The API of vRealize Operations, where it is not switched off. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SuiteApiProperties.class)
@ConditionalOnBooleanProperty(name = "peerlens.suite-api.enabled", matchIfMissing = true)
@Import({
  KafkaConfiguration.class,
  SystemQueries.class,
  ResourceQueries.class,
  ResourceKindQueries.class,
  RelationQueries.class,
  StatQueries.class,
  AlertReadQueries.class
})
public class SuiteApiConfiguration {

  /** The servlet asks who it is; cookies and tokens of the pages are not even looked at. */
  @Bean
  @Order(0)
  SecurityFilterChain suiteApiSecurity(HttpSecurity http) {
    http.securityMatcher(SuiteApiServlet.BASE + "/**")
        .sessionManagement(
            session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .csrf(AbstractHttpConfigurer::disable) // browsers send none of its tokens by themselves
        .formLogin(AbstractHttpConfigurer::disable)
        .httpBasic(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .authorizeHttpRequests(requests -> requests.anyRequest().permitAll());
    return http.build();
  }

  /** Keys of metrics have bars, and not all programs encode them. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> barsInQueries() {
    return factory ->
        factory.addConnectorCustomizers(
            connector -> connector.setProperty("relaxedQueryChars", "|[]"));
  }

  @Bean
  Routes suiteApiRoutes(
      SignIn signIn,
      SystemQueries system,
      ResourceQueries resources,
      ResourceKindQueries kinds,
      RelationQueries relations,
      StatQueries stats,
      AuditedWork audit,
      LoadLimits limits,
      AlertReadQueries alerts,
      AlertsApi alertsApi,
      AlertDefinitionsApi alertDefinitions,
      ThresholdsApi thresholds,
      SuperMetricsApi superMetrics,
      MaintenanceApi windows,
      GroupsApi groups,
      HealthApi health,
      LearningApi learning,
      SampleReader reader,
      LevelStates levels,
      DataSource dataSource,
      KafkaWriter kafka,
      IngestProperties ingest,
      InstantSource clock,
      Validator validator,
      JdbcClient jdbc) {
    ResourceForm form = new ResourceForm(resources, relations, health);
    StatReads reads = new StatReads(stats, reader, levels, clock);
    Routes routes = new Routes();
    signIn.addTo(routes);
    new SystemOperations(system, clock).addTo(routes);
    new KindOperations(kinds, resources, form, new MetricNames(new MetricNameQueries(jdbc)), clock)
        .addTo(routes);
    ResourceOperations found = new ResourceOperations(resources, relations, form, reads);
    found.addTo(routes);
    new DefinitionOperations(
            alertDefinitions, thresholds, alerts, kinds, new DefinitionChecks(validator), audit)
        .addTo(routes);
    new SuperMetricOperations(superMetrics, audit).addTo(routes);
    new MaintenanceOperations(found, resources, form, windows, groups, audit, clock).addTo(routes);
    new AlertOperations(alerts, found, resources, alertsApi, audit, clock).addTo(routes);
    new PropertyOperations(resources).addTo(routes);
    ObjectRecordStore records =
        new ObjectRecordStore(dataSource, jdbc, kafka, ingest.topic(), clock);
    new PushOperations(resources, form, records, audit, clock).addTo(routes);
    new RelationOperations(found, resources, relations, records, audit).addTo(routes);
    new StatOperations(resources, stats, reads, learning, limits, clock).addTo(routes);
    return routes;
  }

  @Bean
  SignIn suiteApiSignIn(ClientSessions sessions, SignInBrake brake, AuditedWork audit) {
    return new SignIn(sessions, brake, audit);
  }

  @Bean
  ServletRegistrationBean<SuiteApiServlet> suiteApi(
      Routes routes, SignIn signIn, LoadLimits limits) {
    ServletRegistrationBean<SuiteApiServlet> bean =
        new ServletRegistrationBean<>(
            new SuiteApiServlet(routes, signIn, limits), SuiteApiServlet.BASE + "/*");
    bean.setName("suiteApi");
    return bean;
  }
}
