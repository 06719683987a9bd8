package io.peerlens.supermetric;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of formula evaluation, in ticks, previews and backfills alike.
 *
 * @param emptyIsZero whether sum, avg, min and max over nothing are 0 rather than no value
 */
@ConfigurationProperties("peerlens.evaluation")
public record FormulaProperties(@DefaultValue("false") boolean emptyIsZero) {}
