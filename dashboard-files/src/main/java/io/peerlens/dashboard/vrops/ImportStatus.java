package io.peerlens.dashboard.vrops;

/** What becomes of a part of an export. */
public enum ImportStatus {
  /** The same here. */
  CARRIED,
  /** Something near stands for it; the text says what differs. */
  REPLACED,
  /** Understood, but nothing here sends it today. */
  WAITS,
  /** Tied to an object that is not here; a person chooses. */
  CHOOSE,
  /** Neither in the file nor here. */
  MISSING,
  /** Not taken over; the text says why. */
  CANNOT;

  /** The status of which a person should hear first. */
  ImportStatus worse(ImportStatus other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
