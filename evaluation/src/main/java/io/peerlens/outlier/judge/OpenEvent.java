package io.peerlens.outlier.judge;

import io.peerlens.alert.Finding;
import io.peerlens.alert.Member;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outliers.Event;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event that is not closed, as it is stored.
 *
 * @param objectId {@link Event#GROUP} or {@link Event#SHIFT} = the whole group
 * @param lead the metric that says most, as part of an alert
 */
record OpenEvent(
    UUID id,
    int objectId,
    Event.Status status,
    boolean high,
    Instant since,
    double peak,
    Instant peakAt,
    int violations,
    int of,
    Lead lead,
    Finding.Explained explained) {

  /**
   * The metric that says most.
   *
   * @param value NaN = none
   * @param lower lower end of what is accepted of the member; NaN = not known
   */
  record Lead(String key, @Nullable String unit, double value, double lower, double upper) {}

  /** Whether it is about the whole group and no member. */
  boolean isOfGroup() {
    return objectId == Event.GROUP || objectId == Event.SHIFT;
  }

  boolean isUnknown() {
    return status == Event.Status.UNKNOWN;
  }

  /** What it adds to an alert. */
  Finding finding(OutlierGroup group) {
    return new Finding(
        group.severity(),
        since,
        java.util.List.of(
            new Member(
                group.id(),
                group.name(),
                objectId,
                "",
                lead.key(),
                lead.unit(),
                group.severity(),
                lead.value(),
                null,
                "outside",
                lead.lower(),
                lead.upper(),
                since,
                violations,
                of,
                isUnknown())),
        explained);
  }
}
