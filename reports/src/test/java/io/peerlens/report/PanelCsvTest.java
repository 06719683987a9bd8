package io.peerlens.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelColumnType;
import io.peerlens.api.model.PanelObjects;
import io.peerlens.api.model.PanelRow;
import io.peerlens.api.model.PanelState;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PanelCsvTest {

  private static String csv(String name, @Nullable Object cell) {
    PanelAnswer answer =
        new PanelAnswer(
            "table", 0L, 1L, null, null, 1L, null, new PanelObjects(1, 1, 1), List.of());
    answer.setColumns(List.of(new PanelColumn("a", name, PanelColumnType.TEXT, null, null)));
    answer.setRows(
        List.of(
            new PanelRow(
                new ObjectRef(new UUID(3, 1), "VMWARE", "VirtualMachine", name),
                null,
                Arrays.asList(cell),
                Arrays.asList(new PanelState[] {null}))));
    return PanelCsv.of(answer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "=1+2|'=1+2",
        "+49 30|'+49 30",
        "-1+3|'-1+3",
        "@SUM(A1)|'@SUM(A1)",
        "=HYPERLINK(x)|'=HYPERLINK(x)",
        "vm-1|vm-1"
      })
  void aTextThatASpreadsheetTakesForAFormulaIsNone(String text, String expected) {
    assertThat(csv(text, text).lines())
        .containsExactly("Object,Instance," + expected, expected + ",," + expected);
  }

  @Test
  void aNumberBelowZeroStaysANumber() {
    assertThat(csv("vm", -12.5).lines().toList().getLast()).isEqualTo("vm,,-12.5");
    assertThat(csv("vm", -3.0).lines().toList().getLast()).isEqualTo("vm,,-3");
  }

  @Test
  void aTextWithTabQuoteOrEndOfLineIsOneCell() {
    assertThat(csv("vm", "\t=1").lines().toList().getLast()).isEqualTo("vm,,'\t=1");
    assertThat(csv("vm", "a\"b,c\r\n=d")).endsWith("vm,,\"a\"\"b,c\r\n=d\"\r\n");
  }
}
