/**
 * What a change did: changes that people record, and two periods compared.
 *
 * <p>Values are five-minute means, read by {@link io.peerlens.series.SeriesService}; the statistics
 * are those of {@link io.peerlens.baselines.compare}.
 */
@NullMarked
package io.peerlens.impact;

import org.jspecify.annotations.NullMarked;
