package io.peerlens.settings;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Settings and status of the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EditionProperties.class)
@Import({SettingsController.class, StatusController.class, SettingStore.class, StatusQueries.class})
public class SettingsConfiguration {}
