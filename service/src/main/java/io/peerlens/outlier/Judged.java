package io.peerlens.outlier;

import io.peerlens.api.model.OutlierGroupState;

/**
 * What was judged of a group, bucket by bucket: from the store, or in a preview. Members are
 * addressed by their place; NaN = there is none.
 */
interface Judged {

  int buckets();

  /** Begin of a bucket, epoch milliseconds; they are a width apart. */
  long begin(int bucket);

  int members();

  OutlierGroupState state(int bucket);

  /** How many members were judged. */
  int judged(int bucket);

  /** The combined score. */
  double score(int bucket, int member);

  double score(int metric, int bucket, int member);

  double value(int metric, int bucket, int member);

  double centre(int metric, int bucket);

  double lower(int metric, int bucket);

  double upper(int metric, int bucket);
}
