package io.peerlens.run.read;

import io.peerlens.run.Parameter;
import io.peerlens.run.Run.Direction;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Parameters of fio's jobs, from the options that newer versions repeat in their output. What is
 * not set has fio's default (HOWTO). Older versions give no options: then only what was measured is
 * said.
 */
final class FioParameters {

  private static final int MOST_VALUES = 8;

  /** Options that say where output goes or are parameters under their common name already. */
  private static final Set<String> NOT_OWN =
      Set.of(
          "name",
          "bs",
          "blocksize",
          "rw",
          "readwrite",
          "iodepth",
          "rwmixread",
          "rwmixwrite",
          "rate_iops",
          "ramp_time",
          "numjobs",
          "output",
          "output-format",
          "status-interval",
          "write_bw_log",
          "write_iops_log",
          "write_lat_log",
          "write_hist_log",
          "log_avg_msec",
          "eta",
          "stonewall",
          "wait_for_previous",
          "group_reporting",
          "filename",
          "directory",
          "buffer_compress_percentage",
          "dedupe_percentage");

  /** Engines for which {@code iodepth} does not count, as they do one operation at a time. */
  private static final Set<String> SYNCHRONOUS =
      Set.of(
          "sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice", "ftruncate", "dev-dax");

  private FioParameters() {}

  static void add(Draft run, List<FioJob> jobs) {
    if (jobs.stream().anyMatch(one -> one.options() == null)) {
      measured(run, jobs);
      return;
    }
    set(run, Parameter.BLOCK_SIZE, jobs, FioParameters::blockSize);
    set(run, Parameter.READ_SHARE, jobs, FioParameters::readShare);
    set(run, Parameter.RANDOM_SHARE, jobs, FioParameters::randomShare);
    set(run, Parameter.QUEUE_DEPTH, jobs, one -> Numbers.plain(depth(one)));
    set(run, Parameter.WARM_UP, jobs, one -> seconds(one.option("ramp_time")));
    set(run, Parameter.COMPRESSION, jobs, one -> one.option("buffer_compress_percentage"));
    set(run, Parameter.DEDUPLICATION, jobs, one -> one.option("dedupe_percentage"));

    Map<String, Integer> entries = new HashMap<>();
    jobs.forEach(one -> entries.merge(key(one), 1, Integer::sum));
    Set<String> machines = new LinkedHashSet<>();
    double threads = 0;
    double outstanding = 0;
    double limit = 0;
    double size = 0;
    for (FioJob job : jobs) {
      // With group_reporting one entry stands for all clones of a job, otherwise each has its own.
      double clones = Numbers.of(job.option("numjobs"));
      double count = entries.getOrDefault(key(job), 1) == 1 && clones > 1 ? clones : 1;
      threads += count;
      outstanding += count * depth(job);
      limit += count * rate(job.option("rate_iops"));
      boolean shared = job.option("filename") != null;
      size += Numbers.size(job.option("size", "filesize")) * (shared ? 1 : count);
      machines.add(job.machine());
    }
    if (jobs.stream().allMatch(one -> one.option("filename") != null)) {
      size = sharedFiles(jobs);
    }
    run.parameter(Parameter.THREADS, threads / machines.size());
    run.parameter(Parameter.MACHINES, (double) machines.size());
    run.parameter(Parameter.OUTSTANDING, outstanding);
    run.parameter(Parameter.RATE_LIMIT, limit > 0 ? limit : Double.NaN);
    run.parameter(Parameter.WORKING_SET, size);

    Set<String> own = new LinkedHashSet<>();
    jobs.forEach(one -> own.addAll(one.options() == null ? Set.of() : one.options().keySet()));
    own.removeAll(NOT_OWN);
    own.forEach(name -> set(run, name, jobs, one -> one.option(name)));
  }

  private static String key(FioJob job) {
    return job.machine() + '\n' + job.group() + '\n' + job.name();
  }

