import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Bundler of the pages: modules and style sheets in, a handful of files with their hash in the name
 * out. The build runs it from its source (service/pom.xml), on the Java that Maven runs on.
 *
 * <p>One bundle for each group of pages, loaded when somebody goes to one of them; one for what
 * groups share; and what esbuild splits off by itself. The sources work without it, as they are:
 * {@code index.html} names them, and here only these names change.
 */
final class PageBundles {

  /** Groups by the first part of the address of a page; all others are looked at together. */
  private static final Map<String, String> GROUPS =
      Map.ofEntries(
          Map.entry("explorer", "inventory"),
          Map.entry("objects", "inventory"),
          Map.entry("compare", "inventory"),
          Map.entry("why-slow", "inventory"),
          Map.entry("right-sizing", "capacity"),
          Map.entry("benchmark-runs", "capacity"),
          Map.entry("load-profiles", "capacity"),
          Map.entry("dashboards", "dashboards"),
          Map.entry("wall", "dashboards"),
          Map.entry("walls", "dashboards"),
          Map.entry("link", "dashboards"),
          Map.entry("reports", "dashboards"),
          Map.entry("outliers", "outliers"),
          Map.entry("top-talkers", "traffic"),
          Map.entry("super-metrics", "rules"),
          Map.entry("thresholds", "rules"),
          Map.entry("notifications", "notifications"),
          Map.entry("sources", "administration"),
          Map.entry("ingest", "administration"),
          Map.entry("settings", "administration"),
          Map.entry("help", "administration"),
          Map.entry("ui-kit", "administration"));

  private static final String FIRST = "monitoring";

  /** What these alone share is long: the library that reads YAML. It stays apart. */
  private static final Set<String> EDITORS = Set.of("rules", "notifications", "traffic");

  /** Jars of libraries for the browser, among all that are shipped. */
  private static final Pattern BROWSER =
      Pattern.compile("[/\\\\]org[/\\\\](?:webjars|mvnpm)[/\\\\]");

  /** Where a jar of mvnpm has its package of npm. */
  private static final Pattern PACKAGE =
      Pattern.compile("^META-INF/resources/_static/[^/]+/[^/]+/");

  private static final Pattern ROUTE =
      Pattern.compile("(\\[/(?:\\^\\\\/)?([a-z-]*).*)import\\(\"\\./pages/([a-z/-]+)\\.js\"\\)");
  private static final Pattern PART = Pattern.compile("import\\(\"\\./([a-z]+/[a-z-]+\\.js)\"\\)");
  private static final Pattern LATER = Pattern.compile("import\\(\"(\\.[^\"]+\\.js)\"\\)");
  private static final Pattern ENTRY = Pattern.compile("import\"\\./([^\"]+\\.js)\";\\s*");
  private static final Pattern SOURCE_IMPORT =
      Pattern.compile("(?:from|import) ?\"(\\.[^\"]+\\.js)\"");
  private static final Pattern STYLE =
      Pattern.compile("<link rel=\"stylesheet\" href=\"/([^\"]+?([a-z-]+)\\.css)\"([^>]*)>\\R");
  private static final Pattern STYLES = Pattern.compile("(?:" + STYLE + ")+");
  private static final Pattern PRELOAD = Pattern.compile("<link rel=\"modulepreload\".*\\R");

  private final Path work;
  private final Path app;
  private final Path out;

  /** Names of the style sheets that pages load when they need them. */
  private final Set<String> later = new TreeSet<>();

  private PageBundles(Path work, Path out) {
    this.work = work;
    this.app = work.resolve("app");
    this.out = out;
  }

