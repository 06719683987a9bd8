import com.caoccao.javet.exceptions.JavetException;
import com.caoccao.javet.interop.NodeRuntime;
import com.caoccao.javet.interop.V8Host;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/**
 * Checks of the pages, run by tools written in JavaScript in the Node.js that the library Javet
 * holds. The build runs it from its source (pages/pom.xml), on the Java that Maven runs on; what is
 * checked stands in {@code src/build/js/checks.js}.
 */
final class PageChecks {

  private PageChecks() {}

  /**
   * @param args {@code check} or {@code format}; folder to work in; folders with sources
   */
  public static void main(String[] args) throws Exception {
    // Node.js has a working directory of its own, so paths are absolute.
    Path work = Path.of(args[1]).toAbsolutePath();
    String roots =
        Arrays.stream(args)
            .skip(2)
            .map(root -> json(Path.of(root).toAbsolutePath().normalize()))
            .collect(Collectors.joining(", "));
    Files.createDirectories(work);
    for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
      unpack(Path.of(part), work);
    }
    try (NodeRuntime node = node()) {
      if (node == null) {
        return;
      }
      node.getExecutor(
              "require(%s)({ command: %s, work: %s, roots: [%s] }).then((p) => { globalThis.problems = p; }, (e) => { globalThis.problems = e.stack; });"
                  .formatted(
                      json(Path.of("src/build/js/checks.js").toAbsolutePath()),
                      json(args[0]),
                      json(work),
                      roots))
          .executeVoid();
      node.await();
      String problems = node.getExecutor("globalThis.problems").executeString();
      if (!problems.isEmpty()) {
        System.err.println(problems);
        System.exit(1);
      }
    }
    Files.writeString(work.resolve("checked"), "");
  }

  /** Starts Node.js; null, with a warning, on machines for which the library has none. */
  private static NodeRuntime node() {
    try {
      return V8Host.getNodeInstance().createV8Runtime();
    } catch (JavetException | LinkageError e) {
      if ("true".equals(System.getenv("CI"))) {
        throw new IllegalStateException("Node.js does not start here.", e);
      }
      System.err.printf(
          "The checks of the pages are left out, since there is no Node.js for %s on %s: %s%n",
          System.getProperty("os.name"), System.getProperty("os.arch"), e.getMessage());
      return null;
    }
  }

  /** Unpacks a WebJar to {@code webjars/NAME/VERSION}, if it is one and not there yet. */
  private static void unpack(Path jar, Path work) throws IOException {
    if (!Files.isRegularFile(jar)) {
      return;
    }
    Path done = work.resolve("webjars").resolve(jar.getFileName() + ".unpacked");
    if (Files.exists(done)) {
      return;
    }
    boolean some = false;
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : (Iterable<JarEntry>) file.stream()::iterator) {
        int at = entry.getName().indexOf("webjars/");
        if (at < 0 || entry.isDirectory() || entry.getName().startsWith("META-INF/maven/")) {
          continue;
        }
        Path to = work.resolve(entry.getName().substring(at)).normalize();
        if (!to.startsWith(work)) {
          throw new IOException(entry + " lies outside its library.");
        }
        Files.createDirectories(to.getParent());
        try (InputStream in = file.getInputStream(entry)) {
          Files.write(to, in.readAllBytes());
        }
        some = true;
      }
    }
    if (some) {
      Files.writeString(done, "");
    }
  }

  private static String json(Object value) {
    return "\"" + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
