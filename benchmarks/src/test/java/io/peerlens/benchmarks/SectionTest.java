package io.peerlens.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SectionTest {

  @TempDir Path folder;

  @Test
  void partsAndTheRestOfAPageDoNotDestroyOneAnother() throws IOException {
    Path page = folder.resolve("page.md");
    Section.writeRest(page, "# Rest\n");
    Section.write(page, "one", "first\n");
    Section.write(page, "two", "second");
    Section.write(page, "one", "third\n");
    Section.writeRest(page, "# New\n");

    assertThat(Files.readString(page))
        .isEqualTo(
            """
            # New

            <!-- begin one -->
            third
            <!-- end one -->

            <!-- begin two -->
            second
            <!-- end two -->
            """);
  }

  @Test
  void theSummaryStandsBelowTheTitleWhoeverWritesLast() throws IOException {
    Path page = folder.resolve("page.md");
    Section.writeRest(page, "# Rest\n\nwords\n");
    Section.write(page, "one", "first\n");
    Section.write(page, Section.SUMMARY, "short\n");
    String whole =
        """
        # Rest

        <!-- begin summary -->
        short
        <!-- end summary -->

        words

        <!-- begin one -->
        first
        <!-- end one -->
        """;
    assertThat(Files.readString(page)).isEqualTo(whole);
    Section.write(page, "one", "first\n");
    assertThat(Files.readString(page)).isEqualTo(whole);
    Section.writeRest(page, "# Rest\n\nwords\n");
    assertThat(Files.readString(page)).isEqualTo(whole);
  }
}
