package io.peerlens.standalone.esxtop;

/** Owner of a column: the host itself or one of its virtual machines. */
sealed interface Owner {

  /** The host that esxtop ran on. */
  record Host() implements Owner {}

  /**
   * A virtual machine, or what may be one.
   *
   * @param group esxtop's number of its group; empty where the column does not tell it
   */
  record Machine(String name, String group) implements Owner {}
}
