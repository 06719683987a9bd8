package io.peerlens.profile;

import io.peerlens.profile.Workload.Part;
import io.peerlens.profile.Workload.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Files and command lines for load generators. What is not known stays in them as a comment that
 * begins with ASSUMPTION; the tools take them as they are all the same.
 *
 * <p>Sources: fio 3.33, fio(1); Vdbench Users Guide 5.04.07; DiskSpd's command line help
 * (microsoft/diskspd, {@code CmdLineParser/CmdLineParser.cpp}); HCIBench's {@code
 * generate-vdb-param-file.sh} (vmware-labs/hci-benchmark-appliance @702d1f6).
 */
public final class LoadFile {

  private static final String RANDOM_UNKNOWN =
      "ASSUMPTION: randomness is not known: set it (all accesses are at random places here)";

  private static final int ALL = 100;

  private LoadFile() {}

  /**
   * A job file of fio. fio counts a rate of operations in its smallest block, so with several sizes
   * the rate is given in bytes.
   */
  public static String fio(Workload load, LoadTarget target) {
    target.without("#$", "fio");
    List<String> lines = new ArrayList<>();
    comments(lines, "; ", load, target.bytesEach() * target.paths().size());
    lines.add("[global]");
    lines.add("ioengine=libaio");
    lines.add("direct=1");
    lines.add("time_based=1");
    lines.add("ramp_time=" + target.warmUp().toSeconds() + "s");
    lines.add("runtime=" + target.length().toSeconds() + "s");
    lines.add("size=" + target.bytesEach());
    lines.add("numjobs=" + target.threads());
    lines.add("iodepth=" + target.depth());
    lines.add("group_reporting=1");
    int random = randomOf(load);
    int reads = readPercent(load);
    String pattern = reads == ALL ? "read" : reads == 0 ? "write" : "rw";
    lines.add("rw=" + (random == 0 ? pattern : "rand" + pattern));
    if (random > 0) {
      lines.add("percentage_random=" + random);
    }
    if (reads > 0 && reads < ALL) {
      lines.add("rwmixread=" + reads);
    }
    List<Part> ofReads = reads == 0 ? List.of() : load.parts(true);
    List<Part> ofWrites = reads == ALL ? List.of() : load.parts(false);
    List<Part> either = ofReads.isEmpty() ? ofWrites : ofReads;
    lines.add("bssplit=" + split(either) + "," + split(ofWrites.isEmpty() ? either : ofWrites));
    boolean oneSize = ofReads.size() <= 1 && ofWrites.size() <= 1;
    double each = load.iops() / target.allThreads() / ALL;
    lines.add(
        (oneSize ? "rate_iops=" : "rate=")
            + rate(each * reads * (oneSize ? 1 : mean(ofReads)), reads > 0)
            + ","
            + rate(each * (ALL - reads) * (oneSize ? 1 : mean(ofWrites)), reads < ALL));
    for (int i = 0; i < target.paths().size(); i++) {
      lines.add("");
      lines.add("[path" + (i + 1) + "]");
      lines.add("filename=" + target.paths().get(i).replace("\\", "\\\\").replace(":", "\\:"));
    }
    return text(lines);
  }

  /** A rate of at least one; empty = this direction has none. */
  private static String rate(double value, boolean any) {
    return any ? String.valueOf(Math.max(1, Math.round(value))) : "";
  }

  private static String split(List<Part> parts) {
    return parts.stream()
        .map(it -> it.blockSize() + "/" + it.percent())
        .collect(Collectors.joining(":"));
  }

  private static double mean(List<Part> parts) {
    return parts.stream().mapToDouble(it -> it.blockSize() * it.percent()).sum() / ALL;
  }

