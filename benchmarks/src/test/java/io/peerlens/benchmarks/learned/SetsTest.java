package io.peerlens.benchmarks.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SetsTest {

  @TempDir Path root;

  @BeforeEach
  void makeTwoFiles() throws IOException {
    Path folder = Files.createDirectories(root.resolve("nab/realThings"));
    for (String name : new String[] {"a.csv", "b.csv"}) {
      StringBuilder rows = new StringBuilder("timestamp,value\n");
      for (int i = 10; i < 60; i++) {
        rows.append("2015-01-01 00:").append(i).append(":00,").append(i).append('\n');
      }
      Files.writeString(folder.resolve(name), rows);
    }
  }

  private void windows(String file, String text) throws IOException {
    Files.writeString(root.resolve("nab").resolve(file), text);
  }

  @Test
  void filesAreThoseOfTheFolderAndWindowsThoseOfAllLists() throws IOException {
    windows(
        "combined_windows_dev.json",
        """
        {"realThings/a.csv": [["2015-01-01 00:20:00.000000", "2015-01-01 00:29:00.000000"]],
         "realThings/gone.csv": []}
        """);
    windows("combined_windows_more.json", "{\"realThings/b.csv\": []}");
    assertThat(new Sets(root).nab())
        .satisfiesExactly(
            a -> {
              assertThat(a.name()).isEqualTo("realThings/a.csv");
              assertThat(a.segments()).isDeepEqualTo(new int[][] {{10, 19}});
              assertThat(a.judged()).isEqualTo(7);
            },
            b -> {
              assertThat(b.name()).isEqualTo("realThings/b.csv");
              assertThat(b.segments()).isEmpty();
            });
  }

  @Test
  void aFileWithoutAnEntryIsTold() throws IOException {
    windows("combined_windows.json", "{\"realThings/a.csv\": []}");
    Sets sets = new Sets(root);
    assertThatThrownBy(sets::nab)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("realThings/b.csv is in none of");
  }

  @Test
  void aWindowOutsideOfItsFileIsTold() throws IOException {
    windows(
        "combined_windows.json",
        """
        {"realThings/a.csv": [["2015-01-02 00:20:00", "2015-01-02 00:29:00"]],
         "realThings/b.csv": []}
        """);
    Sets sets = new Sets(root);
    assertThatThrownBy(sets::nab)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("realThings/a.csv: no row has the time")
        .hasMessageContaining("2015-01-02T00:20:00Z");
  }
}
