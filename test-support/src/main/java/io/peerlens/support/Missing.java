package io.peerlens.support;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.opentest4j.TestAbortedException;

/**
 * A tool that tests need and this machine lacks. The tests are left out and {@link SuiteReport}
 * says so at the end; on a build machine, where the environment variable CI is {@code true}, they
 * fail.
 */
public final class Missing extends TestAbortedException {
  private static final long serialVersionUID = 1;

  private static final Map<String, String> NOTED = new ConcurrentSkipListMap<>();

  private final String tool;
  private final String where;

  Missing(String tool, String where) {
    super(tool + " is not installed: " + where);
    this.tool = tool;
    this.where = where;
  }

  /**
   * What a test throws that cannot run.
   *
   * @param where to get it, such as the name of a Debian package
   * @throws AssertionError on a build machine
   */
  public static RuntimeException tool(String tool, String where) {
    failOnBuildMachine(tool, where);
    return new Missing(tool, where);
  }

  /** Notes what tests run without, in a simpler form; on a build machine they fail. */
  static void note(String tool, String where) {
    failOnBuildMachine(tool, where);
    NOTED.put(tool, where);
  }

  /** What was noted in this JVM: from a tool to where to get it. */
  static Map<String, String> noted() {
    return Map.copyOf(NOTED);
  }

  private static void failOnBuildMachine(String tool, String where) {
    if ("true".equals(System.getenv("CI"))) {
      throw new AssertionError(
          tool + " is not installed (" + where + "); with CI=true no test may be left out");
    }
  }

  String tool() {
    return tool;
  }

  String where() {
    return where;
  }
}
