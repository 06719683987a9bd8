package io.peerlens.run.read;

import io.peerlens.run.Latencies;
import io.peerlens.run.Parameter;
import io.peerlens.run.Run.Direction;
import io.peerlens.run.Run.Figure;
import io.peerlens.run.Run.Series;
import io.peerlens.run.read.VdbenchRun.Column;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A folder of HCIBench: what fio (JSON) or vdbench (text) wrote on each VM, beside it HCIBench's
 * own {@code …-res.txt}. The VMs are machines of one run. Where HCIBench's figures are not those of
 * the VMs together, both stand side by side:
 *
 * <ul>
 *   <li>its 95th percentile of vdbench is mean + 1.645 x standard deviation, as if latency were
 *       normally distributed;
 *   <li>its 95th percentile of fio is the mean of the VMs' percentiles;
 *   <li>its latencies are means of the VMs' means, however much each VM did;
 *   <li>VMs that ended early are left out of its sums.
 * </ul>
 *
 * <p>Source: {@code HCIBench/automation/lib/parseFioResult.rb}, {@code parseVdbResult.rb} and
 * {@code rvc-util.rb} of vmware-labs/hci-benchmark-appliance.
 */
final class HciBenchFolder {

  private static final Pattern NAME =
      Pattern.compile(
          "(vdb|fio)-(\\d+)vmdk-(\\d+)ws-([^-]+)-(\\d+)rdpct-(\\d+)randompct-(\\d+)threads"
              + "(?:-[^-]+)*?-(\\d{9,11})");
  private static final String MEAN_OF_MEANS =
      "HCIBench gives the mean of the VMs' means, however many operations each VM did.";
  private static final String MEAN_OF_PERCENTILES =
      "HCIBench gives the mean of the VMs' 95th percentiles, which is a percentile of nothing.";
  private static final String NORMAL =
      "HCIBench gives mean + 1.645 x standard deviation, as if latency were normally distributed.";
  private static final String LEFT_OUT = "HCIBench leaves VMs out that ended early.";
  private static final int MOST_RESOURCES = 1_000;

  final String path;
  final List<ResultFile> fio = new ArrayList<>();
  final List<ResultFile> vdbench = new ArrayList<>();
  final List<ResultFile> histograms = new ArrayList<>();
  @Nullable ResultFile result;
  @Nullable ResultFile resources;

  HciBenchFolder(String path) {
    this.path = path;
  }

