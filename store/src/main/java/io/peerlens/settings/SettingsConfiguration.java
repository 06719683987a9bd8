package io.peerlens.settings;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Settings and status of the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EditionProperties.class)
@Import({SettingsController.class, StatusController.class})
public class SettingsConfiguration {

  @Bean
  SettingStore settingStore(JdbcClient jdbc) {
    return new SettingStore(jdbc);
  }

  @Bean
  StatusQueries statusQueries(JdbcClient jdbc) {
    return new StatusQueries(jdbc);
  }
}
