package io.peerlens.outlier.explain;

import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierNotJudgedMember;
import io.peerlens.outliers.Evidence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Facts for the explanation of a member that is unlike its peers, or of a group that moved as a
 * whole.
 *
 * @param subject name of the member; null = the whole group
 * @param group its name
 * @param lead the metric that says most
 * @param peersLow least value of the others that were judged; NaN = there are none
 * @param peersHigh the greatest of them
 * @param judged how many others were judged
 * @param share of the members that moved together, from 0 to 1; for a group alone
 * @param hour the hour of the week in words, for a group whose median is not where it usually is
 * @param score signed robust deviations
 * @param limit the score from which on a bucket counts
 * @param since start of the first bucket beyond the limit
 * @param now start of the bucket that this is about
 * @param weekAgo value of the member a week before, at this hour; NaN = not known
 * @param groupMoved whether the middle of the group moved since before it began; null = not known
 * @param floor the minimum deviation, if it set the limit; NaN = it did not
 * @param alsoOut other metrics that make the event, or are beyond the limit too
 * @param unmoved other metrics that are not
 * @param missing members that were not judged, as far as they are named
 * @param missingCount how many there are
 */
record PeerFacts(
    @Nullable String subject,
    String group,
    OutlierEventMetric lead,
    double peersLow,
    double peersHigh,
    int judged,
    double share,
    String hour,
    boolean high,
    double score,
    double limit,
    Evidence evidence,
    int violations,
    int of,
    Duration bucket,
    Instant since,
    Instant now,
    double weekAgo,
    @Nullable Boolean groupMoved,
    double floor,
    List<OutlierEventMetric> alsoOut,
    List<OutlierEventMetric> unmoved,
    List<OutlierNotJudgedMember> missing,
    int missingCount) {}
