package io.peerlens.sizing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Disks that no machine refers to. The result is a list for people and never a licence to delete: a
 * machine of another vCenter, or one that is not registered at the moment, may own them.
 *
 * @param disks orphaned, the largest first
 * @param gb of all of them
 * @param excluded disks that a pattern excludes
 * @param young disks that nobody refers to, but that changed too lately
 */
public record OrphanedDisks(List<Disk> disks, double gb, int excluded, int young) {

  /** Days without a change, unless another number is given. */
  public static final int USUAL_DAYS = 30;

  /** Files at most. */
  public static final int MOST_FILES = 2_000_000;

  /**
   * Paths that are nobody's disk by design: content libraries ({@code contentlib-<id>}), vSphere
   * Replication ({@code hbr*}), disks of their own that Kubernetes and backup programs manage
   * (first class disks: {@code fcd}, {@code catalog}), and what ESXi keeps for itself.
   */
  public static final List<String> USUAL_EXCLUSIONS =
      List.of("contentlib-*", "*/hbr*", "fcd/*", "catalog/*", ".*", "vmkdump/*", "vCLS*");

  private static final double DAY = 86_400;

  /** What follows the name of a disk in the names of its files. */
  private static final Pattern FILE =
      Pattern.compile(
          "(.+?)(-[0-9]{6})?(-flat|-delta|-sesparse|-ctk|-rdmp?|-s[0-9]{3})?\\.vmdk",
          Pattern.CASE_INSENSITIVE);

  /** A result keeps its own list. */
  public OrphanedDisks {
    disks = List.copyOf(disks);
  }

  /**
   * File of a datastore.
   *
   * @param path {@code [datastore] folder/name.vmdk}, as vCenter writes it
   * @param gb that it takes; NaN = not known
   * @param modified seconds since 1970
   */
  public record File(String path, double gb, long modified) {}

  /**
   * Disk without an owner.
   *
   * @param path without the ends of its files
   * @param files that it consists of
   * @param gb of them; NaN = of none is known
   * @param days since the last of them changed
   * @param reason in one sentence
   */
  public record Disk(String path, int files, double gb, double days, String reason) {}

  /**
   * Finds disks.
   *
   * <p>A disk is all files that share a name: descriptor, extents, snapshots, change tracking. It
   * has an owner if one of them is referred to, so a machine that runs on a snapshot owns the base
   * disk below it, even if only the snapshot is named.
   *
   * @param files of datastores; others than {@code .vmdk} are passed over
   * @param referred paths that machines and templates refer to, with all disks below a disk that
   *     has snapshots or is a linked clone (vCenter's {@code layoutEx}): the base of clones lies in
   *     another machine's folder
   * @param exclusions patterns of paths without the datastore; {@code *} is anything
   * @param mostDays age from which one is listed
   * @throws IllegalArgumentException there are more than {@value #MOST_FILES} files
   */
  public static Answer<OrphanedDisks> find(
      Collection<File> files,
      Collection<String> referred,
      List<String> exclusions,
      long now,
      int mostDays) {
    if (files.size() > MOST_FILES) {
      throw new IllegalArgumentException(
          files.size()
              + " files are more than "
              + MOST_FILES
              + ". Look at one datastore at a time.");
    }
    if (referred.isEmpty()) {
      return new Answer.NotKnown<>(
          "No machine's disks were read, so every disk would look like nobody's.");
    }
    Set<String> owned = new HashSet<>();
    for (String path : referred) {
      owned.add(disk(path));
    }
    Map<String, List<File>> byDisk = new LinkedHashMap<>();
    for (File file : files) {
      if (FILE.matcher(file.path()).matches()) {
        byDisk.computeIfAbsent(disk(file.path()), path -> new ArrayList<>()).add(file);
      }
    }
    List<Disk> disks = new ArrayList<>();
    int excluded = 0;
    int young = 0;
    double total = 0;
    for (Map.Entry<String, List<File>> entry : byDisk.entrySet()) {
      if (!owned.contains(entry.getKey())) {
        String inside = entry.getKey().replaceFirst("^\\[[^\\]]*\\] *", "");
        double days = days(entry.getValue(), now);
        if (exclusions.stream().anyMatch(pattern -> matches(pattern, inside))) {
          excluded++;
        } else if (days < mostDays) {
          young++;
        } else {
          Disk disk = disk(entry.getKey(), entry.getValue(), days);
          disks.add(disk);
          total += Double.isNaN(disk.gb()) ? 0 : disk.gb();
        }
      }
    }
    disks.sort(
        Comparator.comparingDouble((Disk disk) -> Double.isNaN(disk.gb()) ? -1 : disk.gb())
            .reversed()
            .thenComparing(Disk::path));
    return new Answer.Known<>(new OrphanedDisks(disks, total, excluded, young));
  }

  private static Disk disk(String path, List<File> files, double days) {
    double gb = Double.NaN;
    for (File file : files) {
      if (!Double.isNaN(file.gb())) {
        gb = (Double.isNaN(gb) ? 0 : gb) + file.gb();
      }
    }
    return new Disk(
        path,
        files.size(),
        gb,
        days,
        "No machine that is known refers to it, and it has not changed for "
            + Say.days(days)
            + ": look whether a machine of another vCenter owns it.");
  }

  private static double days(List<File> files, long now) {
    long last = Long.MIN_VALUE;
    for (File file : files) {
      last = Math.max(last, file.modified());
    }
    return (now - last) / DAY;
  }

  private static String disk(String path) {
    Matcher file = FILE.matcher(path);
    return file.matches() ? file.group(1) : path;
  }

  /** Compares with a pattern in which {@code *} is anything, in time linear in most cases. */
  static boolean matches(String pattern, String text) {
    int p = 0;
    int t = 0;
    int star = -1;
    int mark = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        mark = t;
      } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
        p++;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++mark;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
