package io.peerlens.dashboard.vrops;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.Mistake;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The published schema of files of dashboards, and what in a file breaks it. */
final class BundleSchema {

  private static final Schema SCHEMA = read();

  private BundleSchema() {}

  private static Schema read() {
    try {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(Files.readString(Path.of("../docs/dashboard.schema.json")), InputFormat.JSON);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> errors(ObjectNode bundle) {
    List<String> errors = new ArrayList<>();
    SCHEMA
        .validate(
            bundle.toString(),
            InputFormat.JSON,
            context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
        .stream()
        .map(it -> it.getInstanceLocation() + ": " + it.getMessage())
        .forEach(errors::add);
    for (Mistake mistake : BundleReader.bundle(bundle).mistakes()) {
      errors.add("reader: " + mistake);
    }
    return errors;
  }
}
