package io.peerlens.run.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Gives files to the readers that know them, by tool and by folder. */
final class ResultFolder {

  /** Endings of files that should not be empty. */
  private static final Set<String> RESULTS = Set.of("json", "xml", "csv", "zip");

  private final Findings findings;
  private final ResultFile.Budget budget;
  private final Map<FileKind, List<ResultFile>> files = new EnumMap<>(FileKind.class);

  ResultFolder(Findings findings, ResultFile.Budget budget) {
    this.findings = findings;
    this.budget = budget;
  }

  /** Reads them all. */
  void read(List<ResultFile> all) {
    for (ResultFile file : all) {
      guarded(
          file.path(),
          () -> {
            String head = Texts.head(file.open(), FileKind.HEAD);
            FileKind kind = FileKind.of(head, file.name());
            files.computeIfAbsent(kind, key -> new ArrayList<>()).add(file);
          });
    }
    hciBench();
    vdbench();
    fio();
    diskSpd();
    each(FileKind.IOMETER, file -> IoMeterFile.read(file, findings));
    each(FileKind.IOBLAZER, file -> IoBlazerFile.read(file, findings));
    loginEnterprise();
    csv();
    rest();
  }

  /** Does something that may fail for one file. */
  private interface Reading {
    void run() throws IOException;
  }

  /** Reads the runs of a file. */
  private interface Reader {
    List<Draft> read(ResultFile file) throws IOException;
  }

  private void guarded(String path, Reading reading) {
    if (budget.isSpent()) {
      return;
    }
    try {
      reading.run();
    } catch (UnreadableException e) {
      findings.problem(e.in(path));
    } catch (IOException e) {
      findings.problem(
          path, 0, "The file cannot be read: " + e.getMessage(), "Copy or pack it anew.");
    } catch (RuntimeException e) {
      // A reader that stumbles over one file must not keep the others from being read.
      findings.problem(
          path,
          0,
          "The file is not as the tool writes it: " + e,
          "Write it anew with the tool; if it is the tool's, report it with the file.");
    }
  }

  private List<ResultFile> of(FileKind kind) {
    return files.getOrDefault(kind, List.of());
  }

  private void each(FileKind kind, Reader reader) {
    for (ResultFile file : of(kind)) {
      guarded(file.path(), () -> reader.read(file).forEach(findings::add));
    }
  }

  private void hciBench() {
    Map<String, HciBenchFolder> folders = new LinkedHashMap<>();
    for (ResultFile file : of(FileKind.HCIBENCH_RESULT)) {
      String path = file.path().replaceFirst("-res\\.txt$", "");
      folders.computeIfAbsent(path, HciBenchFolder::new).result = file;
    }
    for (ResultFile file : of(FileKind.HCIBENCH_RESOURCES)) {
      folders.computeIfAbsent(file.folder(), HciBenchFolder::new).resources = file;
    }
    move(FileKind.FIO_JSON, folders, (folder, file) -> folder.fio.add(file));
    move(FileKind.VDBENCH_TEXT, folders, (folder, file) -> folder.vdbench.add(file));
    move(FileKind.VDBENCH_HISTOGRAM, folders, (folder, file) -> folder.histograms.add(file));
    for (FileKind kind :
        List.of(FileKind.VDBENCH_FLATFILE, FileKind.VDBENCH_SUMMARY, FileKind.VDBENCH_TOTALS)) {
      // Of each VM, beside the text that has the same.
      move(kind, folders, (folder, file) -> {}, folder -> !folder.vdbench.isEmpty());
    }
    folders.forEach((path, folder) -> guarded(path, () -> folder.read(findings)));
  }

  /** Puts a file where it belongs. */
  private interface Taking {
    void take(HciBenchFolder folder, ResultFile file);
  }

  /** Whether a folder takes files. */
  private interface Condition {
    boolean holds(HciBenchFolder folder);
  }

  private void move(FileKind kind, Map<String, HciBenchFolder> folders, Taking to) {
    move(kind, folders, to, folder -> true);
  }

  private void move(
      FileKind kind, Map<String, HciBenchFolder> folders, Taking to, Condition condition) {
    List<ResultFile> left = new ArrayList<>();
    for (ResultFile file : of(kind)) {
      String above = file.folder();
      HciBenchFolder folder = null;
      while (folder == null && !above.isEmpty()) {
        folder = folders.get(above);
        if (folder == null && HciBenchFolder.isNamed(above)) {
          folder = new HciBenchFolder(above);
          folders.put(above, folder);
        }
        above = above.contains("/") ? above.substring(0, above.lastIndexOf('/')) : "";
      }
      if (folder == null || !condition.holds(folder)) {
        left.add(file);
      } else {
        to.take(folder, file);
      }
    }
    files.put(kind, left);
  }

