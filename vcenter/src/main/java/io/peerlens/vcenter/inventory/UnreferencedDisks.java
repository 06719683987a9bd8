package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.vim.DatastoreFile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Disks of a datastore that no machine of this vCenter refers to. One of another vCenter, or one
 * that is not registered at the moment, may own them.
 *
 * @param listedAt when files were listed; null = they never were
 * @param trouble why they could not be listed the last time; empty = they could
 * @param disks the largest, {@value #MOST_TOLD} at most; those that are nobody's by design are left
 *     out
 * @param count of all
 * @param bytes of all whose size is known
 */
public record UnreferencedDisks(
    @Nullable Instant listedAt, String trouble, List<Disk> disks, int count, long bytes) {

  /** Disks of a datastore that are told one by one. */
  public static final int MOST_TOLD = 200;

  /** Longer paths are counted, and not told. */
  private static final int LONGEST_PATH = 400;

  /**
   * A file that describes a disk without holding its data is shorter; so the size of a disk that
   * has no other file is not known. That is so on vSAN and vVols.
   */
  private static final long LARGEST_DESCRIPTOR = 1 << 20;

  /** Of the disks that machines have on a datastore, so many must be among its files. */
  private static final double FEWEST_FOUND = 0.9;

  /**
   * Paths that are nobody's by design: content libraries ({@code contentlib-ID}), vSphere
   * Replication ({@code hbr*}), disks of their own that Kubernetes and backup programs manage
   * (first class disks: {@code fcd}, {@code catalog}), App Volumes, which attaches disks when
   * somebody signs in, and what ESXi and vCenter keep for themselves.
   */
  private static final Pattern BY_DESIGN =
      Pattern.compile(
          "(?:contentlib-|fcd/|catalog/|appvolumes/|cloudvolumes/|vmkdump/|vCLS|\\.).*|.*/hbr[^/]*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private static final double GIB = 1024.0 * 1024 * 1024;

  /** Keeps its own list. */
  public UnreferencedDisks {
    disks = List.copyOf(disks);
  }

  /**
   * A disk.
   *
   * @param path without the datastore and without the ends of its files
   * @param bytes -1 = not known
   * @param modified the last time that one of its files was written; null = not known
   * @param machine configuration file of a machine in the same folder, which is not registered;
   *     empty = there is none
   */
  public record Disk(
      String path, int files, long bytes, @Nullable Instant modified, String machine) {}

  /** Adds up the files of disks. Not thread-safe. */
  public static final class Listing {
    private final Map<String, Found> disks = new HashMap<>();
    private final Map<String, String> machines = new HashMap<>();

    private static final class Found {
      private int files;
      private long bytes;
      private long largest;
      private boolean untold;
      private boolean onlyTracking = true;
      private @Nullable Instant modified;
    }

    /** Adds a file. */
    public void add(DatastoreFile file) {
      String folder = DiskFiles.inside(file.folder());
      folder = folder.endsWith("/") ? folder.substring(0, folder.length() - 1) : folder;
      String path = folder.isEmpty() ? file.name() : folder + "/" + file.name();
      if (DiskFiles.isMachine(file.name())) {
        machines.put(folder, file.name());
        return;
      }
      DiskFiles.Part part = DiskFiles.of(path);
      if (part == null) {
        return;
      }
      Found found = disks.computeIfAbsent(part.disk(), name -> new Found());
      found.files++;
      found.untold |= file.bytes() < 0;
      found.bytes += Math.max(0, file.bytes());
      found.largest = Math.max(found.largest, file.bytes());
      found.onlyTracking &= part.tracking();
      Instant modified = file.modified();
      if (modified != null && (found.modified == null || modified.isAfter(found.modified))) {
        found.modified = modified;
      }
    }

    /** All disks that nobody of a vCenter refers to, as of a moment. */
    public UnreferencedDisks without(DiskOwners owners, Instant now) {
      if (owners.unread() > 0) {
        return failed(
            owners.unread()
                + (owners.unread() == 1 ? " machine does" : " machines do")
                + " not say which disks they have, so nobody knows which are unused.");
      }
      long known = owners.expected().stream().filter(disks::containsKey).count();
      if (known < FEWEST_FOUND * owners.expected().size()) {
        return failed(
            "Of %d disks that machines have here only %d are among the files, so paths cannot be compared."
                .formatted(owners.expected().size(), known));
      }
      List<Disk> unused = new ArrayList<>();
      Set<String> inUse = new HashSet<>();
      owners.disks().forEach(disk -> inUse.add(DiskFiles.folder(disk)));
      long bytes = 0;
      for (Map.Entry<String, Found> entry : disks.entrySet()) {
        String path = entry.getKey();
        Found found = entry.getValue();
        String folder = DiskFiles.folder(path);
        if (!found.onlyTracking
            && !owners.disks().contains(path)
            && !owners.folders().contains(folder)
            && !BY_DESIGN.matcher(path).matches()) {
          boolean sized = !found.untold && found.largest > LARGEST_DESCRIPTOR;
          bytes += sized ? found.bytes : 0;
          unused.add(
              new Disk(
                  path,
                  found.files,
                  sized ? found.bytes : -1,
                  found.modified,
                  inUse.contains(folder) ? "" : machines.getOrDefault(folder, "")));
        }
      }
      unused.sort(Comparator.comparingLong(Disk::bytes).reversed().thenComparing(Disk::path));
      return new UnreferencedDisks(
          now,
          "",
          unused.stream()
              .filter(disk -> disk.path().length() <= LONGEST_PATH)
              .limit(MOST_TOLD)
              .toList(),
          unused.size(),
          bytes);
    }
  }

  /** One whose files could not be listed. */
  public static UnreferencedDisks failed(String trouble) {
    return new UnreferencedDisks(null, trouble, List.of(), 0, 0);
  }

  /** What was known before, with why it could not be learned anew. */
  public UnreferencedDisks or(UnreferencedDisks before) {
    return listedAt != null
        ? this
        : new UnreferencedDisks(before.listedAt, trouble, before.disks, before.count, before.bytes);
  }

  /** Tells them as properties and metrics of their datastore. */
  void tell(Map<String, String> properties, Map<String, Double> metrics, Units units, Instant now) {
    if (!trouble.isEmpty()) {
      properties.put("unreferencedDisks|notListed", trouble);
    }
    if (listedAt == null) {
      return;
    }
    metrics.put("unreferencedDisks|count", (double) count);
    metrics.put("unreferencedDisks|not_told", (double) (count - disks.size()));
    metrics.put("unreferencedDisks|diskspace", bytes / GIB);
    units.put("unreferencedDisks|diskspace", "GB");
    metrics.put(
        "unreferencedDisks|listed_age",
        Math.max(0, Duration.between(listedAt, now).toMinutes() / 60.0));
    units.put("unreferencedDisks|listed_age", "h");
    for (Disk disk : disks) {
      // What can be no part of a key in a name is written as something else.
      properties.put("unreferencedDisk:" + disk.path().replace('|', '_') + "|files", text(disk));
    }
  }

  /**
   * A disk in a line: {@code files=2 bytes=42949672960 modified=2026-03-01T08:00:00Z
   * machine=old.vmx}. What is not known is left out; the name of a machine may hold spaces.
   */
  private static String text(Disk disk) {
    StringBuilder text = new StringBuilder("files=").append(disk.files());
    if (disk.bytes() >= 0) {
      text.append(" bytes=").append(disk.bytes());
    }
    if (disk.modified() != null) {
      text.append(" modified=").append(disk.modified());
    }
    if (!disk.machine().isEmpty()) {
      text.append(" machine=").append(disk.machine());
    }
    return text.toString();
  }
}