  /** Whether a folder is named as HCIBench names them. */
  static boolean isNamed(String folder) {
    return NAME.matcher(last(folder)).matches();
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  void read(Findings findings) throws IOException {
    HciBenchResult said = result == null ? null : HciBenchResult.read(result, findings);
    List<Draft> runs = fio.isEmpty() ? vdbench(findings) : fio(findings);
    boolean fromVms = !runs.isEmpty();
    if (!fromVms) {
      if (said == null || said.sections.isEmpty()) {
        findings.problem(
            result == null ? path : result.path(),
            0,
            "HCIBench has no results here",
            "Look into the folder's files of the VMs; the test may have failed.");
        return;
      }
      Draft only = new Draft("hcibench", path);
      only.remark("There are no files of the VMs: figures are HCIBench's own.");
      runs = List.of(only);
    }
    for (int i = 0; i < runs.size(); i++) {
      Draft run = runs.get(i);
      if (said != null) {
        List<Map<String, String>> sections = said.sections;
        if (runs.size() > 1 && sections.size() == runs.size()) {
          sections = List.of(sections.get(i));
        }
        if (runs.size() == 1 || sections.size() == 1) {
          compare(run, sections, said, fromVms);
        }
        run.parameter("datastore", String.join(" + ", said.datastores));
      }
      parameters(run);
      if (resources != null) {
        resources(run, resources, findings);
      }
      findings.add(run);
    }
  }

  private List<Draft> fio(Findings findings) throws IOException {
    List<List<FioJob>> phases = new ArrayList<>();
    List<List<Series>> series = new ArrayList<>();
    String version = "";
    Instant start = null;
    for (ResultFile file : fio) {
      List<FioFile.Execution> executions = FioFile.read(file, findings);
      if (executions.isEmpty()) {
        continue;
      }
      FioFile.Execution last = executions.getLast();
      String vm = last(file.nameWithoutEnding());
      version = last.version;
      if (last.start != null && (start == null || last.start.isBefore(start))) {
        start = last.start;
      }
      for (int i = 0; i < last.phases().size(); i++) {
        if (i == phases.size()) {
          phases.add(new ArrayList<>());
          series.add(new ArrayList<>());
        }
        for (FioJob job : last.phases().get(i).jobs) {
          phases.get(i).add(job.on(vm));
        }
        if (last.phases().get(i).intervals.size() > 1) {
          series.get(i).addAll(last.phases().get(i).intervals.series(vm, 0, 1));
        }
      }
    }
    List<Draft> runs = new ArrayList<>();
    for (int i = 0; i < phases.size(); i++) {
      List<FioJob> jobs = phases.get(i);
      String name = phases.size() == 1 ? path : path + "/" + jobs.getFirst().name();
      Draft run = new Draft("hcibench", name);
      run.start = start;
      double seconds = jobs.stream().mapToDouble(FioJob::seconds).max().orElse(0);
      run.length = Duration.ofMillis(Math.round(seconds * 1000));
      FioTotals.add(run, jobs);
      FioParameters.add(run, jobs);
      run.parameter("generator", "fio " + version);
      together(run, series.get(i));
      runs.add(run);
    }
    return runs;
  }

  private static void together(Draft run, List<Series> series) {
    if (!series.isEmpty()) {
      Together.add(run, series);
      series.forEach(run::series);
    }
  }

  private List<Draft> vdbench(Findings findings) throws IOException {
    List<List<VdbenchRun>> runs = new ArrayList<>();
    List<List<String>> vms = new ArrayList<>();
    String version = "";
    for (ResultFile file : vdbench) {
      VdbenchText text = VdbenchText.read(file, findings);
      version = text.version.isEmpty() ? version : text.version;
      for (int i = 0; i < text.runs.size(); i++) {
        if (i == runs.size()) {
          runs.add(new ArrayList<>());
          vms.add(new ArrayList<>());
        }
        runs.get(i).add(text.runs.get(i));
        vms.get(i).add(last(file.nameWithoutEnding()));
      }
    }
    List<List<VdbenchHistogram.Distributions>> distributions = new ArrayList<>();
    for (ResultFile file : histograms) {
      distributions.add(VdbenchHistogram.read(file, findings));
    }
    List<Draft> drafts = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      String name = runs.get(i).getFirst().name;
      Draft run = new Draft("hcibench", runs.size() == 1 ? path : path + "/" + name);
      run.parameter("generator", "vdbench " + version.replaceFirst("^vdbench", ""));
      List<Latencies> histogramsOfRun = new ArrayList<>();
      for (List<VdbenchHistogram.Distributions> one : distributions) {
        if (i < one.size()) {
          histogramsOfRun.addAll(one.get(i).latencies());
        }
      }
      if (sum(run, runs.get(i), vms.get(i), findings)) {
        percentiles(run, runs.get(i).size(), histogramsOfRun);
        drafts.add(run);
      }
    }
    return drafts;
  }

