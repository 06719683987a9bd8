package io.peerlens.slow;

/** What makes a machine slow. */
public enum Cause {
  /** A limit of operations a second of one of its own disks. */
  OWN_LIMIT("It is delayed by its own IOPS limit."),
  /** Its own limit of CPU. */
  CPU_LIMIT("It is held back by its own CPU limit."),
  /** Its own work: a full processor, or many more operations than usual. */
  IN_GUEST("It is busy with its own work."),
  /** Its virtual processors wait for the host. */
  CPU_CONTENTION("Its processors wait for the host."),
  /** The host takes memory back from it. */
  MEMORY_CONTENTION("Its host is short of memory."),
  /** vSAN holds operations back. */
  CONGESTION("vSAN holds its operations back."),
  /** Many machines ask for more than usual. */
  CLUSTER_LOAD("Many machines ask for more than usual."),
  /** One other machine asks for much more than usual. */
  NOISY_NEIGHBOUR("Another machine takes what they share."),
  /** Operations wait within the host. */
  KERNEL_QUEUE("Its operations wait in the host's queue."),
  /** The write buffer of a disk group is full. */
  WRITE_BUFFER("The write buffer of a disk group is full."),
  /** A device or datastore takes longer, without more to do. */
  SLOW_DEVICE("A disk is slow."),
  /** Packets between hosts are lost. */
  DROPPED_PACKETS("The network between hosts loses packets."),
  /** Segments are sent again. */
  RETRANSMITS("The network between hosts sends much again."),
  /** Packets arrive with errors. */
  NETWORK_ERRORS("A network card reports errors.");

  private final String title;

  Cause(String title) {
    this.title = title;
  }

  /** The finding in a sentence. */
  public String title() {
    return title;
  }
}
