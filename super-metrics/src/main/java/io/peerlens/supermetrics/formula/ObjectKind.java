package io.peerlens.supermetrics.formula;

/**
 * A kind of objects.
 *
 * @param adapterKind such as {@code VMWARE}
 * @param objectKind such as {@code VirtualMachine}; {@code *} = every kind of the adapter
 */
public record ObjectKind(String adapterKind, String objectKind) {

  /** Whether it stands for every kind of its adapter. */
  public boolean isEvery() {
    return objectKind.equals("*");
  }

  @Override
  public String toString() {
    return adapterKind + "/" + objectKind;
  }
}
