package io.peerlens.dashboard.vrops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.dashboard.vrops.ImportReport.Item;
import io.peerlens.dashboard.vrops.ImportReport.Level;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Published exports of others, where they are at hand. They are not ours to copy. */
class PublishedDashboardsTest {

  private static final Path CORPUS = Path.of("../../shared/corpus/dashboards");
  private static final Path DOCUMENT = Path.of("../docs/vrops-dashboards.md");
  private static final Path MADE = Path.of("target/vrops-dashboards.md");
  private static final String BEGIN = "<!-- figures of published dashboards: begin -->\n";
  private static final String END = "<!-- figures of published dashboards: end -->\n";

  @BeforeEach
  void publishedDashboardsAreAvailable() {
    assumeTrue(Files.isDirectory(CORPUS), "skipped: no published dashboards in " + CORPUS);
  }

  private record Imported(Path file, VropsImport result) {}

  @Test
  void everyFileBecomesABundleOfTheSchema() throws IOException {
    Map<String, List<String>> wrong = new TreeMap<>();
    List<Imported> all = all(FakeInstallation.withVCenter());
    all.addAll(all(new FakeInstallation()));
    all.addAll(repositories(FakeInstallation.withVCenter()));
    for (Imported each : all) {
      List<String> errors = BundleSchema.errors(each.result().bundle());
      if (!errors.isEmpty()) {
        wrong.put(each.file().toString(), errors.subList(0, Math.min(5, errors.size())));
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyFileThatIsAnExportGivesSomething() throws IOException {
    List<String> without = new ArrayList<>();
    for (Imported each : all(FakeInstallation.withVCenter())) {
      ImportReport report = each.result().report();
      String name = each.file().getFileName().toString();
      boolean isExport = name.matches("(?i).*\\.(zip|json|xml)");
      if (isExport
          && report.dashboards() + report.views().size() + report.superMetrics() == 0
          && report.items().stream().noneMatch(it -> it.level() == Level.REPORT)) {
        without.add(each.file() + ": " + report.items());
      }
    }
    assertThat(without).isEmpty();
  }

  @Test
  void twoImportsOfAFileAreEqual() throws IOException {
    for (Path file : files()) {
      byte[] content = Files.readAllBytes(file);
      FakeInstallation here = FakeInstallation.withVCenter();
      assertThat(VropsImport.read("a", content, here, Map.of()).bundle())
          .as(file.toString())
          .isEqualTo(VropsImport.read("a", content, here, Map.of()).bundle());
    }
  }

  @Test
  void panelsReadOnlyVariablesAndColumnsThatAreThere() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Imported each : all(new FakeInstallation())) {
      for (JsonNode dashboard : each.result().bundle().path("dashboards")) {
        Set<String> variables = new HashSet<>();
        dashboard.path("variables").forEach(it -> variables.add(it.path("name").asString()));
        Set<String> placed = new HashSet<>();
        dashboard
            .path("layout")
            .forEach(
                part -> part.path("items").forEach(it -> placed.add(it.path("panel").asString())));
        Set<String> panels = new HashSet<>();
        dashboard
            .path("panels")
            .properties()
            .forEach(
                panel -> {
                  String at = each.file() + " " + dashboard.path("name") + " " + panel.getKey();
                  panels.add(panel.getKey());
                  check(panel.getValue(), variables, at, wrong);
                });
        if (!panels.equals(placed)) {
          wrong.add(each.file() + " " + dashboard.path("name") + ": places " + placed);
        }
      }
      for (JsonNode view : each.result().bundle().path("views")) {
        check(view, Set.of(), each.file() + " " + view.path("name"), wrong);
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static void check(JsonNode panel, Set<String> variables, String at, List<String> wrong) {
    String subject = panel.path("subject").asString("");
    if (subject.startsWith("$") && !variables.contains(subject.substring(1))) {
      wrong.add(at + " reads " + subject);
    }
    panel
        .path("sets")
        .properties()
        .forEach(
            it -> {
              if (!variables.contains(it.getKey())) {
                wrong.add(at + " sets " + it.getKey());
              }
            });
    Set<String> columns = new HashSet<>();
    for (JsonNode column : panel.path("columns")) {
      if (!columns.add(column.path("name").asString())) {
        wrong.add(at + " has two columns " + column.path("name"));
      }
      int ways = 0;
      for (String way : List.of("metric", "property", "attribute", "expression")) {
        ways += column.has(way) ? 1 : 0;
      }
      if (ways != 1) {
        wrong.add(at + " has a column that shows " + ways + " things: " + column);
      }
    }
    List<String> read = new ArrayList<>();
    panel.path("sort").forEach(it -> read.add(it.path("column").asString()));
    for (String member : List.of("size", "colourBy")) {
      if (panel.has(member)) {
        read.add(panel.path(member).asString());
      }
    }
    if (panel.has("buckets")) {
      read.add(panel.path("buckets").path("of").asString());
    }
    if (!columns.containsAll(read)) {
      wrong.add(at + " reads columns " + read + " of " + columns);
    }
  }

  /** Widgets, views and columns of the published files, each dashboard and view counted once. */
  @Test
  void nearlyAllWidgetsAndViewsAreTakenOverAndTheDocumentHasTheFigures() throws IOException {
    long start = System.nanoTime();
    List<Imported> all = repositories(FakeInstallation.withVCenter());
    long read = (System.nanoTime() - start) / 1_000_000;
    Map<String, Map<ImportStatus, Integer>> widgets = new LinkedHashMap<>();
    Map<ImportStatus, Integer> columns = new EnumMap<>(ImportStatus.class);
    Map<String, Integer> reasons = new HashMap<>();
    Set<String> seen = new HashSet<>();
    int dashboards = 0;
    int reports = 0;
    int problems = 0;
    for (Imported each : all) {
      for (Item item : each.result().report().items()) {
        if (item.level() == Level.FILE) {
          problems++;
          System.out.println(each.file() + ": " + item.id() + ": " + item.text());
        }
        boolean ofReport = item.text().startsWith("was a report");
        if (ofReport || item.level() == Level.REPORT) {
          reports += seen.add(item.id()) ? 1 : 0;
        } else if (item.level() == Level.DASHBOARD && seen.add(item.id())) {
          dashboards++;
          for (Item panel : item.items()) {
            widgets
                .computeIfAbsent(panel.type(), k -> new EnumMap<>(ImportStatus.class))
                .merge(panel.status(), 1, Integer::sum);
            count(panel, columns, reasons);
          }
        }
      }
    }
    Map<String, Map<ImportStatus, Integer>> views = views(all, seen);
    Map<ImportStatus, Integer> allWidgets = sum(widgets);
    Map<ImportStatus, Integer> allViews = sum(views);
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            Locale.ROOT,
            "%d files of %d public repositories hold %,d dashboards with %,d widgets, %,d views and"
                + " %,d reports, each counted once. With the files of a repository imported together, into an"
                + " installation that has a vCenter with its collector and nothing else, they"
                + " become:%n%n",
            files().size(),
            all.size(),
            dashboards,
            total(allWidgets),
            total(allViews),
            reports));
    out.append("| | in all | carried | replaced | waits | choose | missing | cannot |\n");
    out.append("|---|--:|--:|--:|--:|--:|--:|--:|\n");
    row(out, "**widgets**", allWidgets);
    row(out, "**views**", allViews);
    row(out, "**columns of panels**", columns);
    out.append(
        "\nWidgets by type:\n\n| widget | in all | carried | replaced | waits | choose | missing | cannot |\n");
    out.append("|---|--:|--:|--:|--:|--:|--:|--:|\n");
    widgets.entrySet().stream()
        .sorted(
            (a, b) -> {
              int order = Integer.compare(total(b.getValue()), total(a.getValue()));
              return order != 0 ? order : a.getKey().compareTo(b.getKey());
            })
        .forEach(it -> row(out, it.getKey(), it.getValue()));
    out.append(
        "\nViews by presentation:\n\n| presentation | in all | carried | replaced | waits | choose | missing | cannot |\n");
    out.append("|---|--:|--:|--:|--:|--:|--:|--:|\n");
    new TreeMap<>(views).forEach((name, of) -> row(out, name, of));
    out.append('\n');
    System.out.println(out);
    reasons.entrySet().stream()
        .sorted((a, b) -> b.getValue() - a.getValue())
        .limit(60)
        .forEach(it -> System.out.println(it.getValue() + " " + it.getKey()));
    System.out.println(problems + " parts not read, " + read + " ms for all files");

    assertThat(dashboards).isGreaterThanOrEqualTo(150);
    assertThat(1.0 - share(allWidgets, ImportStatus.CANNOT)).isGreaterThanOrEqualTo(0.95);
    assertThat(1.0 - share(allViews, ImportStatus.CANNOT)).isGreaterThanOrEqualTo(0.95);
    document(out.toString());
  }

  private static Map<String, Map<ImportStatus, Integer>> views(
      List<Imported> all, Set<String> seen) {
    Map<String, Map<ImportStatus, Integer>> views = new LinkedHashMap<>();
    for (Imported each : all) {
      for (Item view : each.result().report().views()) {
        if (seen.add("view " + view.id())) {
          views
              .computeIfAbsent(view.type(), k -> new EnumMap<>(ImportStatus.class))
              .merge(view.status(), 1, Integer::sum);
        }
      }
    }
    return views;
  }

  private static void count(
      Item item, Map<ImportStatus, Integer> columns, Map<String, Integer> reasons) {
    if (item.items().isEmpty()) {
      if (item.columns().all() > 0) {
        columns.merge(item.status(), 1, Integer::sum);
      }
      if (item.status() != ImportStatus.CARRIED) {
        reasons.merge(
            item.level()
                + " "
                + item.status()
                + " "
                + item.text().replaceAll("`[^`]*`|\"[^\"]*\"|\\$\\w+", "…"),
            1,
            Integer::sum);
      }
    }
    if (item.level() == Level.PANEL
        && !item.items().isEmpty()
        && item.status() != ImportStatus.CARRIED) {
      reasons.merge(
          "PANEL* "
              + item.status()
              + " "
              + item.text().replaceAll("`[^`]*`|\"[^\"]*\"|\\$\\w+", "…"),
          1,
          Integer::sum);
    }
    item.items().forEach(it -> count(it, columns, reasons));
  }

  private static void document(String figures) throws IOException {
    String before = Files.readString(DOCUMENT);
    int from = before.indexOf(BEGIN);
    int to = before.indexOf(END);
    assertThat(from).as("the figures in docs/vrops-dashboards.md").isNotNegative();
    String made = before.substring(0, from + BEGIN.length()) + figures + before.substring(to);
    Files.createDirectories(MADE.getParent());
    Files.writeString(MADE, made);
    assertThat(before)
        .as("the figures have changed: cp dashboard-files/%s docs/vrops-dashboards.md", MADE)
        .isEqualTo(made);
  }

  private static Map<ImportStatus, Integer> sum(Map<String, Map<ImportStatus, Integer>> all) {
    Map<ImportStatus, Integer> sum = new EnumMap<>(ImportStatus.class);
    all.values().forEach(each -> each.forEach((k, v) -> sum.merge(k, v, Integer::sum)));
    return sum;
  }

  private static int total(Map<ImportStatus, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static double share(Map<ImportStatus, Integer> counts, ImportStatus status) {
    return (double) counts.getOrDefault(status, 0) / total(counts);
  }

  private static void row(StringBuilder out, String name, Map<ImportStatus, Integer> counts) {
    out.append(String.format(Locale.ROOT, "| %s | %,d |", name, total(counts)));
    for (ImportStatus status : ImportStatus.values()) {
      out.append(String.format(Locale.ROOT, " %,d |", counts.getOrDefault(status, 0)));
    }
    out.append('\n');
  }

  private static List<Imported> all(Installation installation) throws IOException {
    List<Imported> all = new ArrayList<>();
    for (Path file : files()) {
      all.add(
          new Imported(
              CORPUS.relativize(file),
              VropsImport.read(
                  file.getFileName().toString(),
                  Files.readAllBytes(file),
                  installation,
                  Map.of())));
    }
    return all;
  }

  /** The files of each repository as one ZIP, as somebody would who takes all of it. */
  private static List<Imported> repositories(Installation installation) throws IOException {
    Map<Path, ByteArrayOutputStream> zips = new TreeMap<>();
    Map<Path, ZipOutputStream> open = new TreeMap<>();
    for (Path file : files()) {
      Path repository = CORPUS.relativize(file).getName(0);
      ZipOutputStream zip =
          open.computeIfAbsent(
              repository,
              r -> {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                zips.put(r, bytes);
                return new ZipOutputStream(bytes);
              });
      zip.putNextEntry(new ZipEntry(CORPUS.relativize(file).toString()));
      zip.write(Files.readAllBytes(file));
      zip.closeEntry();
    }
    List<Imported> all = new ArrayList<>();
    for (Map.Entry<Path, ZipOutputStream> each : open.entrySet()) {
      each.getValue().close();
      byte[] zip = Objects.requireNonNull(zips.get(each.getKey())).toByteArray();
      all.add(
          new Imported(
              each.getKey(),
              VropsImport.read(each.getKey() + ".zip", zip, installation, Map.of())));
    }
    return all;
  }

  static List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(CORPUS)) {
      return all.filter(Files::isRegularFile)
          .filter(it -> !it.getParent().equals(CORPUS))
          .sorted()
          .toList();
    }
  }
}
