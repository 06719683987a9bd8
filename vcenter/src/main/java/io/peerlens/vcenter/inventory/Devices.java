package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.vim.XmlValue;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Virtual hardware of a virtual machine. A disk is the instance {@code scsi0:1}, by its controller
 * and place there, and a card {@code 4000}, by its key, as the performance counters have it.
 */
final class Devices {

  private static final double KB_IN_GB = 1024.0 * 1024;

  private Devices() {}

  /** A controller of disks. */
  private record Controller(String prefix, int bus, String type, XmlValue device) {}

  static void read(XmlValue devices, Facts facts) {
    Map<String, Controller> controllers = new HashMap<>();
    for (XmlValue device : devices.children()) {
      Controller controller = controller(device);
      if (controller != null) {
        controllers.put(device.text("key"), controller);
      }
    }
    int disks = 0;
    int raw = 0;
    double size = 0;
    boolean thin = false;
    for (XmlValue device : devices.children()) {
      if (device.type().equals("VirtualDisk")) {
        disks++;
        size += kilobytes(device);
        XmlValue backing = device.at("backing");
        boolean isRaw = backing != null && backing.type().contains("RawDiskMapping");
        raw += isRaw ? 1 : 0;
        thin |= backing != null && backing.isTrue("thinProvisioned");
        for (XmlValue file = backing; file != null; file = file.at("parent")) {
          facts.file(file.text("fileName"));
        }
        disk(device, controllers.get(device.text("controllerKey")), isRaw, facts);
      } else if (device.at("macAddress") != null) {
        card(device, facts);
      }
    }
    facts.property("config|numVMDKs", disks);
    facts.property("config|numRDMs", raw);
    facts.property("config|numVMDKsOnly", disks - raw);
    if (disks > 0) {
      facts.property("config|hardware|diskSpace", Readers.number(size / KB_IN_GB));
      facts.metric("config|hardware|disk_Space", size / KB_IN_GB, "GB");
      facts.property("config|hardware|thinEnabled", Boolean.toString(thin));
      facts.metric("config|hardware|thin_Enabled", thin ? 1 : 0, "");
    }
  }

  private static @Nullable Controller controller(XmlValue device) {
    String type = device.type();
    double bus = device.number("busNumber");
    if (Double.isNaN(bus)) {
      return null;
    }
    String lower = type.toLowerCase(Locale.ROOT);
    String prefix =
        lower.contains("nvme")
            ? "nvme"
            : lower.contains("sata") || lower.contains("ahci")
                ? "sata"
                : lower.contains("ide") ? "ide" : "scsi";
    boolean holdsDisks =
        lower.contains("scsi")
            || lower.contains("lsilogic")
            || lower.contains("buslogic")
            || !prefix.equals("scsi");
    return holdsDisks ? new Controller(prefix, (int) bus, words(type), device) : null;
  }

  private static String words(String type) {
    return switch (type) {
      case "ParaVirtualSCSIController" -> "PVSCSI";
      case "VirtualLsiLogicSASController" -> "LSI SAS";
      case "VirtualLsiLogicController" -> "LSI Logic";
      case "VirtualBusLogicController" -> "BusLogic";
      case "VirtualNVMEController" -> "NVMe";
      case "VirtualAHCIController" -> "AHCI";
      case "VirtualIDEController" -> "IDE";
      default -> type;
    };
  }

  /** A large disk has its size in bytes; in kilobytes it is cut off in old versions. */
  private static double kilobytes(XmlValue disk) {
    double bytes = disk.number("capacityInBytes");
    double kilobytes = bytes > 0 ? bytes / 1024 : disk.number("capacityInKB");
    return Double.isNaN(kilobytes) ? 0 : kilobytes;
  }

  /** Group and instance of a disk as those tell it who know its key alone. */
  static String byKey(String key) {
    return "virtualDisk:key" + key;
  }