  /** A parameter file of vdbench. */
  public static String vdbench(Workload load, LoadTarget target) {
    target.without(" ,()=", "vdbench");
    List<String> lines = new ArrayList<>();
    comments(lines, "* ", load, target.bytesEach() * target.paths().size());
    lines.add("sd=default,openflags=o_direct,threads=" + target.threads() * target.depth());
    for (int i = 0; i < target.paths().size(); i++) {
      lines.add(
          "sd=sd%d,lun=%s,size=%d".formatted(i + 1, target.paths().get(i), target.bytesEach()));
    }
    int random = randomOf(load);
    int reads = readPercent(load);
    String ofReads = transfers(load.parts(true));
    String ofWrites = transfers(load.parts(false));
    String definition = "wd=wd%d,sd=sd*,rdpct=%d,xfersize=%s,seekpct=" + random;
    if (reads == 0 || reads == ALL || ofReads.equals(ofWrites)) {
      lines.add(definition.formatted(1, reads, reads == 0 ? ofWrites : ofReads));
    } else {
      lines.add(definition.formatted(1, ALL, ofReads) + ",skew=" + reads);
      lines.add(definition.formatted(2, 0, ofWrites) + ",skew=" + (ALL - reads));
    }
    lines.add(
        "rd=run1,wd=wd*,iorate=%d,elapsed=%d,warmup=%d,interval=5"
            .formatted(
                Math.round(load.iops()), target.length().toSeconds(), target.warmUp().toSeconds()));
    return text(lines);
  }

  private static String transfers(List<Part> parts) {
    if (parts.size() == 1) {
      return sizeInWords(parts.getFirst().blockSize());
    }
    return parts.stream()
        .map(it -> sizeInWords(it.blockSize()) + "," + it.percent())
        .collect(Collectors.joining(",", "(", ")"));
  }

  private static String sizeInWords(long bytes) {
    return BlockSize.text(bytes).toLowerCase(Locale.ROOT);
  }

  /**
   * Command lines of DiskSpd, one for each size, since it has one size in a process: all of them
   * are to be started at once. Lines that begin with {@code REM} are remarks. They are for DiskSpd
   * 2.1 and later, which know rates in operations and shares of random accesses.
   */
  public static String diskSpd(Workload load, LoadTarget target) {
    target.without("%", "a command line of Windows");
    List<String> lines = new ArrayList<>();
    comments(lines, "REM ", load, target.bytesEach() * target.paths().size());
    // A batch file would take these for something else, even in remarks.
    lines.replaceAll(it -> it.replace("%", "per cent").replaceAll("[&|<>^]", " "));
    TreeMap<Long, double[]> sizes = new TreeMap<>();
    for (Stream one : load.streams()) {
      double[] of = sizes.computeIfAbsent(one.blockSize(), size -> new double[2]);
      of[one.read() ? 0 : 1] += one.share();
    }
    int[] percents =
        Workload.Shares.percents(
            sizes.values().stream().mapToDouble(it -> it[0] + it[1]).toArray());
    int random = randomOf(load);
    String access = random == ALL ? "-r" : random == 0 ? "-si" : "-rs" + random;
    String paths =
        target.paths().stream().map(it -> '"' + it + '"').collect(Collectors.joining(" "));
    List<String> commands = new ArrayList<>();
    int at = 0;
    for (var size : sizes.entrySet()) {
      double[] of = size.getValue();
      if (percents[at] > 0) {
        double rate = load.iops() * percents[at] / ALL / target.allThreads();
        commands.add(
            "diskspd -b%d -w%d %s -t%d -o%d -g%di -f%d -W%d -d%d -Sh -L -Rxml %s"
                .formatted(
                    size.getKey(),
                    Math.round(of[1] / (of[0] + of[1]) * ALL),
                    access,
                    target.threads(),
                    target.depth(),
                    Math.max(1, Math.round(rate)),
                    target.bytesEach(),
                    target.warmUp().toSeconds(),
                    target.length().toSeconds(),
                    paths));
      }
      at++;
    }
    if (commands.size() > 1) {
      lines.add("REM Start all lines at once: a process has one size of blocks.");
    }
    lines.addAll(commands);
    return text(lines);
  }

