package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.vim.XmlValue;
import java.util.ArrayList;
import java.util.List;

/**
 * Snapshots of a virtual machine. Their ages are told by {@link Inventory}, since they grow without
 * anything changing.
 */
final class Snapshots {

  private static final int MAX_DEPTH = 64;

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

  private static void collect(XmlValue snapshot, List<XmlValue> all, int depth) {
    all.add(snapshot);
    if (depth < MAX_DEPTH) {
      for (XmlValue child : snapshot.all("childSnapshotList")) {
        collect(child, all, depth + 1);
      }
    }
  }
}
