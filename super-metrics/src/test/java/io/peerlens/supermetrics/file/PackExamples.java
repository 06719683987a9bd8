package io.peerlens.supermetrics.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The worked examples beside a pack, {@code packs/<name>.examples.json}: small inventories and the
 * values that the pack's super metrics have in them.
 *
 * @param pack name of the pack
 * @param examples each on its own
 */
public record PackExamples(String pack, List<Example> examples) {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /**
   * One situation.
   *
   * @param name what it shows
   * @param missing what is not known in it, if that is the point
   * @param objects all there is
   * @param expect what the super metrics of the pack give
   */
  public record Example(
      String name, @Nullable String missing, List<Node> objects, List<Expected> expect) {}

  /**
   * An object of adapter kind {@code VMWARE}.
   *
   * @param kind its object kind
   * @param name unique within the example
   * @param metrics newest value by metric key
   * @param properties value by property key, texts or numbers
   * @param parents names of the objects right above it
   */
  public record Node(
      String kind,
      String name,
      @Nullable Map<String, Double> metrics,
      @Nullable Map<String, Object> properties,
      @Nullable List<String> parents) {}

  /**
   * What a super metric gives.
   *
   * @param object name of the object that it is computed for
   * @param superMetric its name; one of the pack. Others of the pack that it reads are computed too
   * @param value to nine digits; {@code null} = no data
   */
  public record Expected(String object, String superMetric, @Nullable Double value) {}

  /** Reads the examples of a pack from the folder of the packs. */
  public static PackExamples of(String pack) throws IOException {
    return JSON.readValue(
        Files.readAllBytes(Path.of("packs", pack + ".examples.json")), PackExamples.class);
  }
}
