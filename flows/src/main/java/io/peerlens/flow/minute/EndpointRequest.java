package io.peerlens.flow.minute;

import io.peerlens.flow.network.Addresses;
import io.peerlens.flow.network.Network;
import io.peerlens.flow.network.Networks;
import org.jspecify.annotations.Nullable;

/**
 * Endpoints that need ids: an address together with the object that had it, so an address that
 * moves makes a second endpoint. Holds until the call that it was made for returns.
 */
public final class EndpointRequest {

  /** No object is known to have had the address. */
  public static final int NO_OBJECT = -1;

  private final KnownEndpoints known;
  private final Networks networks;
  private final int from;
  private final int size;
  private final boolean[] answered;

  EndpointRequest(KnownEndpoints known, Networks networks, int from) {
    this.known = known;
    this.networks = networks;
    this.from = from;
    size = known.size() - from;
    answered = new boolean[size];
  }

  /** Number of endpoints that need an id. */
  public int size() {
    return size;
  }

  /** Upper half of the address, see {@link Addresses}. */
  public long high(int i) {
    return known.high(from + i);
  }

  /** Lower half of the address. */
  public long low(int i) {
    return known.low(from + i);
  }

  /** The VM, host or other object that had the address, or {@link #NO_OBJECT}. */
  public int objectId(int i) {
    return known.objectId(from + i);
  }

  /** The named network that the address lies in; null = none. */
  public @Nullable Network network(int i) {
    return networks.network(networks.find(high(i), low(i)));
  }

  /** Whether the address is internal. */
  public boolean internal(int i) {
    return networks.internal(networks.find(high(i), low(i)), objectId(i) != NO_OBJECT);
  }

  /** Gives an endpoint its id. */
  public void answer(int i, int id) {
    known.id(from + i, id);
    answered[i] = true;
  }

  /** The first endpoint without an answer, or -1. */
  int missing() {
    for (int i = 0; i < size; i++) {
      if (!answered[i]) {
        return i;
      }
    }
    return -1;
  }
}
