package io.peerlens.notify.secret;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Endpoints of secrets. */
@Configuration(proxyBeanMethods = false)
@Import({SecretConfiguration.class, SecretsController.class})
public class SecretApiConfiguration {}
