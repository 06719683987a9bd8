package io.peerlens.talker;

import io.peerlens.api.model.FlowFilter;
import io.peerlens.api.model.FlowService;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.Talker;
import io.peerlens.api.model.TalkerEnd;
import io.peerlens.flow.rank.TalkerDimension;
import io.peerlens.ingest.flow.ServiceName;
import io.peerlens.ingest.flow.ServicePorts;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.talker.TalkerNameQueries.End;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Identities of talkers, and the filters that narrow a question to them. */
final class TalkerNames {

  private final ObjectLookup objects;
  private final TalkerNameQueries queries;

  TalkerNames(ObjectLookup objects, TalkerNameQueries queries) {
    this.objects = objects;
    this.queries = queries;
  }

  /** Talkers of one dimension, in the order of their keys here. */
  List<Talker> of(TalkerDimension dimension, List<Long> keys) {
    List<Integer> ids = keys.stream().map(key -> (int) (long) key).toList();
    List<Talker> talkers = new ArrayList<>();
    switch (dimension) {
      case VM, HOST, CLUSTER -> {
        Map<Integer, ObjectRef> found = objects.references(ids);
        ids.forEach(id -> talkers.add(object(id, found)));
      }
      case TIER -> {
        Map<Integer, String> names = queries.tiers(ids);
        for (int id : ids) {
          String name = names.getOrDefault(id, "Tier " + id);
          talkers.add(talker(id, name, filter().tier(List.of(name))).tier(name));
        }
      }
      case NETWORK -> {
        Map<Integer, String> names = queries.networks(ids);
        for (int id : ids) {
          String name = names.getOrDefault(id, "Network " + id);
          talkers.add(talker(id, name, filter().network(List.of(name))).network(name));
        }
      }
      case PORT -> keys.forEach(key -> talkers.add(ofService(key)));
      case PROTOCOL -> {
        for (long key : keys) {
          String name = ServiceName.protocol((int) key);
          talkers.add(talker(key, name, filter().ports(List.of(name))).service(name));
        }
      }
      case PAIR -> {
        List<Integer> both = new ArrayList<>();
        keys.forEach(key -> both.addAll(List.of(sender(key), receiver(key))));
        Map<Integer, End> ends = queries.ends(both);
        keys.forEach(key -> talkers.add(pair(key, ends)));
      }
    }
    return talkers;
  }

  private static Talker talker(long key, String name, FlowFilter filter) {
    return new Talker(String.valueOf(key), name, filter);
  }

  /** Makes an empty filter; its direction is that of the question. */
  private static FlowFilter filter() {
    return new FlowFilter().direction(null);
  }

  private static Talker object(int id, Map<Integer, ObjectRef> found) {
    ObjectRef object = found.get(id);
    if (object == null) { // somebody took it out of the database
      return talker(id, "Object " + id, filter().scope(List.of(end(2 * id))));
    }
    return talker(id, object.getName(), filter().scope(List.of(object.getId().toString())))
        .object(object);
  }

  private static int protocol(long service) {
    return (int) (service >> 16);
  }

  private static int port(long service) {
    return (int) (service & 0xFFFF);
  }

  private static Talker ofService(long key) {
    int protocol = protocol(key);
    int port = port(key);
    String name = ServiceName.of(port, protocol);
    return talker(key, ServiceName.title(port, protocol), filter().ports(List.of(name)))
        .service(name);
  }

  private static Talker pair(long key, Map<Integer, End> ends) {
    TalkerEnd from = end(sender(key), ends);
    TalkerEnd to = end(receiver(key), ends);
    FlowFilter filter =
        filter()
            .scope(List.of(from.getKey()))
            .peerScope(List.of(to.getKey()))
            .direction(io.peerlens.api.model.TalkerDirection.SENT);
    return talker(key, from.getName() + " to " + to.getName(), filter).from(from).to(to);
  }

  private static int sender(long pair) {
    return (int) (pair >> 32);
  }

  private static int receiver(long pair) {
    return (int) pair;
  }

  /** Name of a single end in filters. */
  static String end(int key) {
    return "end-" + key;
  }

  /** Ends of endpoints, by their numbers. */
  Map<Integer, End> endpoints(Collection<Integer> endpoints) {
    return queries.ends(new TreeSet<>(endpoints).stream().map(id -> 2 * id + 1).toList());
  }

  /** One that {@link #endpoints} found. */
  static TalkerEnd endpoint(int endpoint, Map<Integer, End> ends) {
    return end(2 * endpoint + 1, ends);
  }

  private static TalkerEnd end(int key, Map<Integer, End> ends) {
    End end = ends.get(key);
    if (end == null) {
      return new TalkerEnd(end(key), "Object " + key / 2, false);
    }
    TalkerEnd answer = new TalkerEnd(end(end.key()), end.name(), end.internal());
    if (end.object() != null) {
      answer.setObject(end.object());
    }
    if (end.address() != null) {
      answer.setAddress(end.address());
    }
    if (end.network() != null) {
      answer.setNetwork(end.network());
    }
    return answer;
  }

  /** A service by the key that it has as a talker. */
  static FlowService service(long key) {
    return service(port(key), protocol(key));
  }

  /** A service that was seen. */
  static FlowService service(int port, int protocol) {
    FlowService service = new FlowService(ServiceName.of(port, protocol), port, protocol);
    String name = ServicePorts.name(protocol, port);
    if (name != null) {
      service.setName(name);
    }
    return service;
  }
}
