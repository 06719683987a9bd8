package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.inventory.ObjectRecord.Relative;
import io.peerlens.vcenter.vim.Moref;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The managed objects of a vCenter in the order in which they came. Not thread-safe. */
final class Entities {

  private static final int MAX_PARENTS = 64;

  private final String vcenter;
  private final Map<Moref, Entity> byMoref = new LinkedHashMap<>();

  Entities(String vcenter) {
    this.vcenter = vcenter;
  }

  @Nullable Entity get(Moref moref) {
    return byMoref.get(moref);
  }

  void add(Entity entity) {
    byMoref.put(entity.moref, entity);
  }

  @Nullable Entity remove(Moref moref) {
    return byMoref.remove(moref);
  }

  Collection<Entity> all() {
    return byMoref.values();
  }

  List<Moref> morefs() {
    return List.copyOf(byMoref.keySet());
  }

  /** The vCenter itself, which is none of them. */
  Moref vcenter() {
    return new Moref("vCenter", vcenter);
  }

  /** What an object is called in records. */
  String id(Moref moref) {
    return vcenter + "/" + moref.value();
  }

  /** Puts an object among relatives, if it is one of ours. */
  void relate(Set<Relative> relatives, Entity to) {
    if (!to.kind().isEmpty()) {
      relatives.add(new Relative(to.kind(), id(to.moref)));
    }
  }

  Optional<Entity> at(Optional<Moref> moref) {
    return moref.map(byMoref::get);
  }

  Optional<Entity> datacenter(Entity entity) {
    Entity at = entity;
    for (int i = 0; i < MAX_PARENTS && at != null; i++) {
      if (at.kind().equals("Datacenter")) {
        return Optional.of(at);
      }
      Optional<Moref> up = at.reference("parent");
      if (up.isEmpty()) { // a machine in a vApp has no folder
        up = at.reference("runtime.host").or(() -> owner(entity).map(owner -> owner.moref));
      }
      at = up.map(byMoref::get).orElse(null);
    }
    return Optional.empty();
  }

  Optional<Entity> host(Entity machine) {
    return at(machine.reference("runtime.host"));
  }

  /** The cluster of a virtual machine or host. */
  Optional<Entity> cluster(Entity entity) {
    Optional<Entity> host = entity.kind().equals("HostSystem") ? Optional.of(entity) : host(entity);
    return host.flatMap(found -> at(found.reference("parent")))
        .filter(found -> found.kind().equals("ClusterComputeResource"));
  }

  /** The cluster of a pool, or the host that has it where there is no cluster. */
  Optional<Entity> owner(Entity pool) {
    Optional<Moref> owner = pool.reference("owner");
    Optional<Entity> cluster =
        at(owner).filter(found -> found.kind().equals("ClusterComputeResource"));
    if (cluster.isPresent() || owner.isEmpty()) {
      return cluster;
    }
    return byMoref.values().stream()
        .filter(
            entity ->
                entity.kind().equals("HostSystem") && entity.reference("parent").equals(owner))
        .findFirst();
  }
}
