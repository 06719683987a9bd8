package io.peerlens.supermetrics.formula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The formulas of manuals, blogs and public repositories that the reference collects. It lies
 * outside this repository.
 */
class PublishedListTest {

  private static final Path REFERENCE = Path.of("../../shared/reference/super-metrics.md");
  private static final Pattern FORMULA = Pattern.compile("(?m)^\\d+\\. `(.*)`$");

  @Test
  void everyFormulaOfTheReferenceIsValidAndPrintsAsItself() throws IOException {
    assumeTrue(Files.isRegularFile(REFERENCE), "the reference is not here: " + REFERENCE);
    String text = Files.readString(REFERENCE);
    String section = text.substring(text.indexOf("## 16."), text.indexOf("## 17."));
    List<String> formulas =
        FORMULA
            .matcher(section)
            .results()
            .map(match -> match.group(1).replace('\u23ce', '\n').replace('\u21e5', '\t'))
            .toList();
    assertThat(formulas).hasSize(96);
    for (String formula : formulas) {
      Formula read = Formula.parse(formula);
      assertThat(read.isValid()).as(read.render()).isTrue();
      Expr tree = read.tree().unplaced();
      assertThat(Formula.parse(Formula.print(tree)).tree().unplaced()).isEqualTo(tree);
    }
  }
}
