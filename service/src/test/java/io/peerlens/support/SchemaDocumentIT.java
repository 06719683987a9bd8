package io.peerlens.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SchemaDocumentIT {
  private static final Path DOCUMENT = Path.of("..", "docs", "schema.sql");
  private static final Path MADE = Path.of("target", "schema.sql");

  @Test
  void theDocumentShowsTheSchemaAfterAllMigrations() throws IOException {
    String made;
    try (SampleData data = SampleData.create()) {
      made = SchemaText.of(data.jdbc());
    }
    Files.createDirectories(MADE.toAbsolutePath().getParent());
    Files.writeString(MADE, made);
    assertThat(Files.exists(DOCUMENT) ? Files.readString(DOCUMENT) : "")
        .as(
            "docs/schema.sql is not what the migrations make. Look at the difference, then: cp service/%s docs/schema.sql",
            MADE)
        .isEqualTo(made);
  }
}
