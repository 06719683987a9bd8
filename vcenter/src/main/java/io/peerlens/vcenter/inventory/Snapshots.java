package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.vim.XmlValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Snapshots of a virtual machine. Their ages are told by {@link Inventory}, since they grow without
 * anything changing.
 */
final class Snapshots {

  private static final int MAX_DEPTH = 64;
  private static final double GIB = 1024.0 * 1024 * 1024;

  private Snapshots() {}

  static void read(XmlValue info, Facts facts) {
    List<XmlValue> all = new ArrayList<>();
    for (XmlValue root : info.all("rootSnapshotList")) {
      collect(root, all, 0);
    }
    facts.metric("summary|snapshot_count", all.size(), "snapshots");
    String oldest = "";
    for (XmlValue snapshot : all) {
      String group = "diskspace|snapshot:" + snapshot.text("snapshot");
      facts.property(group + "|name", snapshot.text("name"));
      facts.property(group + "|description", snapshot.text("description"));
      facts.property(group + "|createTime", snapshot.text("createTime"));
      String time = snapshot.text("createTime");
      if (!time.isEmpty() && (oldest.isEmpty() || time.compareTo(oldest) < 0)) {
        oldest = time;
      }
    }
    facts.property("diskspace|snapshot|oldest", oldest);
  }

  /**
   * Files of a machine: its disks, and what snapshots take on datastores, which is their memory and
   * state, and all files of each disk's chain but the first, which is the disk itself.
   */
  static void files(XmlValue layout, Facts facts) {
    Map<String, Double> sizes = new HashMap<>();
    Set<String> ofSnapshots = new HashSet<>();
    for (XmlValue file : layout.all("file")) {
      double size = file.number("size");
      facts.file(file.text("name"));
      sizes.put(file.text("key"), Double.isNaN(size) ? 0 : size);
      if (file.text("type").startsWith("snapshot")) {
        ofSnapshots.add(file.text("key"));
      }
    }
    for (XmlValue disk : layout.all("disk")) {
      List<XmlValue> chain = disk.all("chain");
      for (XmlValue link : chain.subList(Math.min(1, chain.size()), chain.size())) {
        link.all("fileKey").forEach(key -> ofSnapshots.add(key.text()));
      }
    }
    double bytes = 0;
    for (String key : ofSnapshots) {
      bytes += sizes.getOrDefault(key, 0.0);
    }
    for (String key : List.of("diskspace|snapshot", "summary|snapshot_space_used")) {
      facts.metric(key, bytes / GIB, "GB");
    }
  }

  private static void collect(XmlValue snapshot, List<XmlValue> all, int depth) {
    all.add(snapshot);
    if (depth < MAX_DEPTH) {
      for (XmlValue child : snapshot.all("childSnapshotList")) {
        collect(child, all, depth + 1);
      }
    }
  }
}
