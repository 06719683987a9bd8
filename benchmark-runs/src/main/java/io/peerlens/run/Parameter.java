package io.peerlens.run;

/**
 * Names of the parameters of a run that all tools have in common. Values are plain numbers without
 * units or thousands separators, so that runs of several tools can be compared; a mixture such as
 * two block sizes is the tool's own text.
 */
public final class Parameter {

  /** Bytes of an operation. */
  public static final String BLOCK_SIZE = "block_size";

  /** Share of reads among the operations, 0 to 100. */
  public static final String READ_SHARE = "read_share";

  /** Share of operations at random places, 0 to 100. */
  public static final String RANDOM_SHARE = "random_share";

  /** Bytes that are worked on, in all. */
  public static final String WORKING_SET = "working_set";

  /** Operations that are outstanding at once, in all: machines x disks x threads x depth. */
  public static final String OUTSTANDING = "outstanding";

  /** Outstanding operations of one thread or job. */
  public static final String QUEUE_DEPTH = "queue_depth";

  /** Threads or jobs, of one machine. */
  public static final String THREADS = "threads";

  /** Machines that make the load. */
  public static final String MACHINES = "machines";

  /** Disks of each machine. */
  public static final String DISKS = "disks";

  /** Operations a second that the tool was told not to exceed. */
  public static final String RATE_LIMIT = "rate_limit";

  /** Seconds before what was measured. */
  public static final String WARM_UP = "warm_up";

  /** {@code 2:1} or a per cent share, as the tool says it. */
  public static final String COMPRESSION = "compression";

  /** {@code 2:1} or a per cent share, as the tool says it. */
  public static final String DEDUPLICATION = "deduplication";

  private Parameter() {}
}
