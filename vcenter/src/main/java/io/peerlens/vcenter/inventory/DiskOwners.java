package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.vim.Moref;
import java.util.HashSet;
import java.util.Set;

/**
 * What machines and templates of a vCenter own on one datastore. Paths are without the datastore.
 *
 * @param disks all disks that one refers to, with those below snapshots and linked clones
 * @param expected those of machines that say that they use this very datastore; a datastore of
 *     another datacenter may have the same name
 * @param folders of machines that do not say which disks they have: what lies there may be theirs
 * @param unread machines of which neither disks nor a folder are known
 */
public record DiskOwners(Set<String> disks, Set<String> expected, Set<String> folders, int unread) {

  /** Keeps copies. */
  public DiskOwners {
    disks = Set.copyOf(disks);
    expected = Set.copyOf(expected);
    folders = Set.copyOf(folders);
  }

  static DiskOwners of(Moref datastore, String name, Iterable<Entity> entities) {
    Set<String> disks = new HashSet<>();
    Set<String> expected = new HashSet<>();
    Set<String> folders = new HashSet<>();
    int unread = 0;
    for (Entity entity : entities) {
      if (!entity.kind().equals("VirtualMachine")) {
        continue;
      }
      boolean uses = entity.references("datastore").contains(datastore);
      if (!entity.saysDisks()) {
        String file = entity.configurationFile();
        if (file.isEmpty()) {
          unread += uses || entity.references("datastore").isEmpty() ? 1 : 0;
        } else if (DiskFiles.datastore(file).equals(name)) {
          folders.add(DiskFiles.folder(DiskFiles.inside(file)));
        }
      }
      for (Facts facts : entity.facts()) {
        for (String disk : facts.disks()) {
          if (DiskFiles.datastore(disk).equals(name)) {
            String inside = DiskFiles.inside(disk);
            disks.add(inside);
            if (uses) {
              expected.add(inside);
            }
          }
        }
      }
    }
    return new DiskOwners(disks, expected, folders, unread);
  }
}
