package io.peerlens.outlier.explain;

import io.peerlens.outlier.group.OutlierGroup;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Past values that explanations need besides the bucket that they are about. */
interface ExplanationPast {

  /** A member that is named, and when it was heard of last; null = that is not known. */
  record Known(
      UUID id, String adapterKind, String objectKind, String name, @Nullable Instant seen) {}

  /** The hour that holds a moment, of one metric of a member. */
  record Hour(OutlierGroup group, String key, int object, Instant moment) {}

  /** A bucket of a group, by its start. */
  record Judged(UUID group, Instant bucket) {}

  /** A tick begins, in which this will be asked for: it is looked up together. */
  void prepare(Collection<Hour> hours, Collection<Judged> buckets);

  /** The middle of each metric in a bucket that was judged just now. */
  void judged(UUID group, Instant bucket, Map<String, Double> centres);

  /** The middle of a metric in a bucket of the group; NaN = it had none. */
  double centre(UUID group, Instant bucket, String key);

  /** The mean over an hour; NaN = there was no value, or too much was asked for in this tick. */
  double mean(Hour hour);

  /** Those that exist, by id within the database. */
  Map<Integer, Known> known(Collection<Integer> objects);
}
