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
}
