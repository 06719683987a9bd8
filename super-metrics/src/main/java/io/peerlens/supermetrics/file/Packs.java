package io.peerlens.supermetrics.file;

import io.peerlens.supermetrics.SuperMetric;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Packs that come with the product: files of the export format beside {@code packs/index.json},
 * which names them. They are read like any import, so a pack can also be taken out and imported
 * elsewhere.
 */
public final class Packs {

  private static final String FOLDER = "/super-metrics/packs/";

  private Packs() {}

  /**
   * A pack.
   *
   * @param name short name, as in {@code vm-basics}
   * @param summary one sentence on what it is for
   */
  public record Pack(String name, String summary) {

    /** The file, as it lies in the product. */
    public byte[] file() {
      return resource(name + ".json");
    }

    /** Its super metrics, in the order of the file. */
    public List<SuperMetric> superMetrics() {
      ImportFile file = new ImportReader().read(name + ".json", file());
      if (file.problemCount() > 0) {
        throw new IllegalStateException(
            "a pack of the product is broken: " + file.problems().getFirst());
      }
      return file.superMetrics().stream().map(ImportFile.Found::definition).toList();
    }
  }

  /** All packs, by name. */
  public static List<Pack> all() {
    List<Pack> packs = new ArrayList<>();
    for (JsonNode entry : new JsonMapper().readTree(resource("index.json"))) {
      packs.add(new Pack(entry.get("name").stringValue(), entry.get("summary").stringValue()));
    }
    return List.copyOf(packs);
  }

  /** The pack of this name. */
  public static Optional<Pack> named(String name) {
    return all().stream().filter(pack -> pack.name().equals(name)).findFirst();
  }

  private static byte[] resource(String file) {
    try (InputStream in = Packs.class.getResourceAsStream(FOLDER + file)) {
      if (in == null) {
        throw new IllegalStateException("not on the class path: " + FOLDER + file);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + FOLDER + file, e);
    }
  }
}
