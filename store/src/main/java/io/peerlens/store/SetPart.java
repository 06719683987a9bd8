package io.peerlens.store;

/**
 * Part of all metric sets: those whose id leaves a remainder. Sets of a kind that come one after
 * another are spread over all parts.
 *
 * @param number from 0
 * @param of how many parts there are; 1 = it is all sets
 */
public record SetPart(int number, int of) {

  /** All sets. */
  public static final SetPart WHOLE = new SetPart(0, 1);

  /** So many parts at most: each reads past the rows of all others. */
  public static final int MOST = 64;

  public SetPart {
    if (of < 1 || of > MOST || number < 0 || number >= of) {
      throw new IllegalArgumentException("There is no part %d of %d".formatted(number, of));
    }
  }

  boolean isWhole() {
    return of == 1;
  }

  /** What is done, with which part of it: {@code Roll-ups, part 1 of 2}. */
  public String title(String work) {
    return isWhole() ? work : "%s, part %d of %d".formatted(work, number + 1, of);
  }

  /** Condition of a statement on {@code set_id}, to be added to others; empty for all sets. */
  String condition() {
    return isWhole() ? "" : " and set_id %% %d = %d".formatted(of, number);
  }
}
