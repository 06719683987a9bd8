package io.peerlens.outlier;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What explanations look up besides the bucket that they are about. */
interface ExplanationPast {

  /**
   * What was judged before.
   *
   * @param centre of the metric then; NaN = it had none
   * @param value of the member then; NaN = it had none
   */
  record Before(double centre, double value) {
    static final Before NOTHING = new Before(Double.NaN, Double.NaN);
  }

  /** A member that is named, and when it was heard of last; null = that is not known. */
  record Known(
      UUID id, String adapterKind, String objectKind, String name, @Nullable Instant seen) {}

  /** A bucket of the group; {@link Before#NOTHING} = it was not judged. */
  Before bucket(UUID group, Instant bucket, String key, int object);

  /** The mean of a member over the hour that holds a moment; NaN = it had no value. */
  double hour(OutlierGroup group, String key, int object, Instant moment);

  /** Those that exist, by id within the database. */
  Map<Integer, Known> known(Collection<Integer> objects);
}
