package io.peerlens.suiteapi;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the API of vRealize Operations.
 *
 * @param enabled whether {@code /suite-api} is answered
 */
@ConfigurationProperties("peerlens.suite-api")
public record SuiteApiProperties(@DefaultValue("true") boolean enabled) {}