  private void vdbench() {
    Map<String, VdbenchFolder> folders = new LinkedHashMap<>();
    for (ResultFile file : of(FileKind.VDBENCH_FLATFILE)) {
      folder(folders, file).flatfile = file;
    }
    for (ResultFile file : of(FileKind.VDBENCH_SUMMARY)) {
      folder(folders, file).summary = file;
    }
    for (ResultFile file : of(FileKind.VDBENCH_TOTALS)) {
      folder(folders, file).totals = file;
    }
    for (ResultFile file : of(FileKind.VDBENCH_HISTOGRAM)) {
      folder(folders, file).histogram = file;
    }
    for (ResultFile file : of(FileKind.VDBENCH_PARAMETERS)) {
      folder(folders, file).parameters = file;
    }
    for (ResultFile file : of(FileKind.VDBENCH_TEXT)) {
      VdbenchFolder folder = folders.get(file.folder());
      if (folder == null || (folder.flatfile == null && folder.summary == null)) {
        VdbenchFolder own = new VdbenchFolder();
        own.summary = file;
        guarded(
            file.path(), () -> own.read(file.nameWithoutEnding(), findings).forEach(findings::add));
      }
    }
    folders.forEach(
        (path, folder) -> guarded(path, () -> folder.read(path, findings).forEach(findings::add)));
  }

  private static VdbenchFolder folder(Map<String, VdbenchFolder> folders, ResultFile file) {
    return folders.computeIfAbsent(file.folder(), key -> new VdbenchFolder());
  }

  /** A run of fio that logs may belong to. */
  private record FioRun(ResultFile file, Draft run, Set<String> prefixes) {}

  private void fio() {
    List<FioRun> runs = new ArrayList<>();
    for (ResultFile file : of(FileKind.FIO_JSON)) {
      guarded(file.path(), () -> fio(file, FioFile.read(file, findings), runs));
    }
    for (ResultFile file : of(FileKind.FIO_TEXT)) {
      guarded(
          file.path(),
          () -> {
            // The JSON may follow a long text, with --output-format=normal,json.
            List<FioFile.Execution> executions = FioFile.read(file, findings);
            fio(file, executions, runs);
            if (executions.isEmpty()) {
              findings.problem(
                  file.path(),
                  0,
                  "fio's text, which has no JSON in it",
                  "Run fio with --output-format=json+.");
            }
          });
    }
    Map<String, List<FioLog>> logs = new LinkedHashMap<>();
    for (ResultFile file : of(FileKind.FIO_LOG)) {
      guarded(
          file.path(),
          () -> {
            FioLog log = FioLog.read(file, findings);
            if (log != null) {
              logs.computeIfAbsent(file.folder() + "/" + log.prefix(), key -> new ArrayList<>())
                  .add(log);
            }
          });
    }
    logs.forEach((path, of) -> guarded(path, () -> logs(path, of, runs)));
    runs.forEach(one -> findings.add(one.run()));
  }

  private static void fio(ResultFile file, List<FioFile.Execution> executions, List<FioRun> runs) {
    List<Draft> drafts = FioFile.runs(file, executions);
    int at = 0;
    for (FioFile.Execution execution : executions) {
      for (FioFile.Phase phase : execution.phases()) {
        runs.add(new FioRun(file, drafts.get(at++), FioLogs.prefixes(phase.jobs)));
      }
    }
  }

  private void logs(String path, List<FioLog> logs, List<FioRun> runs) {
    String folder = path.substring(0, path.lastIndexOf('/'));
    String prefix = path.substring(path.lastIndexOf('/') + 1);
    List<FioRun> near = runs.stream().filter(one -> one.file().folder().equals(folder)).toList();
    List<FioRun> asked = near.stream().filter(one -> one.prefixes().contains(prefix)).toList();
    FioRun of = asked.size() == 1 ? asked.getFirst() : named(near, prefix);
    if (of != null) {
      FioLogs.add(of.run(), logs, !of.run().version.matches("[12]\\..*"));
      return;
    }
    Draft own = new Draft("fio", folder.isEmpty() ? prefix : folder + "/" + prefix);
    own.remark(
        "There are only logs: no totals, and latencies are taken as nanoseconds, as since fio 3.0.");
    FioLogs.add(own, logs, true);
    findings.add(own);
  }

