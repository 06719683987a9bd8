package io.peerlens.outlier.judge;

import java.util.ArrayList;
import java.util.List;

/** Changes of a tick while they are being found. */
final class PendingChanges {

  final List<OutlierChanges.Bucket> buckets = new ArrayList<>();
  final List<OutlierChanges.Learned> learned = new ArrayList<>();
  final List<OutlierChanges.HourOver> hours = new ArrayList<>();
  final List<OutlierChanges.HourLearned> past = new ArrayList<>();
  final List<OutlierChanges.Membership> membership = new ArrayList<>();
  final List<OutlierChanges.EventRow> events = new ArrayList<>();
  final List<OutlierChanges.DriftRow> drifted = new ArrayList<>();
  final List<OutlierChanges.Closed> closed = new ArrayList<>();
  final List<OutlierChanges.Step> steps = new ArrayList<>();
  final List<OutlierChanges.Differs> differs = new ArrayList<>();
  final List<OutlierChanges.Agrees> agrees = new ArrayList<>();
  final List<OutlierChanges.Failure> failures = new ArrayList<>();

  void add(PendingChanges more) {
    buckets.addAll(more.buckets);
    learned.addAll(more.learned);
    hours.addAll(more.hours);
    past.addAll(more.past);
    membership.addAll(more.membership);
    events.addAll(more.events);
    drifted.addAll(more.drifted);
    closed.addAll(more.closed);
    steps.addAll(more.steps);
    differs.addAll(more.differs);
    agrees.addAll(more.agrees);
    failures.addAll(more.failures);
  }

  OutlierChanges changes() {
    return new OutlierChanges(
        buckets,
        learned,
        hours,
        past,
        membership,
        events,
        drifted,
        closed,
        steps,
        differs,
        agrees,
        failures);
  }
}
