package io.peerlens.standalone.sample;

import io.peerlens.standalone.sample.Inventory.Datastore;
import io.peerlens.standalone.sample.Inventory.Vm;
import io.peerlens.vcenter.inventory.UnreferencedDisks;
import io.peerlens.vcenter.vim.DatastoreFile;
import io.peerlens.vcenter.vim.Moref;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Files of the sample's datastores: those of its machines, and three disks that people forgot: of a
 * machine that was taken out of the inventory, of a test, and one that was restored lately.
 */
final class DatastoreFiles {

  private static final long GB = 1L << 30;
  private static final long DESCRIPTOR = 538;

  private final Inventory inventory;
  private final Instant firstStart;

  DatastoreFiles(Inventory inventory, long firstStart) {
    this.inventory = inventory;
    this.firstStart = Instant.ofEpochSecond(firstStart);
  }

  /** What a collector finds, see {@link UnreferencedDisks}. */
  Map<Moref, UnreferencedDisks> list(
      io.peerlens.vcenter.inventory.Inventory collected, Instant now) {
    Map<Moref, UnreferencedDisks> found = new HashMap<>();
    for (Datastore datastore : inventory.datastores) {
      Moref moref = Vim.of(datastore);
      UnreferencedDisks.Listing listing = new UnreferencedDisks.Listing();
      files(datastore, now).forEach(listing::add);
      found.put(moref, listing.without(collected.ownersOn(moref), now));
    }
    return found;
  }

  private List<DatastoreFile> files(Datastore datastore, Instant now) {
    List<DatastoreFile> files = new ArrayList<>();
    for (Vm vm : inventory.vms) {
      if (vm.datastore().equals(datastore)) {
        disk(files, datastore, vm.name(), vm.name(), 40 * GB, now);
      }
    }
    if (datastore.equals(forgotten())) {
      disk(
          files, datastore, "erp-old", "erp-old", 180 * GB, firstStart.minus(Duration.ofDays(412)));
      file(
          files, datastore, "erp-old", "erp-old.vmx", 3187, firstStart.minus(Duration.ofDays(412)));
      disk(
          files,
          datastore,
          "restore-test",
          "db-copy",
          64 * GB,
          firstStart.minus(Duration.ofDays(95)));
      disk(files, datastore, "restored", "mail", 20 * GB, firstStart.minus(Duration.ofDays(6)));
    }
    return files;
  }

  /** The datastore with forgotten disks: the first that is no vSAN's. */
  private Datastore forgotten() {
    return inventory.datastores.stream()
        .filter(datastore -> !datastore.equals(Vsan.datastore(inventory)))
        .findFirst()
        .orElseThrow();
  }

  private static void disk(
      List<DatastoreFile> files,
      Datastore datastore,
      String folder,
      String name,
      long bytes,
      Instant modified) {
    file(files, datastore, folder, name + ".vmdk", DESCRIPTOR, modified);
    file(files, datastore, folder, name + "-flat.vmdk", bytes, modified);
  }

  private static void file(
      List<DatastoreFile> files,
      Datastore datastore,
      String folder,
      String name,
      long bytes,
      Instant modified) {
    files.add(
        new DatastoreFile("[%s] %s".formatted(datastore.name(), folder), name, bytes, modified));
  }
}
