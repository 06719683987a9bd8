package io.peerlens.alert;

/**
 * Number or share of the related objects that must have a symptom.
 *
 * @param value for {@link Type#COUNT} and {@link Type#PERCENT}; above 0
 */
record Population(Type type, double value) {

  static final Population ANY = new Population(Type.ANY, 1);

  enum Type {
    ANY,
    ALL,
    COUNT,
    PERCENT
  }

  /**
   * Whether it is so.
   *
   * @param yes on so many objects it is
   * @param unknown on so many nobody knows
   * @param all of so many
   */
  Truth of(int yes, int unknown, int all) {
    if (suffice(yes, all)) {
      return Truth.YES;
    }
    return suffice(yes + unknown, all) ? Truth.UNKNOWN : Truth.NO;
  }

  private boolean suffice(int objects, int all) {
    return switch (type) {
      case ANY -> objects > 0;
      case ALL -> objects > 0 && objects >= all;
      case COUNT -> objects > 0 && objects >= value;
      case PERCENT -> objects > 0 && objects * 100.0 >= value * all;
    };
  }
}
