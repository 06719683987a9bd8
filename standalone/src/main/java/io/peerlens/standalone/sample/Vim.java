package io.peerlens.standalone.sample;

import io.peerlens.standalone.sample.Inventory.Cluster;
import io.peerlens.standalone.sample.Inventory.Datacenter;
import io.peerlens.standalone.sample.Inventory.Datastore;
import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Pool;
import io.peerlens.standalone.sample.Inventory.Vm;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.XmlValue;
import java.time.Instant;
import java.util.List;

/** Values of vim25, as a vCenter would write them, and references to the objects of the sample. */
final class Vim {

  private Vim() {}

  static XmlValue text(String name, String text) {
    return XmlValue.ofText(name, "", text);
  }

  static XmlValue number(String name, long number) {
    return XmlValue.ofText(name, "long", Long.toString(number));
  }

  static XmlValue flag(String name, boolean flag) {
    return XmlValue.ofText(name, "boolean", Boolean.toString(flag));
  }

  /** A moment, from seconds since 1970. */
  static XmlValue time(String name, long seconds) {
    return text(name, Instant.ofEpochSecond(seconds).toString());
  }

  static XmlValue object(String name, XmlValue... members) {
    return XmlValue.ofChildren(name, "", List.of(members));
  }

  static XmlValue object(String name, String type, XmlValue... members) {
    return XmlValue.ofChildren(name, type, List.of(members));
  }

  static XmlValue list(String name, List<XmlValue> elements) {
    return XmlValue.ofChildren(name, "", elements);
  }

  /** An array of references, as a property. */
  static XmlValue references(List<Moref> to) {
    return list(
        "val",
        to.stream().map(moref -> XmlValue.ofReference("ManagedObjectReference", moref)).toList());
  }

  static Moref of(Vm vm) {
    return new Moref("VirtualMachine", vm.moid());
  }

  static Moref of(Host host) {
    return new Moref("HostSystem", host.moid());
  }

  static Moref of(Cluster cluster) {
    return new Moref("ClusterComputeResource", cluster.moid());
  }

  static Moref of(Datastore datastore) {
    return new Moref("Datastore", datastore.moid());
  }

  static Moref of(Pool pool) {
    return new Moref("ResourcePool", pool.moid());
  }

  static Moref of(Datacenter datacenter) {
    return new Moref("Datacenter", datacenter.moid());
  }

  /** The pool of a cluster that holds its others. */
  static Moref rootPool(Cluster cluster) {
    return new Moref("ResourcePool", "resgroup-" + (390 + cluster.index()));
  }

  /** The distributed switch of a cluster. */
  static Moref distributedSwitch(Cluster cluster) {
    return new Moref("VmwareDistributedVirtualSwitch", "dvs-" + (500 + cluster.index()));
  }

  /** The port group of a tier on the switch of a cluster. */
  static Moref portGroup(Cluster cluster, Tier tier) {
    return new Moref(
        "DistributedVirtualPortgroup",
        "dvportgroup-" + (600 + cluster.index() * 100 + Tier.ALL.indexOf(tier)));
  }

  static String portGroupName(Cluster cluster, Tier tier) {
    return cluster.name() + "-" + tier.app() + "-" + tier.tier();
  }

  /** What the folders of a datacentre hold. */
  enum FolderType {
    VM("v", "vm", "VirtualMachine"),
    HOST("h", "host", "ComputeResource"),
    DATASTORE("s", "datastore", "Datastore"),
    NETWORK("n", "network", "Network");

    final String letter;
    final String folderName;
    final String childType;

    FolderType(String letter, String folderName, String childType) {
      this.letter = letter;
      this.folderName = folderName;
      this.childType = childType;
    }
  }

  static final Moref ROOT_FOLDER = new Moref("Folder", "group-d1");

  /** One of the four folders that every datacentre has. */
  static Moref folder(Datacenter datacenter, FolderType type) {
    return new Moref(
        "Folder", "group-" + type.letter + (10 * datacenter.index() + type.ordinal() + 4));
  }
}
