package io.peerlens.database;

import com.zaxxer.hikari.HikariDataSource;
import java.time.InstantSource;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Connection pools, one for each kind of work, behind one data source, which takes the pool by the
 * thread's {@link Workload}. A pool opens its first connection when it is asked for one, so a node
 * has only those that its roles need.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ConnectionProperties.class)
public class DatabaseConfiguration {

  @Bean(defaultCandidate = false)
  HikariDataSource backgroundConnections(DataSourceProperties database, Environment environment) {
    return pool("background", database, environment);
  }

  @Bean(defaultCandidate = false)
  HikariDataSource apiConnections(
      DataSourceProperties database, Environment environment, ConnectionProperties properties) {
    HikariDataSource pool = pool("api", database, environment, properties.api());
    pool.setConnectionInitSql("set statement_timeout = " + properties.apiTimeout().toMillis());
    return pool;
  }

  @Bean(defaultCandidate = false)
  HikariDataSource ingestConnections(
      DataSourceProperties database, Environment environment, ConnectionProperties properties) {
    return pool("ingest", database, environment, properties.ingest());
  }

  @Bean(defaultCandidate = false)
  HikariDataSource notificationConnections(
      DataSourceProperties database, Environment environment, ConnectionProperties properties) {
    return pool("notification", database, environment, properties.notification());
  }

  @Bean(defaultCandidate = false)
  HikariDataSource healthConnections(DataSourceProperties database, Environment environment) {
    HikariDataSource pool = pool("health", database, environment, 1);
    pool.setConnectionTimeout(2_000);
    return pool;
  }

  @Bean
  @Primary
  DataSource dataSource(
      @Qualifier("apiConnections") DataSource api,
      @Qualifier("ingestConnections") DataSource ingest,
      @Qualifier("notificationConnections") DataSource notification,
      @Qualifier("backgroundConnections") DataSource background) {
    AbstractRoutingDataSource routing =
        new AbstractRoutingDataSource() {
          @Override
          protected Object determineCurrentLookupKey() {
            return Workload.current();
          }
        };
    routing.setTargetDataSources(
        Map.of(
            Workload.API, api,
            Workload.INGEST, ingest,
            Workload.NOTIFICATION, notification,
            Workload.BACKGROUND, background));
    return routing;
  }

  @Bean
  DatabaseHealth dbHealthIndicator(
      @Qualifier("healthConnections") DataSource connections, InstantSource clock) {
    return new DatabaseHealth(connections, clock);
  }

  private static HikariDataSource pool(
      String name, DataSourceProperties database, Environment environment, int most) {
    HikariDataSource pool = pool(name, database, environment);
    pool.setMaximumPoolSize(most);
    pool.setMinimumIdle(1);
    return pool;
  }

  private static HikariDataSource pool(
      String name, DataSourceProperties database, Environment environment) {
    HikariDataSource pool =
        database.initializeDataSourceBuilder().type(HikariDataSource.class).build();
    Binder.get(environment).bind("spring.datasource.hikari", Bindable.ofInstance(pool));
    pool.setPoolName(name);
    return pool;
  }
}
