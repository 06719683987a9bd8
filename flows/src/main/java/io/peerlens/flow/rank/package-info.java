/**
 * Roll-ups and rankings of flows: which of several observers counts ({@link
 * io.peerlens.flow.rank.Deduplication}), sums of a bucket ({@link
 * io.peerlens.flow.rank.FlowRollup}) and its top talkers ({@link
 * io.peerlens.flow.rank.TalkerRanking}). No database and no framework here.
 */
@NullMarked
package io.peerlens.flow.rank;

import org.jspecify.annotations.NullMarked;
