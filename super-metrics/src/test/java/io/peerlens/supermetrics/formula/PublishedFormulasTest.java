package io.peerlens.supermetrics.formula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every formula of the published export files. They have no licence, so they lie outside this
 * repository.
 */
class PublishedFormulasTest {

  private static final Path CORPUS = Path.of("../../shared/corpus/super-metrics");

  @Test
  void everyPublishedFormulaIsValid() throws IOException {
    assumeTrue(Files.isDirectory(CORPUS), "the published export files are not here: " + CORPUS);
    List<String> invalid = new ArrayList<>();
    int formulas = 0;
    for (String formula : formulas()) {
      formulas++;
      Formula read = Formula.parse(formula);
      if (!read.isValid()) {
        invalid.add(read.render());
      } else {
        Expr tree = read.tree().unplaced();
        assertThat(Formula.parse(Formula.print(tree)).tree().unplaced()).isEqualTo(tree);
      }
    }
    assertThat(invalid).isEmpty();
    assertThat(formulas).isEqualTo(254);
  }

  private static List<String> formulas() throws IOException {
    JsonMapper json = new JsonMapper();
    List<String> formulas = new ArrayList<>();
    try (Stream<Path> files = Files.list(CORPUS)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
        for (JsonNode superMetric : json.readTree(file)) {
          formulas.add(superMetric.get("formula").asString());
        }
      }
    }
    return formulas;
  }
}
