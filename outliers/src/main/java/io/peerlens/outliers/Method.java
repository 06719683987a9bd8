package io.peerlens.outliers;

/** Method by which members are compared. */
public sealed interface Method {

  /**
   * Peerlens' own: deviations from the group's median, corrected for what is usual for the member,
   * in robust deviations of peers and of the member's own past.
   *
   * @param interchangeable whether members are meant to be equal, not only alike: then nothing that
   *     is usual for one member is forgiven ("level mode")
   */
  record Peers(boolean interchangeable) implements Method {}

  /**
   * DBSCAN over a window of time with the parameter that Datadog documents. A member is the vector
   * of its last values; the reference is the vector of medians; the base distance is the median of
   * the members' Euclidean distances to it, and two members are neighbours if they are at most
   * tolerance times the base apart. Members that no chain of neighbours links with the one nearest
   * to the reference are outliers. For at most {@value #MAX_MEMBERS} members.
   *
   * @param tolerance for instance 3
   * @param window buckets, 1 to 288
   */
  record Dbscan(double tolerance, int window) implements Method {
    public static final int MAX_MEMBERS = 1000;

    public Dbscan {
      positive("tolerance", tolerance);
      checkWindow(window);
    }
  }

  /**
   * Median absolute deviation over a window of time with the parameters that Datadog documents: the
   * median and the MAD are those of all values of all members in the window; a member is an outlier
   * if more than the given part of its values is farther from the median than tolerance MADs.
   *
   * @param tolerance for instance 3
   * @param percent for instance 20
   * @param window buckets, 1 to 288
   */
  record Mad(double tolerance, double percent, int window) implements Method {
    public Mad {
      positive("tolerance", tolerance);
      checkWindow(window);
      if (!(percent >= 0 && percent < 100)) {
        throw new IllegalArgumentException("percent must be at least 0 and below 100: " + percent);
      }
    }
  }

  /**
   * DBSCAN in one dimension, bucket by bucket, with the parameter of Grafana's outlier detection:
   * from the middle of the sorted values a cluster grows while gaps are at most (1 - sensitivity) *
   * 1.1 times the span of all values in the window; without a strict majority inside, nobody is
   * judged.
   *
   * @param sensitivity above 0 and below 1, for instance 0.5
   * @param window buckets that the span is taken from, 1 to 288
   */
  record BucketDbscan(double sensitivity, int window) implements Method {
    public BucketDbscan {
      fraction(sensitivity);
      checkWindow(window);
    }
  }

  /**
   * Double MAD with the parameter of Grafana's outlier detection: one median of all values of the
   * window, one MAD for those above and one for those below; a value is out beyond 7.94 - 7.10 *
   * sqrt(sensitivity) of them.
   *
   * @param sensitivity above 0 and below 1, for instance 0.5
   * @param window buckets, 1 to 288
   */
  record DoubleMad(double sensitivity, int window) implements Method {
    public DoubleMad {
      fraction(sensitivity);
      checkWindow(window);
    }
  }

  private static void positive(String name, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be above 0: " + value);
    }
  }

  private static void checkWindow(int window) {
    if (window < 1 || window > 288) {
      throw new IllegalArgumentException("window must be 1 to 288 buckets: " + window);
    }
  }

  private static void fraction(double sensitivity) {
    if (!(sensitivity > 0 && sensitivity < 1)) {
      throw new IllegalArgumentException("sensitivity must be between 0 and 1: " + sensitivity);
    }
  }
}