  private static @Nullable FioRun named(List<FioRun> near, String prefix) {
    if (near.size() == 1) {
      return near.getFirst();
    }
    List<FioRun> same =
        near.stream()
            .filter(one -> one.file().name().replaceFirst("\\.[^.]+$", "").equals(prefix))
            .toList();
    return same.size() == 1 ? same.getFirst() : null;
  }

  private void diskSpd() {
    Map<String, List<DiskSpdSpan>> folders = new LinkedHashMap<>();
    for (ResultFile file : of(FileKind.DISKSPD)) {
      guarded(
          file.path(),
          () ->
              folders
                  .computeIfAbsent(file.folder(), key -> new ArrayList<>())
                  .addAll(DiskSpdFile.read(file, findings)));
    }
    folders.forEach(
        (path, spans) -> guarded(path, () -> DiskSpdRuns.of(spans).forEach(findings::add)));
  }

  private void loginEnterprise() {
    Map<String, List<Draft>> byFolder = new LinkedHashMap<>();
    Map<String, Draft> byId = new LinkedHashMap<>();
    List<LoginEnterpriseFile.Measurements> measurements = new ArrayList<>();
    for (ResultFile file : of(FileKind.LOGIN_ENTERPRISE)) {
      guarded(
          file.path(),
          () -> {
            LoginEnterpriseFile read = LoginEnterpriseFile.read(file, findings);
            for (int i = 0; i < read.runs.size(); i++) {
              byId.put(read.ids.get(i), read.runs.get(i));
              byFolder
                  .computeIfAbsent(file.folder(), key -> new ArrayList<>())
                  .add(read.runs.get(i));
            }
            measurements.addAll(read.measurements);
          });
    }
    for (LoginEnterpriseFile.Measurements one : measurements) {
      guarded(
          one.file(),
          () -> {
            int slash = one.file().lastIndexOf('/');
            List<Draft> near =
                byFolder.getOrDefault(slash < 0 ? "" : one.file().substring(0, slash), List.of());
            Draft run = byId.get(one.testRun());
            if (run == null && near.size() == 1) {
              run = near.getFirst();
            }
            if (run == null) {
              findings.problem(
                  one.file(),
                  0,
                  "Measurements without the run that they are of",
                  "Put them into a folder with the answer of /test-runs/{id} of their one run.");
            } else {
              LoginEnterpriseFile.add(run, one);
            }
          });
    }
    byFolder.values().forEach(all -> all.forEach(findings::add));
  }

  private void csv() {
    List<CsvMapping> mappings = new ArrayList<>();
    for (ResultFile file : of(FileKind.CSV_MAPPING)) {
      guarded(file.path(), () -> mappings.add(CsvMapping.read(file)));
    }
    List<ResultFile> left = new ArrayList<>();
    for (ResultFile file : of(FileKind.OTHER)) {
      CsvMapping nearest = null;
      for (CsvMapping one : mappings) {
        if (one.isFor(file) && (nearest == null || one.folder.length() > nearest.folder.length())) {
          nearest = one;
        }
      }
      CsvMapping by = nearest;
      if (by == null) {
        left.add(file);
      } else {
        guarded(file.path(), () -> CsvRuns.read(file, by, findings).forEach(findings::add));
      }
    }
    files.put(FileKind.OTHER, left);
  }

  private void rest() {
    for (ResultFile file : of(FileKind.DISKSPD_TEXT)) {
      findings.problem(
          file.path(),
          0,
          "DiskSpd's text for people, which cannot be read exactly",
          "Run DiskSpd with -Rxml.");
    }
    for (ResultFile file : of(FileKind.ARCHIVE)) {
      findings.problem(
          file.path(),
          0,
          "A ZIP inside what was given is not opened",
          "Unpack or import it alone.");
    }
    for (ResultFile file : of(FileKind.EMPTY)) {
      String name = file.name().toLowerCase(Locale.ROOT);
      if (RESULTS.contains(name.substring(name.lastIndexOf('.') + 1))) {
        findings.problem(
            file.path(), 0, "The file is empty", "The tool was stopped before it wrote anything.");
      } else {
        findings.other(file.path());
      }
    }
    Set<String> others = new TreeSet<>();
    of(FileKind.OTHER).forEach(one -> others.add(one.path()));
    others.forEach(findings::other);
    if (findings.isEmpty()) {
      findings.problem(
          "",
          0,
          "Nothing here was written by a benchmark that is known",
          "Known are fio's JSON, vdbench, HCIBench, DiskSpd's XML, IOMeter, IOBlazer and Login"
              + " Enterprise; for any CSV, put a mapping beside it.");
    }
  }
}
