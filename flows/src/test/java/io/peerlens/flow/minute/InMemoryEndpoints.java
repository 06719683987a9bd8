package io.peerlens.flow.minute;

import io.peerlens.flow.decode.Observer;
import io.peerlens.flow.network.Addresses;
import io.peerlens.flow.network.Network;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Gives ids in the order of the questions, and tells what it was asked. */
final class InMemoryEndpoints implements Endpoints {

  /** An end of a flow: {@code 10.77.2.13} or, with an object, {@code 10.77.2.13 of 3}. */
  record Endpoint(String address, int objectId, String network, boolean internal) {

    @Override
    public String toString() {
      return objectId == EndpointRequest.NO_OBJECT ? address : address + " of " + objectId;
    }
  }

  private final Map<List<Object>, Integer> ids = new HashMap<>();
  private final List<Endpoint> endpoints = new ArrayList<>();
  private final List<Observer> observers = new ArrayList<>();
  int questions;
  int asked;
  boolean broken;

  @Override
  public void find(EndpointRequest request) {
    questions++;
    asked += request.size();
    if (broken) {
      throw new IllegalStateException("The database is away");
    }
    for (int i = 0; i < request.size(); i++) {
      String address = Addresses.text(request.high(i), request.low(i));
      Network network = request.network(i);
      Endpoint endpoint =
          new Endpoint(
              address,
              request.objectId(i),
              network == null ? "" : network.name(),
              request.internal(i));
      List<Object> key = List.of(address, request.objectId(i));
      Integer id = ids.get(key);
      if (id == null) {
        id = endpoints.size();
        ids.put(key, id);
        endpoints.add(endpoint);
      }
      request.answer(i, id);
    }
  }

  @Override
  public int observer(Observer observer) {
    int known = observers.indexOf(observer);
    if (known >= 0) {
      return known;
    }
    observers.add(observer);
    return observers.size() - 1;
  }

  Endpoint endpoint(int id) {
    return endpoints.get(id);
  }

  String name(int id) {
    return endpoints.get(id).toString();
  }

  int id(String address) {
    return Objects.requireNonNull(ids.get(List.of(address, EndpointRequest.NO_OBJECT)), address);
  }

  Observer observerOf(int id) {
    return observers.get(id);
  }

  List<Endpoint> all() {
    return endpoints;
  }
}
