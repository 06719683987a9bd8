package io.peerlens.slow;

/** Part of the path of an operation, in the order in which it is looked at. */
public enum Band {
  GUEST("guest"),
  CLUSTER("cluster"),
  HOST("host"),
  /** Disk groups of vSAN; without vSAN the datastore and its device. */
  DISK_GROUP("disk group"),
  /** The network between hosts. */
  NETWORK("network");

  private final String word;

  Band(String word) {
    this.word = word;
  }

  /** What it is called in a sentence. */
  public String word() {
    return word;
  }
}
