package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.inventory.ObjectRecord.Relative;
import io.peerlens.vcenter.vim.Moref;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Places of objects: what is above and below them, and what these are called. */
final class Places {

  private final String vcenter;
  private final Entities entities;

  Places(String vcenter, Entities entities) {
    this.vcenter = vcenter;
    this.entities = entities;
  }

  /** As Telegraf's mapping makes them, so that its lines find the same objects. */
  @Nullable String locator(Entity entity) {
    String datacenter = entities.datacenter(entity).map(Entity::name).orElse(null);
    return switch (entity.kind()) {
      case "VirtualMachine", "HostSystem", "ClusterComputeResource", "Datastore" ->
          datacenter == null ? null : vcenter + "/" + datacenter + "/" + entity.name();
      case "ResourcePool" -> {
        String owner = entities.owner(entity).map(Entity::name).orElse(null);
        yield datacenter == null || owner == null
            ? null
            : vcenter + "/" + datacenter + "/" + owner + "/" + entity.name();
      }
      case "Datacenter" -> vcenter + "/" + entity.name();
      default -> null;
    };
  }

  /**
   * Where an object is.
   *
   * @param properties take the names of what is above
   */
  void tell(
      Entity entity,
      Map<String, String> properties,
      Set<Relative> parents,
      Set<Relative> children) {
    Optional<Entity> datacenter = entities.datacenter(entity);
    datacenter.ifPresent(found -> properties.put("summary|parentDatacenter", found.name()));
    Optional<Entity> parent = entities.at(entity.reference("parent"));
    parent
        .filter(found -> found.kind().equals("Folder"))
        .ifPresent(
            folder -> {
              entities.relate(parents, folder);
              properties.put("summary|folder", folder.name());
              properties.put("summary|parentFolder", folder.name());
            });
    switch (entity.kind()) {
      case "ClusterComputeResource" -> {
        properties.put("config|name", entity.name());
        datacenter.ifPresent(found -> entities.relate(parents, found));
      }
      case "VirtualMachine" -> {
        properties.put("config|name", entity.name());
        sockets(entity, properties);
        entities
            .host(entity)
            .ifPresent(
                host -> {
                  entities.relate(parents, host);
                  properties.put("summary|parentHost", host.name());
                  Texts.put(
                      properties, "summary|parentHostVersion", host.property("summary|version"));
                  Texts.put(properties, "cpu|speed", host.property("hardware|cpuInfo|hz"));
                });
        entities
            .cluster(entity)
            .ifPresent(cluster -> properties.put("summary|parentCluster", cluster.name()));
        entities
            .at(entity.reference("resourcePool"))
            .ifPresent(pool -> entities.relate(parents, pool));
        List<String> names = new ArrayList<>();
        List<String> pods = new ArrayList<>();
        for (Moref moref : entity.references("datastore")) {
          entities
              .at(Optional.of(moref))
              .ifPresent(
                  datastore -> {
                    entities.relate(children, datastore);
                    names.add(datastore.name());
                    entities
                        .at(datastore.reference("parent"))
                        .filter(pod -> pod.kind().equals("StoragePod"))
                        .ifPresent(pod -> pods.add(pod.name()));
                  });
        }
        Texts.put(properties, "summary|datastore", joined(names));
        Texts.put(properties, "summary|datastoreClusters", joined(pods));
        networks(entity, parents, properties);
      }
      case "HostSystem" -> {
        entities
            .cluster(entity)
            .ifPresent(
                cluster -> {
                  entities.relate(parents, cluster);
                  properties.put("summary|parentCluster", cluster.name());
                });
        datacenter.ifPresent(found -> entities.relate(parents, found));
        entity.references("datastore").stream()
            .map(moref -> entities.at(Optional.of(moref)))
            .flatMap(Optional::stream)
            .forEach(datastore -> entities.relate(children, datastore));
      }
      case "ResourcePool" -> {
        parent
            .filter(found -> found.kind().equals("ResourcePool"))
            .ifPresent(p -> entities.relate(parents, p));
        entities
            .owner(entity)
            .ifPresent(
                owner -> {
                  entities.relate(parents, owner);
                  properties.put(
                      owner.kind().equals("HostSystem")
                          ? "summary|parentHost"
                          : "summary|parentCluster",
                      owner.name());
                });
      }
      case "Datastore" -> {
        datacenter.ifPresent(found -> entities.relate(parents, found));
        parent
            .filter(found -> found.kind().equals("StoragePod"))
            .ifPresent(
                pod -> {
                  entities.relate(parents, pod);
                  properties.put("summary|folder", pod.name());
                });
      }
      case "DistributedVirtualPortgroup" -> {
        datacenter.ifPresent(found -> entities.relate(parents, found));
        entities
            .at(entity.reference("config.distributedVirtualSwitch"))
            .ifPresent(
                found -> {
                  entities.relate(parents, found);
                  properties.put("summary|parentSwitch", found.name());
                });
      }
      case "VmwareDistributedVirtualSwitch" -> {
        datacenter.ifPresent(found -> entities.relate(parents, found));
        entity.references("summary.hostMember").stream()
            .map(moref -> entities.at(Optional.of(moref)))
            .flatMap(Optional::stream)
            .forEach(host -> entities.relate(children, host));
      }
      case "Datacenter" -> parents.add(new Relative(Inventory.VCENTER_KIND, vcenter));
      case "Folder" -> {
        if (parent.isEmpty()) {
          parents.add(new Relative(Inventory.VCENTER_KIND, vcenter));
        } else if (parent.get().kind().equals("Datacenter")) {
          entities.relate(parents, parent.get());
        }
      }
      default -> datacenter.ifPresent(found -> entities.relate(parents, found));
    }
  }

  private static void sockets(Entity machine, Map<String, String> properties) {
    double cpus = machine.metric("config|hardware|num_Cpu");
    String perSocket = machine.property("config|hardware|numCoresPerSocket");
    if (cpus > 0 && !perSocket.isEmpty() && !perSocket.equals("0")) {
      properties.put(
          "config|hardware|numSockets",
          Readers.number(Math.ceil(cpus / Double.parseDouble(perSocket))));
    }
  }

  private void networks(Entity entity, Set<Relative> parents, Map<String, String> properties) {
    List<String> names = new ArrayList<>();
    for (Moref moref : entity.references("network")) {
      entities
          .at(Optional.of(moref))
          .ifPresent(
              network -> {
                entities.relate(parents, network);
                names.add(network.name());
              });
    }
    Texts.put(properties, "summary|network", joined(names));
  }

  private static String joined(List<String> names) {
    return String.join(", ", names.stream().distinct().sorted().toList());
  }
}
