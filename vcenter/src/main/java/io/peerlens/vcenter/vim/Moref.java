package io.peerlens.vcenter.vim;

/**
 * Managed object reference: what vCenter knows a managed object by for as long as it exists.
 *
 * @param type such as {@code VirtualMachine}
 * @param value such as {@code vm-42}, unique within one vCenter
 */
public record Moref(String type, String value) {

  /** The one object that every vCenter has, where everything starts. */
  static final Moref SERVICE_INSTANCE = new Moref("ServiceInstance", "ServiceInstance");

  @Override
  public String toString() {
    return type + ":" + value;
  }
}
