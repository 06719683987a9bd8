package io.peerlens.notify.secret;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Secrets in the API. */
@Configuration(proxyBeanMethods = false)
@Import({SecretConfiguration.class, SecretsController.class})
public class SecretApiConfiguration {}
