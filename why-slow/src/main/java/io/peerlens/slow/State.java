package io.peerlens.slow;

/** How far the search got. */
public enum State {
  /** One or two bands are to blame. */
  FOUND,
  /** The machine is as usual. */
  NOT_SLOW,
  /** It is slow, and all that is measured is as usual; nothing of importance is missing. */
  NOT_EXPLAINED,
  /** It is slow, nothing that is measured explains it, and something of importance is missing. */
  NOT_KNOWN,
  /** Whether it is slow is not known. */
  NO_DATA
}