  private static void disk(
      XmlValue disk, @Nullable Controller controller, boolean raw, Facts facts) {
    String instance =
        controller == null
            ? "disk" + disk.text("key")
            : controller.prefix + controller.bus + ":" + disk.text("unitNumber");
    String group = "virtualDisk:" + instance;
    facts.name(byKey(disk.text("key")), group);
    facts.property(group + "|label", disk.text("deviceInfo.label"));
    facts.property(group + "|configuredGB", Readers.number(kilobytes(disk) / KB_IN_GB));
    facts.property(group + "|isRDM", Boolean.toString(raw));
    if (controller != null) {
      facts.property(group + "|scsiControllerType", controller.type);
      facts.property(
          group + "|scsiController",
          controller.prefix.toUpperCase(Locale.ROOT)
              + " ("
              + controller.bus
              + ":"
              + disk.text("unitNumber")
              + ")");
      facts.property(
          group + "|scsiBusSharing",
          switch (controller.device.text("sharedBus")) {
            case "noSharing" -> "None";
            case "physicalSharing" -> "Physical";
            case "virtualSharing" -> "Virtual";
            default -> "";
          });
    }
    XmlValue allocation = disk.at("storageIOAllocation");
    if (allocation != null) {
      facts.property(group + "|iopsLimit", allocation.text("limit"));
      facts.property(group + "|iopsReservation", allocation.text("reservation"));
      facts.property(group + "|iopsShares", allocation.text("shares.shares"));
    }
    XmlValue backing = disk.at("backing");
    if (backing == null) {
      return;
    }
    facts.property(group + "|fileName", backing.text("fileName"));
    facts.property(group + "|datastore", datastoreOf(backing.text("fileName")));
    facts.property(group + "|uuid", backing.text("uuid"));
    facts.property(group + "|backingObjectId", backing.text("backingObjectId"));
    facts.property(
        group + "|diskMode",
        switch (backing.text("diskMode")) {
          case "persistent" -> "Persistent";
          case "independent_persistent" -> "Independent persistent";
          case "independent_nonpersistent" -> "Independent non-persistent";
          default -> backing.text("diskMode");
        });
    if (raw) {
      facts.property(
          group + "|compatibilityMode", backing.text("compatibilityMode").replace("Mode", ""));
      facts.property(group + "|deviceName", backing.text("deviceName"));
    } else {
      facts.property(
          group + "|provisioning_type",
          backing.isTrue("thinProvisioned")
              ? "Thin Provision"
              : backing.isTrue("eagerlyScrub")
                  ? "Thick Provision Eager Zeroed"
                  : "Thick Provision Lazy Zeroed");
    }
    facts.property(
        group + "|sharing",
        switch (backing.text("sharing")) {
          case "sharingNone" -> "No sharing";
          case "sharingMultiWriter" -> "Multi-Writer";
          default -> "";
        });
    XmlValue key = backing.at("keyId");
    if (key != null) {
      facts.property(group + "|encryptionStatus", "Encrypted");
    }
  }

  /** {@code ds1} of {@code [ds1] vm/vm.vmdk}. */
  private static String datastoreOf(String file) {
    int end = file.indexOf(']');
    return file.startsWith("[") && end > 0 ? file.substring(1, end) : "";
  }

  private static void card(XmlValue card, Facts facts) {
    String group = "net:" + card.text("key");
    facts.property(group + "|mac_address", card.text("macAddress"));
    facts.property(group + "|vnic_label", card.text("deviceInfo.label"));
    facts.property(group + "|vnic_type", cardType(card.type()));
    facts.property(group + "|uptCompatibilityEnabled", card.text("uptCompatibilityEnabled"));
    facts.property(group + "|connected", card.text("connectable.connected"));
    XmlValue backing = card.at("backing");
    if (backing != null) {
      facts.property(group + "|portGroup", backing.text("deviceName"));
    }
  }

  private static String cardType(String type) {
    return type.startsWith("Virtual")
        ? type.substring("Virtual".length()).toUpperCase(Locale.ROOT)
        : type;
  }
}