  private boolean sum(Draft run, List<VdbenchRun> of, List<String> vms, Findings findings) {
    Map<String, double[]> sums = new HashMap<>();
    List<String> order = new ArrayList<>();
    List<Series> series = new ArrayList<>();
    int counted = 0;
    for (int i = 0; i < of.size(); i++) {
      VdbenchRun one = of.get(i);
      Map<Column, Double> average = one.average == null ? one.ownAverage() : one.average;
      if (one.prepares()) {
        continue;
      }
      if (!average.containsKey(Column.RATE)) {
        findings.problem(
            path, 0, "VM %s has no results".formatted(vms.get(i)), "Look into its file.");
        continue;
      }
      counted++;
      if (one.average == null) {
        run.remark("VMs that ended early are counted up to their end.");
      }
      Map<Direction, Double> ops = new EnumMap<>(Direction.class);
      one.values(
          average,
          (direction, metric, unit, value) -> {
            if (metric.equals("iops")) {
              ops.put(direction, value);
            }
          });
      one.values(
          average,
          (direction, metric, unit, value) -> {
            String name = LatencyFigures.name(direction, metric);
            double weight = metric.equals("latency") ? ops.getOrDefault(direction, 0.0) : 1;
            if (!sums.containsKey(name)) {
              order.add(name);
              order.add(unit);
            }
            double[] sum = sums.computeIfAbsent(name, key -> new double[3]);
            if (!Double.isNaN(value) && weight > 0) {
              sum[0] += value * weight;
              sum[1] += weight;
              sum[2] = Math.max(sum[2], value);
            }
          });
      double seconds = one.intervalSeconds();
      series.addAll(
          one.intervals.series(vms.get(i), one.first - 1.0, Double.isNaN(seconds) ? 1 : seconds));
      run.length =
          Duration.ofMillis(
              Math.max(
                  run.length.toMillis(),
                  Math.round((one.intervals.size() - one.first + 1) * seconds * 1000)));
    }
    for (int i = 0; i < order.size(); i += 2) {
      String name = order.get(i);
      double[] sum = sums.getOrDefault(name, new double[3]);
      boolean adds = order.get(i + 1).endsWith("/s") || name.equals("outstanding");
      run.figure(
          name,
          order.get(i + 1),
          adds
              ? sum[0]
              : name.endsWith("_max") ? sum[2] : sum[1] == 0 ? Double.NaN : sum[0] / sum[1]);
    }
    together(run, series);
    run.parameter(Parameter.MACHINES, (double) counted);
    return counted > 0;
  }

  private static void percentiles(Draft run, int vms, List<Latencies> of) {
    Map<Direction, List<Latencies>> all = new EnumMap<>(Direction.class);
    of.forEach(one -> all.computeIfAbsent(one.direction(), key -> new ArrayList<>()).add(one));
    List<Latencies> both = all.getOrDefault(Direction.BOTH, List.of());
    if (both.size() == vms) {
      all.forEach((direction, parts) -> LatencyFigures.add(run, Latencies.sum(direction, parts)));
    } else {
      LatencyFigures.unknown(
          run,
          Direction.BOTH,
          "The folder has vdbench's histogram.html of %d of %d VMs; percentiles need all."
              .formatted(both.size(), vms));
    }
  }

  private static void compare(
      Draft run, List<Map<String, String>> sections, HciBenchResult said, boolean fromVms) {
    String left = said.leftOut ? LEFT_OUT : "HCIBench's sum differs from that of the VMs' files.";
    double throughput = HciBenchResult.sum(sections, "THROUGHPUT") * VdbenchRun.MB;
    // HCIBench rounds each section, to 0.01 IO/s and (of fio) down to whole MB.
    run.toolSays(
        "iops", "IO/s", HciBenchResult.sum(sections, "IOPS"), 0.02 * sections.size(), left);
    run.toolSays("throughput", "B/s", throughput, VdbenchRun.MB * sections.size(), left);
    run.parameter("hcibench_vms", HciBenchResult.sum(sections, "VMs"));
    if (sections.size() != 1) {
      run.remark(
          "HCIBench gives latencies by job and datastore; they are not put beside those of all.");
      return;
    }
    Map<String, String> only = sections.getFirst();
    // vdbench's are rounded to 0.01 ms, fio's to 0.0001 ms.
    double rounding = only.containsKey("Run Def") ? 0.0051 : 0.000051;
    mean(run, "latency", only.get("LATENCY"), fromVms, rounding);
    mean(run, "read_latency", only.get("R_LATENCY"), fromVms, rounding);
    mean(run, "write_latency", only.get("W_LATENCY"), fromVms, rounding);
    percentile(run, "latency_p95", only.get("95%tile_LAT"), NORMAL);
    percentile(run, "read_latency_p95", only.get("95%tile_R_LAT"), MEAN_OF_PERCENTILES);
    percentile(run, "write_latency_p95", only.get("95%tile_W_LAT"), MEAN_OF_PERCENTILES);
  }