  /**
   * @param args folder with {@code index.html} and {@code app}; one to work in; the folder of
   *     classes, whose {@code static} is served; the class path with the libraries for the browser;
   *     the module that says what is used of CodeMirror
   */
  public static void main(String[] args) throws Exception {
    Path sources = Path.of(args[0]);
    Path classes = Path.of(args[2]);
    PageBundles bundles = new PageBundles(Path.of(args[1]), classes.resolve("static"));
    delete(bundles.work);
    delete(bundles.out.resolve("bundles"));
    for (String jar : args[3].split(File.pathSeparator)) {
      if (BROWSER.matcher(jar).find()) {
        bundles.unpack(Path.of(jar));
      }
    }
    Path esbuild = esbuild(bundles.work);
    bundles.codeMirror(esbuild, Path.of(args[4]), classes);
    bundles.copy(sources.resolve("app"));
    bundles.shareWithParts();
    bundles.group();
    String index = Files.readString(sources.resolve("index.html"));
    bundles.styles(index);
    bundles.bundle(esbuild);
    String made = bundles.withBundles(index);
    bundles.compress();
    Files.writeString(bundles.out.resolve("index.html"), made);
  }

  /**
   * Libraries for the browser: WebJars at the address below which modules name them, packages of
   * npm below their name, where esbuild looks for what they import of each other.
   */
  private void unpack(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      String npm = "node_modules/" + nameOf(file) + "/";
      for (JarEntry entry : (Iterable<JarEntry>) file.stream()::iterator) {
        String place = PACKAGE.matcher(entry.getName()).replaceFirst(npm);
        int at = Math.max(place.indexOf("webjars/"), place.indexOf("node_modules/"));
        if (at >= 0 && place.matches(".*(\\.js|/package\\.json)")) {
          Path to = work.resolve(place.substring(at)).normalize();
          Files.createDirectories(to.getParent());
          try (InputStream in = file.getInputStream(entry)) {
            Files.copy(in, to);
          }
        }
      }
    }
  }

  /** The name of a package of npm, such as {@code @codemirror/view}; empty for a WebJar. */
  private static String nameOf(JarFile jar) throws IOException {
    for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
      if (entry.getName().matches(PACKAGE + "package\\.json")) {
        String about = new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
        Matcher name = Pattern.compile("\"name\": *\"([^\"]+)\"").matcher(about);
        return name.find() ? name.group(1) : "";
      }
    }
    return "";
  }

  /**
   * Makes one module of what is used of CodeMirror. Its packages import each other by name, which a
   * browser does not understand; so it has an address of its own, as a WebJar has, for the sources
   * and for the bundles.
   */
  private void codeMirror(Path esbuild, Path used, Path classes) throws Exception {
    Files.copy(used, work.resolve("codemirror.js"));
    String made = "webjars/codemirror/codemirror.js";
    run(esbuild, "codemirror.js", "--outfile=" + made);
    Path served = classes.resolve("META-INF/resources").resolve(made);
    Files.createDirectories(served.getParent());
    Files.copy(work.resolve(made), served, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Sources, with relative imports where the browser takes absolute ones. */
  private void copy(Path from) throws IOException {
    for (Path file : files(from)) {
      Path to = app.resolve(from.relativize(file).toString());
      Files.createDirectories(to.getParent());
      if (file.toString().endsWith(".js")) {
        String up = "../".repeat(from.relativize(file).getNameCount());
        Files.writeString(
            to, Files.readString(file).replace("\"/webjars/", "\"" + up + "webjars/"));
      } else {
        Files.copy(file, to);
      }
    }
  }

  /**
   * Makes a module for each group; what groups share goes into the first, which all of them import.
   */
  private void group() throws IOException {
    Path main = app.resolve("main.js");
    Map<String, Set<String>> groups = new TreeMap<>();
    Matcher routes = ROUTE.matcher(Files.readString(main));
    String grouped =
        routes.replaceAll(
            route -> {
              String group = GROUPS.getOrDefault(route.group(2), FIRST);
              String page = route.group(3);
              groups.computeIfAbsent(group, g -> new TreeSet<>()).add(page);
              return Matcher.quoteReplacement(
                  "%simport(\"./%s.js\").then((g) => g.%s)"
                      .formatted(route.group(1), group, name(page)));
            });
    if (!groups.containsKey(FIRST) || grouped.contains("import(\"./pages/")) {
      throw new IllegalStateException("A line of ROUTES in main.js is written unlike the others.");
    }
    Map<Path, Set<String>> users = new TreeMap<>();
    reached(List.of(main)).forEach(m -> users.put(m, new TreeSet<>(List.of(FIRST, "main"))));
    for (Map.Entry<String, Set<String>> group : groups.entrySet()) {
      for (Path module : reached(group.getValue().stream().map(this::page).toList())) {
        users.computeIfAbsent(module, m -> new TreeSet<>()).add(group.getKey());
      }
    }
    Matcher parts = PART.matcher(grouped);
    while (parts.find()) { // loaded when it is wanted, and by pages, too
      Path part = app.resolve(parts.group(1));
      reached(List.of(part)).forEach(m -> users.put(m, new TreeSet<>(List.of(FIRST, "main"))));
      importMain(part);
    }
    users.remove(main);
    users.values().removeIf(of -> of.size() < 2 || EDITORS.containsAll(of));
    StringBuilder imports = new StringBuilder();
    for (Path module : users.keySet()) {
      String name = app.relativize(module).toString().replace(File.separatorChar, '/');
      imports.append("import \"./").append(name).append("\";\n");
    }
    Files.writeString(main, imports + grouped);
    for (Map.Entry<String, Set<String>> group : groups.entrySet()) {
      StringBuilder pages = new StringBuilder("import \"./main.js\";\n");
      for (String page : group.getValue()) {
        pages.append("export * as %s from \"./pages/%s.js\";\n".formatted(name(page), page));
      }
      Files.writeString(app.resolve(group.getKey() + ".js"), pages);
    }
  }

  /** What the module of a group calls a page. */
  private static String name(String page) {
    return page.replaceAll("[/-]", "_");
  }

  /**
   * What pages load when they want it, such as the editor, is one file beside what groups share.
   */
  private void shareWithParts() throws IOException {
    Path main = app.resolve("main.js");
    Set<Path> parts = new TreeSet<>();
    for (Path module : files(app)) {
      if (module.toString().endsWith(".js") && !module.equals(main)) {
        LATER
            .matcher(Files.readString(module))
            .results()
            .forEach(i -> parts.add(module.resolveSibling(i.group(1)).normalize()));
      }
    }
    for (Path part : parts) {
      importMain(part);
    }
  }

  private void importMain(Path part) throws IOException {
    String up = "../".repeat(app.relativize(part).getNameCount() - 1);
    Files.writeString(part, "import \"./" + up + "main.js\";\n" + Files.readString(part));
  }

  private Path page(String name) {
    return app.resolve("pages").resolve(name + ".js");
  }

  /** Modules of ours that are loaded together with these. */
  private Set<Path> reached(List<Path> from) throws IOException {
    Set<Path> seen = new HashSet<>();
    Deque<Path> next = new ArrayDeque<>(from);
    while (!next.isEmpty()) {
      Path module = next.pop();
      if (module.startsWith(app) && seen.add(module)) {
        Matcher imports = SOURCE_IMPORT.matcher(Files.readString(module));
        while (imports.find()) {
          next.push(module.resolveSibling(imports.group(1)).normalize());
        }
      }
    }
    return seen;
  }

  /**
   * Makes one sheet of those that the index names, in their order, and one of each that is loaded
   * later. That has once more what comes after it in the index, so that the same rules win.
   */
  private void styles(String index) throws IOException {
    StringBuilder always = new StringBuilder();
    Map<String, StringBuilder> all = new TreeMap<>();
    for (MatchResult sheet : sheets(index)) {
      String rule = "@import \"./%s\";\n".formatted(sheet.group(1));
      if (isLater(sheet)) {
        later.add(sheet.group(2));
        all.put(sheet.group(2), new StringBuilder(rule));
      } else {
        always.append(rule);
        all.values().forEach(sheets -> sheets.append(rule));
      }
    }
    Files.writeString(work.resolve("styles.css"), always);
    for (Map.Entry<String, StringBuilder> sheets : all.entrySet()) {
      Files.writeString(work.resolve(sheets.getKey() + ".css"), sheets.getValue());
    }
  }

  private static List<MatchResult> sheets(String index) {
    return STYLE.matcher(index).results().toList();
  }

  /** Whether a sheet is off until a page that needs it is opened. */
  private static boolean isLater(MatchResult sheet) {
    return sheet.group(3).contains("disabled");
  }

  /** Unpacks the program for this machine, which the library chose, and gives where it is. */
  private static Path esbuild(Path work) throws IOException {
    for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!part.endsWith(".jar") || !part.contains("esbuild")) {
        continue;
      }
      try (JarFile jar = new JarFile(part)) {
        for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
          if (entry.getName().matches(".*/(bin/esbuild|esbuild\\.exe)")) {
            Path program = work.resolve(entry.getName().replaceFirst(".*/", ""));
            try (InputStream in = jar.getInputStream(entry)) {
              Files.copy(in, program);
            }
            if (!program.toFile().setExecutable(true)) {
              throw new IOException(program + " cannot be made executable.");
            }
            return program.toAbsolutePath();
          }
        }
      }
    }
    throw new IllegalStateException(
        "There is no esbuild for %s on %s, so the pages cannot be bundled here: see docs/adr/0006-page-bundles.md."
            .formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
  }

  private void bundle(Path esbuild) throws IOException, InterruptedException {
    List<String> what = new ArrayList<>(List.of("app/main.js", "app/theme.js", "styles.css"));
    later.forEach(sheet -> what.add(sheet + ".css"));
    what.addAll(
        List.of(
            "--splitting",
            "--minify",
            "--external:/fonts/*",
            "--entry-names=[name]-[hash]",
            "--chunk-names=[name]-[hash]",
            "--outdir=" + out.resolve("bundles").toAbsolutePath()));
    run(esbuild, what.toArray(String[]::new));
  }

  private void run(Path esbuild, String... what) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(esbuild.toString()));
    command.addAll(List.of(what));
    command.addAll(List.of("--bundle", "--format=esm", "--charset=utf8", "--log-level=warning"));
    int status = new ProcessBuilder(command).directory(work.toFile()).inheritIO().start().waitFor();
    if (status != 0) {
      throw new IllegalStateException("esbuild ended with " + status + ".");
    }
  }

  /** Beside each file that shrinks, the same in gzip. */
  private void compress() throws IOException {
    for (Path file : files(out.resolve("bundles"))) {
      Path packed = file.resolveSibling(file.getFileName() + ".gz");
      try (OutputStream to = new GZIPOutputStream(Files.newOutputStream(packed))) {
        Files.copy(file, to);
      }
      if (Files.size(packed) >= Files.size(file)) {
        Files.delete(packed);
      }
    }
  }

  /**
   * Names the bundles in the index. The script that runs before the first paint stands in it; the
   * server allows it by its digest.
   */
  private String withBundles(String index) throws IOException {
    Path bundled = out.resolve("bundles");
    Path entry = bundled.resolve(bundle("main", "js"));
    Matcher only = ENTRY.matcher(Files.readString(entry));
    if (!only.matches()) {
      throw new IllegalStateException(entry + " is more than the import of what groups share.");
    }
    Path theme = bundled.resolve(bundle("theme", "js"));
    StringBuilder styles = new StringBuilder(link("styles", ""));
    for (MatchResult sheet : sheets(index)) {
      if (isLater(sheet)) {
        styles.append(link(sheet.group(2), sheet.group(3)));
      }
    }
    String made =
        PRELOAD
            .matcher(STYLES.matcher(index).replaceFirst(styles.toString()))
            .replaceFirst("")
            .replace(
                "<script src=\"/app/theme.js\"></script>",
                "<script>" + Files.readString(theme).strip() + "</script>")
            .replace("/app/main.js", "/bundles/" + only.group(1));
    Files.delete(entry);
    Files.delete(theme);
    return made;
  }

  private String link(String sheet, String attributes) throws IOException {
    return "<link rel=\"stylesheet\" href=\"/bundles/%s\"%s>\n"
        .formatted(bundle(sheet, "css"), attributes);
  }

  private String bundle(String name, String type) throws IOException {
    String pattern = name + "-[A-Z0-9]{8}\\." + type;
    return files(out.resolve("bundles")).stream()
        .map(file -> file.getFileName().toString())
        .filter(file -> file.matches(pattern))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("There is no bundle of " + name + "."));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
