package io.peerlens.baselines;

/**
 * Bounds of a series of few different whole numbers, such as states: the lowest and the highest one
 * that is usual at all, or was seen in two weeks at the hour of the week.
 */
final class FewValues {

  /** Of few values, one that is rarer among the hours is no usual one. */
  private static final double USUAL_SHARE = 0.01;

  private final LearnedHours past;
  private final float[] few = new float[BandLearner.FEW_VALUES];
  private final int[] fewHours = new int[BandLearner.FEW_VALUES];

  FewValues(LearnedHours past) {
    this.past = past;
  }

  /** How many different whole numbers there are, and in how many hours each; 0 = too many. */
  int different() {
    int different = 0;
    for (int i = 0; i < past.count; i++) {
      int first = find(past.low[i], different);
      different = Math.max(different, first + 1);
      if (first < 0 || first == BandLearner.FEW_VALUES) {
        return 0;
      }
      fewHours[first]++;
      if (past.high[i] != past.low[i]) {
        int second = find(past.high[i], different);
        different = Math.max(different, second + 1);
        if (second < 0 || second == BandLearner.FEW_VALUES) {
          return 0;
        }
        fewHours[second]++;
      }
    }
    return different;
  }

  /** Where a value is among the few; it is added if it is new. -1 = it is not whole. */
  private int find(float value, int different) {
    if (value != Math.rint(value)) {
      return -1;
    }
    for (int i = 0; i < different; i++) {
      if (few[i] == value) {
        return i;
      }
    }
    if (different < BandLearner.FEW_VALUES) {
      few[different] = value;
      fewHours[different] = 0;
    }
    return different;
  }

  /** Values that are usual at all, and those that an hour of the week had in two weeks. */
  void bounds(int different, WeekSlots slots, long outFirstHour, float[] lower, float[] upper) {
    float lowest = Float.POSITIVE_INFINITY;
    float highest = Float.NEGATIVE_INFINITY;
    for (int i = 0; i < different; i++) {
      if (fewHours[i] >= USUAL_SHARE * past.count) {
        lowest = Math.min(lowest, few[i]);
        highest = Math.max(highest, few[i]);
      }
    }
    for (int i = 0; i < lower.length; i++) {
      int at = slots.slot(outFirstHour + i);
      lower[i] = Math.min(lowest, second(at, past.low, -1));
      upper[i] = Math.max(highest, second(at, past.high, 1));
    }
  }

  /**
   * The second most extreme value of an hour of the week; infinite, inwards, if it has only one.
   */
  private float second(int at, float[] of, int sign) {
    float most = Float.NEGATIVE_INFINITY;
    float next = Float.NEGATIVE_INFINITY;
    for (int k = past.slotStart[at]; k < past.slotStart[at + 1]; k++) {
      float value = sign * of[past.bySlot[k]];
      if (value > most) {
        next = most;
        most = value;
      } else if (value > next) {
        next = value;
      }
    }
    return sign * next;
  }
}