  private static void mean(
      Draft run, String name, @Nullable String said, boolean fromVms, double rounding) {
    double value = Numbers.leading(said);
    if (!(value > 0)) {
      return;
    }
    if (!fromVms) {
      run.figures.add(
          Figure.unknown(name, "ms", MEAN_OF_MEANS + " There are no files of the VMs.")
              .beside(value, MEAN_OF_MEANS + " There are no files of the VMs."));
      return;
    }
    run.toolSays(name, "ms", value, rounding, MEAN_OF_MEANS);
  }

  private static void percentile(Draft run, String name, @Nullable String said, String reason) {
    double value = Numbers.leading(said);
    if (!(value > 0)) {
      return;
    }
    if (run.figure(name) == null) {
      run.figures.add(Figure.unknown(name, "ms", "It cannot be had from what is here."));
    }
    run.toolSays(name, "ms", value, 0, reason);
  }

  private void parameters(Draft run) {
    Matcher name = NAME.matcher(last(path));
    int vms = Math.max(fio.size(), vdbench.size());
    if (vms > 0 && !run.parameters.containsKey(Parameter.MACHINES)) {
      run.parameter(Parameter.MACHINES, (double) vms);
    }
    if (!name.matches()) {
      return;
    }
    double disks = Numbers.of(name.group(2));
    double threads = Numbers.of(name.group(7));
    run.parameter(Parameter.DISKS, disks);
    run.parameter("working_set_percent", name.group(3));
    double size = Numbers.size(name.group(4));
    run.parameter(Parameter.BLOCK_SIZE, Double.isNaN(size) ? name.group(4) : Numbers.plain(size));
    run.parameter(Parameter.READ_SHARE, name.group(5));
    run.parameter(Parameter.RANDOM_SHARE, name.group(6));
    run.parameter(Parameter.THREADS, threads);
    // HCIBench's threads of a disk are fio's queue depth: told twice, they would count twice.
    run.parameters.remove(Parameter.QUEUE_DEPTH, Numbers.plain(threads));
    double machines =
        Numbers.of(
            run.parameters.getOrDefault(
                Parameter.MACHINES, run.parameters.getOrDefault("hcibench_vms", "")));
    run.parameter(Parameter.MACHINES, machines);
    run.parameter(Parameter.OUTSTANDING, machines * disks * threads);
    if (run.start == null) {
      run.start = Instant.ofEpochSecond(Long.parseLong(name.group(8)));
    }
  }

  /** Usage of clusters and hosts over the test, JSON by cluster. */
  private static void resources(Draft run, ResultFile file, Findings findings) throws IOException {
    try (JsonDocuments documents = new JsonDocuments(file.open())) {
      JsonDocuments.Document document = documents.next();
      if (document != null) {
        flatten(run, "resource", document.json());
      }
    } catch (UnreadableException e) {
      findings.problem(e.in(file.path()));
    }
  }

  private static void flatten(Draft run, String name, JsonNode node) {
    if (node.isContainer()) {
      for (Map.Entry<String, JsonNode> one : node.properties()) {
        flatten(run, name + "|" + one.getKey(), one.getValue());
      }
      return;
    }
    double value = node.isNumber() ? node.doubleValue() : Numbers.leading(node.asString(""));
    if (run.figures.size() < MOST_RESOURCES) {
      run.figure(name, "%", value);
    }
  }
}
