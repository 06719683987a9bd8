package io.peerlens.slow;

/** Fault that is put into a made estate. */
enum MadeFault {
  NONE,
  /** Larger blocks take longer, and nothing is wrong. */
  LARGER_BLOCKS,
  OWN_LIMIT,
  FULL_BUFFER,
  DROPPED_PACKETS,
  SLOW_DISK,
  NOISY_STORAGE,
  NOISY_CPU,
  BUSY_CPU,
  OWN_IO;

  boolean isQuiet() {
    return this == NONE || this == LARGER_BLOCKS;
  }

  /** What should be found. */
  Cause cause() {
    return switch (this) {
      case OWN_LIMIT -> Cause.OWN_LIMIT;
      case FULL_BUFFER -> Cause.WRITE_BUFFER;
      case DROPPED_PACKETS -> Cause.DROPPED_PACKETS;
      case SLOW_DISK -> Cause.SLOW_DEVICE;
      case NOISY_STORAGE, NOISY_CPU -> Cause.NOISY_NEIGHBOUR;
      case BUSY_CPU, OWN_IO -> Cause.IN_GUEST;
      case NONE, LARGER_BLOCKS -> throw new IllegalStateException("nothing is wrong");
    };
  }

  /** In which band its figures are. */
  Band band() {
    return switch (this) {
      case OWN_LIMIT, BUSY_CPU, OWN_IO, NONE, LARGER_BLOCKS -> Band.GUEST;
      case FULL_BUFFER, SLOW_DISK -> Band.DISK_GROUP;
      case DROPPED_PACKETS -> Band.NETWORK;
      case NOISY_STORAGE -> Band.CLUSTER;
      case NOISY_CPU -> Band.HOST;
    };
  }
}
