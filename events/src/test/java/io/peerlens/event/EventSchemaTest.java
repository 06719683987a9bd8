package io.peerlens.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class EventSchemaTest {

  private static final Path DOCS = Path.of("..", "docs");

  private static List<?> errors(String json) throws IOException {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(Files.readString(DOCS.resolve("events.schema.json")), InputFormat.JSON)
        .validate(json, InputFormat.JSON);
  }

  @Test
  void theExamplesOfTheDocumentSatisfyTheSchema() throws IOException {
    Matcher example =
        Pattern.compile("```json\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(DOCS.resolve("events.md")));
    int count = 0;
    while (example.find()) {
      count++;
      assertThat(errors(example.group(1))).as(example.group(1)).isEmpty();
      assertThat(errors("[" + example.group(1) + "]")).isEmpty();
      assertThat(errors(example.group(1).replaceAll("\"(key|overallStatus)\":", "\"other\":")))
          .isNotEmpty();
    }
    assertThat(count).isEqualTo(2);
  }

  @Test
  void theCaptureSatisfiesTheSchema() throws IOException {
    for (String line : EventCaptures.lines("cloudevents-vi.jsonl.gz")) {
      assertThat(errors(line)).isEmpty();
    }
  }
}