  /**
   * Parameters of HCIBench by the names of its generator, and the call of it. It has one size of
   * blocks; for several, its page takes the file of {@link #vdbench}.
   *
   * @param vms virtual machines that make the load
   * @param disks data disks of each
   * @param threads of a disk
   * @param workingSetPercent how much of a disk is used
   * @param warmUpSeconds before what is measured
   * @param seconds of what is measured
   */
  public static String hciBench(
      Workload load,
      int vms,
      int disks,
      int threads,
      int workingSetPercent,
      int warmUpSeconds,
      int seconds) {
    if (vms < 1 || disks < 1 || threads < 1 || seconds < 1 || warmUpSeconds < 0) {
      throw new IllegalArgumentException(
          "HCIBench needs at least one VM, disk, thread and second: %d, %d, %d, %d"
              .formatted(vms, disks, threads, seconds));
    }
    if (workingSetPercent < 1 || workingSetPercent > ALL) {
      throw new IllegalArgumentException(
          "The working set is %d %% of a disk: give 1 to 100".formatted(workingSetPercent));
    }
    List<String> lines = new ArrayList<>();
    comments(lines, "# ", load, Double.NaN);
    if (load.streams().stream().mapToLong(Stream::blockSize).distinct().count() > 1) {
      lines.add(
          "# Several sizes: BLOCK_SIZE is the usual one next to their mean."
              + " Upload the vdbench file for all of them.");
    }
    String size = sizeInWords(BlockSize.usual(load.blockSize()));
    int reads = readPercent(load);
    int random = randomOf(load);
    long rate = Math.max(1, Math.round(load.iops() / vms));
    lines.add("# IO_RATE is that of each of " + vms + " VMs");
    lines.add("DISK_NUM=" + disks);
    lines.add("WORKING_SET=" + workingSetPercent);
    lines.add("THREADS_NUM=" + threads);
    lines.add("BLOCK_SIZE=" + size);
    lines.add("READ_PERCENT=" + reads);
    lines.add("RANDOM_PERCENT=" + random);
    lines.add("TEST_TIME=" + seconds);
    lines.add("WARMUP_TIME=" + warmUpSeconds);
    lines.add("IO_RATE=" + rate);
    lines.add(
        "# generate-vdb-param-file.sh -n %d -w %d -t %d -b %s -r %d -s %d -e %d -m %d -o %d"
            .formatted(
                disks,
                workingSetPercent,
                threads,
                size,
                reads,
                random,
                seconds,
                warmUpSeconds,
                rate));
    return text(lines);
  }

  private static int randomOf(Workload load) {
    int random = load.randomPercent();
    return random < 0 ? ALL : random;
  }

  private static int readPercent(Workload load) {
    return (int) Math.round(load.readShare() * ALL);
  }

  private static void comments(List<String> lines, String mark, Workload load, double used) {
    for (String note : load.notes()) {
      lines.add(mark + oneLine(note));
    }
    if (load.randomPercent() < 0) {
      lines.add(mark + RANDOM_UNKNOWN);
    } else if (!load.pattern().randomSource().isEmpty()) {
      lines.add(mark + "Randomness: " + oneLine(load.pattern().randomSource()));
    }
    double set = load.pattern().workingSet();
    if (Double.isNaN(set)) {
      lines.add(mark + "ASSUMPTION: the working set is not known: set how much is used");
    } else {
      String bytes = used == set ? "" : String.format(Locale.ROOT, "%.0f bytes, ", set);
      lines.add(mark + "Working set: " + bytes + oneLine(load.pattern().workingSetSource()));
    }
    lines.add(
        mark
            + "ASSUMPTION: outstanding operations are not known:"
            + " threads and their depth are examples, as are the lengths of warming up and measuring");
  }

  /** Names of objects are not ours: nothing of them may become a line of parameters. */
  private static String oneLine(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]", " ");
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }
}
