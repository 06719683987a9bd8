package io.peerlens.notify.secret;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Secret store and its keys, for channels and the API. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SecretProperties.class)
@Import({KeyRing.class, SecretStore.class, Secrets.class})
public class SecretConfiguration {}
