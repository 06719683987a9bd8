package io.peerlens.settings;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of the kind of installation this is.
 *
 * @param standalone whether database and broker come with the process; set by the standalone
 *     edition, and shown in the status
 */
@ConfigurationProperties("peerlens.edition")
public record EditionProperties(@DefaultValue("false") boolean standalone) {}
