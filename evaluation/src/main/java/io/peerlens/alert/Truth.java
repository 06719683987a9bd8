package io.peerlens.alert;

/** Three-valued logic, from no to yes. */
enum Truth {
  NO,
  UNKNOWN,
  YES;

  Truth and(Truth other) {
    return compareTo(other) <= 0 ? this : other;
  }

  Truth or(Truth other) {
    return compareTo(other) >= 0 ? this : other;
  }

  Truth not() {
    return switch (this) {
      case NO -> YES;
      case UNKNOWN -> UNKNOWN;
      case YES -> NO;
    };
  }
}