  /** Jobs on the same file work on the same bytes: each file counts once, by its largest job. */
  private static double sharedFiles(List<FioJob> jobs) {
    Map<String, Double> sizes = new HashMap<>();
    for (FioJob job : jobs) {
      double size = Numbers.size(job.option("size", "filesize"));
      sizes.merge(job.machine() + '\n' + job.option("filename"), size, Math::max);
    }
    return sizes.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** The value of all jobs; of jobs that differ, all values. */
  private static void set(
      Draft run, String name, List<FioJob> jobs, Function<FioJob, @Nullable String> value) {
    Set<String> values = new LinkedHashSet<>();
    for (FioJob job : jobs) {
      String one = value.apply(job);
      if (values.size() < MOST_VALUES) {
        values.add(one == null ? "" : one);
      }
    }
    String all = String.join(" + ", values);
    run.parameter(name, all.equals(" + ") ? null : all);
  }

  private static String blockSize(FioJob job) {
    String split = job.option("bssplit");
    if (split != null) {
      return split;
    }
    String range = job.option("bsrange", "blocksize_range");
    if (range != null) {
      return range;
    }
    String given = job.option("bs", "blocksize");
    if (given == null) {
      return "4096";
    }
    double size = Numbers.size(given);
    return Double.isNaN(size) ? given : Numbers.plain(size);
  }

  private static String pattern(FioJob job) {
    String pattern = job.option("rw", "readwrite");
    return (pattern == null ? "read" : pattern).split(":", 2)[0].toLowerCase(Locale.ROOT);
  }

  private static String readShare(FioJob job) {
    String pattern = pattern(job);
    return switch (pattern) {
      case "read", "randread" -> "100";
      case "write", "randwrite", "trim", "randtrim", "trimwrite", "randtrimwrite" -> "0";
      default -> {
        double reads = Numbers.leading(job.option("rwmixread"));
        double writes = Numbers.leading(job.option("rwmixwrite"));
        yield Numbers.plain(
            !Double.isNaN(reads) ? reads : !Double.isNaN(writes) ? 100 - writes : 50);
      }
    };
  }

  private static String randomShare(FioJob job) {
    if (!pattern(job).startsWith("rand")) {
      return "0";
    }
    String share = job.option("percentage_random");
    return share == null ? "100" : share;
  }

  private static double depth(FioJob job) {
    String engine = job.option("ioengine");
    if (engine == null || SYNCHRONOUS.contains(engine)) {
      return 1;
    }
    double depth = Numbers.of(job.option("iodepth"));
    return Double.isNaN(depth) ? 1 : depth;
  }

  private static double rate(@Nullable String given) {
    double sum = 0;
    for (String one : given == null ? new String[0] : given.split(",", 4)) {
      double rate = Numbers.size(one);
      sum += Double.isNaN(rate) ? 0 : rate;
    }
    return sum;
  }

  private static @Nullable String seconds(@Nullable String given) {
    if (given == null) {
      return null;
    }
    String text = given.strip().toLowerCase(Locale.ROOT);
    double factor = 1;
    if (text.endsWith("ms")) {
      factor = 1e-3;
    } else if (text.endsWith("us")) {
      factor = 1e-6;
    } else if (text.endsWith("m")) {
      factor = 60;
    } else if (text.endsWith("h")) {
      factor = 3600;
    } else if (text.endsWith("d")) {
      factor = 86_400;
    }
    double value = Numbers.of(text.replaceAll("[a-z]+$", ""));
    return Double.isNaN(value) ? given : Numbers.plain(value * factor);
  }

  private static void measured(Draft run, List<FioJob> jobs) {
    double ops = 0;
    double bytes = 0;
    double reads = 0;
    for (FioJob job : jobs) {
      ops += job.ops();
      bytes += job.bytes();
      FioStats read = job.parts().get(Direction.READ);
      reads += read == null ? 0 : read.ops();
    }
    if (ops > 0) {
      double size = Math.rint(bytes / ops / 512) * 512;
      if (size > 0 && Math.abs(bytes / ops / size - 1) < 0.001) {
        run.parameter(Parameter.BLOCK_SIZE, size);
      }
      if (jobs.stream().anyMatch(one -> one.parts().containsKey(Direction.READ))) {
        run.parameter(Parameter.READ_SHARE, Math.rint(reads / ops * 100));
      }
    }
    run.parameter(Parameter.THREADS, (double) jobs.size());
    run.remark(
        "This version of fio does not write its options; block size and share of reads are as"
            + " measured.");
  }
}
