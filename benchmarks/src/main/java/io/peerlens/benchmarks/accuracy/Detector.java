package io.peerlens.benchmarks.accuracy;

/** Something that gives members of a group a score, bucket by bucket. */
interface Detector {

  String name();

  /**
   * The score from which on a member is out, as the product ships it or, where there is none, as
   * the literature has it.
   */
  double threshold();

  Run start(Trace trace);

  /** One group on its way through time. */
  interface Run {

    /**
     * One bucket; values in the order of the members.
     *
     * @param scores signed, NaN for members that are not judged, 0 below the minimum deviation
     */
    void step(int bucket, double[] values, double[] scores);

    /** The member has just joined: nothing is known of it. */
    void forget(boolean[] members);

    Run copy();
  }
}
