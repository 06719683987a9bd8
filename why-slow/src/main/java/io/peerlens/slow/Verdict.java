package io.peerlens.slow;

/** Whether the cause is in a band. */
public enum Verdict {
  HERE,
  NOT_HERE,
  /** Nothing of it is measured. */
  NO_DATA,
  /** It is measured, and neither what is usual nor peers are known. */
  NO_USUAL
}
