package io.peerlens.alerttemplates;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the expected outcome of every example anew. Run it after a change that is meant, and read
 * the difference: {@code java ... io.peerlens.alerttemplates.Golden} in the folder of the module.
 */
final class Golden {

  private static final JsonMapper JSON = JsonMapper.shared();

  private Golden() {}

  public static void main(String[] args) throws IOException {
    for (String id : BuiltInTemplates.IDS) {
      Path folder = Path.of("templates", id);
      AlertTemplate template =
          AlertTemplate.parse(Files.readString(folder.resolve("template.yaml")));
      Files.createDirectories(folder.resolve("examples"));
      for (String name : BuiltInTemplates.CONTEXTS) {
        JsonNode context =
            JSON.readTree(Files.readString(Path.of("templates/contexts", name + ".json")));
        JsonNode outcome;
        try {
          outcome = Example.outcome(template, context, Lookups.NONE);
        } catch (TemplateException e) {
          throw new IllegalStateException(id + " on " + name + ": " + e.getMessage(), e);
        }
        Files.writeString(
            folder.resolve("examples/" + name + ".json"),
            JSON.writerWithDefaultPrettyPrinter().writeValueAsString(outcome) + "\n");
      }
    }
  }
}
