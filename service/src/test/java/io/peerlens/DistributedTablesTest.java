package io.peerlens;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Statements on tables that grow with time, which Citus may hold in shards. It refuses some that
 * PostgreSQL takes; whoever writes one of these finds it here and not on a cluster.
 */
class DistributedTablesTest {

  private static final Pattern TABLES =
      Pattern.compile(
          "\\b(?:from|join|into|update)\\s+(?:sample|sample_5m|sample_1h|flow_part|flow_5m|flow_1h|flow_1d|learned_block|learned_band)\\b");

  private static final Pattern LITERAL =
      Pattern.compile("\"\"\"\\R(.*?)\"\"\"|\"((?:[^\"\\\\\\n]|\\\\.)*)\"", Pattern.DOTALL);

  /** 42601, "a column definition list is required for functions returning record". */
  private static final Pattern NO_COLUMNS = Pattern.compile("\\bselect\\s+from\\b");

  @Test
  void noSelectWithoutColumns() throws IOException {
    List<String> found = new ArrayList<>();
    int looked = 0;
    for (Path file : sources()) {
      Matcher literal = LITERAL.matcher(Files.readString(file));
      while (literal.find()) {
        if (TABLES.matcher(literal.group()).find()) {
          looked++;
          if (NO_COLUMNS.matcher(literal.group()).find()) {
            found.add(file.getFileName() + ": write 'select 1 from' in " + literal.group());
          }
        }
      }
    }
    assertThat(looked).as("statements on these tables").isGreaterThan(30);
    assertThat(found).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.toString().contains("/src/main/java/"))
          .toList();
    }
  }
}
