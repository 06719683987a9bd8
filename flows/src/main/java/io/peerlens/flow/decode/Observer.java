package io.peerlens.flow.decode;

import io.peerlens.flow.network.Addresses;

/**
 * Observer of a flow: an exporter, its domain and its protocol. The same packet seen by two
 * observers is reported twice.
 *
 * @param addressHigh upper half of the exporter's address, see {@link Addresses}
 * @param addressLow lower half
 * @param domain observation domain (IPFIX) or source id (NetFlow v9), 0 when none was said;
 *     unsigned 32 bits
 */
public record Observer(long addressHigh, long addressLow, long domain, FlowVersion version) {

  /** For logs and statistics: {@code 10.77.255.2, domain 0, IPFIX}. */
  @Override
  public String toString() {
    return Addresses.text(addressHigh, addressLow) + ", domain " + domain + ", " + version;
  }
}
