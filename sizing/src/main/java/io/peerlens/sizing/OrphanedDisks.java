package io.peerlens.sizing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Disks that no machine refers to and that have not changed for long. The result is a list for
 * people and never a licence to delete: a machine that nobody told of may own them.
 *
 * @param disks orphaned, the largest first
 * @param gb of those whose size is known
 * @param young disks that nobody refers to, but that changed too lately, or nobody knows when
 */
public record OrphanedDisks(List<Disk> disks, double gb, int young) {

  /** Days without a change, unless another number is given. */
  public static final int USUAL_DAYS = 30;

  private static final double DAY = 86_400;

  /** A result keeps its own list. */
  public OrphanedDisks {
    disks = List.copyOf(disks);
  }

  /**
   * Disk that no machine refers to.
   *
   * @param path in its datastore, without the ends of its files
   * @param gb that its files take; NaN = not known
   * @param modified seconds since 1970, of the file that changed last; below 0 = not known
   * @param machine configuration file of a machine beside it that is not registered; empty = none
   */
  public record Unreferenced(String path, int files, double gb, long modified, String machine) {}

  /**
   * Disk without an owner.
   *
   * @param path without the ends of its files
   * @param files that it consists of
   * @param gb of them; NaN = not known
   * @param days since the last of them changed
   * @param reason in one or two sentences
   */
  public record Disk(String path, int files, double gb, double days, String reason) {}

  /**
   * Finds those that are old enough.
   *
   * @param now seconds since 1970
   * @param mostDays age from which one is listed
   */
  public static OrphanedDisks of(Collection<Unreferenced> all, long now, int mostDays) {
    List<Disk> disks = new ArrayList<>();
    int young = 0;
    double total = 0;
    for (Unreferenced one : all) {
      double days = (now - one.modified()) / DAY;
      if (one.modified() < 0 || days < mostDays) {
        young++;
      } else {
        disks.add(new Disk(one.path(), one.files(), one.gb(), days, reason(one, days)));
        total += Double.isNaN(one.gb()) ? 0 : one.gb();
      }
    }
    disks.sort(
        Comparator.comparingDouble((Disk disk) -> Double.isNaN(disk.gb()) ? -1 : disk.gb())
            .reversed()
            .thenComparing(Disk::path));
    return new OrphanedDisks(disks, total, young);
  }

  private static String reason(Unreferenced one, double days) {
    String beside =
        one.machine().isEmpty()
            ? ""
            : " Beside it lies " + one.machine() + " of a machine that is not registered.";
    return "No machine that is known refers to it, and it has not changed for "
        + Say.days(days)
        + "."
        + beside
        + (Double.isNaN(one.gb()) ? " Its size is not known." : "")
        + " Look whether something else uses it before it is deleted.";
  }
}
