package io.peerlens.vcenter.inventory;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names of the files of virtual disks. A disk is all files that share a name: descriptor, extents,
 * snapshots, change tracking.
 */
final class DiskFiles {

  /** What follows the name of a disk in the names of its files. */
  private static final Pattern FILE =
      Pattern.compile(
          "(.+?)(?:-[0-9]{6})?(?:-flat|-delta|-sesparse|(-ctk)|-rdmp?|-s[0-9]{3})?\\.vmdk",
          Pattern.CASE_INSENSITIVE);

  private DiskFiles() {}

  /**
   * A file of a disk.
   *
   * @param disk without the ends of its files
   * @param tracking whether the file only tells which blocks of the disk have changed
   */
  record Part(String disk, boolean tracking) {}

  /** What a file is of a disk; null = it is no disk's. */
  static @Nullable Part of(String path) {
    Matcher file = FILE.matcher(path);
    return file.matches() ? new Part(file.group(1), file.group(2) != null) : null;
  }

  /** Whether a file is the configuration of a machine or a template. */
  static boolean isMachine(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".vmx") || lower.endsWith(".vmtx");
  }

  /** The datastore of a path such as {@code [datastore1] web1/web1.vmdk}; empty = none. */
  static String datastore(String path) {
    int end = path.indexOf(']');
    return path.startsWith("[") && end > 0 ? path.substring(1, end) : "";
  }

  /** A path without its datastore and without anything before the first folder. */
  static String inside(String path) {
    int end = path.startsWith("[") ? path.indexOf(']') : -1;
    int from = end + 1;
    while (from < path.length()
        && (path.charAt(from) == ' ' || path.charAt(from) == '/' || path.startsWith("./", from))) {
      from++;
    }
    return path.substring(from);
  }

  /** The folder of a path; empty = it lies in none. */
  static String folder(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }
}
