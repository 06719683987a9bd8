package io.peerlens.benchmarks.accuracy;

/** Something that gives members of a group a score, bucket by bucket. */
interface Detector {

  String name();

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
