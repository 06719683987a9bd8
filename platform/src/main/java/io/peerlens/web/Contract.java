package io.peerlens.web;

import io.peerlens.api.ObjectsApi;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The contract of the API, openapi.yaml, as a tree. */
public final class Contract {

  /** It is large, and several ask for it at the start, nobody later. */
  private static SoftReference<Map<String, Object>> read = new SoftReference<>(null);

  private Contract() {}

  /** Its root; not to be changed. */
  public static synchronized Map<String, Object> tree() {
    Map<String, Object> tree = read.get();
    if (tree == null) {
      tree = parse();
      read = new SoftReference<>(tree);
    }
    return tree;
  }

  /** A node that is a mapping. */
  @SuppressWarnings("unchecked") // the contract is ours, and a test reads all of it
  public static Map<String, Object> map(@Nullable Object node) {
    return (Map<String, Object>) Objects.requireNonNull(node);
  }

  private static Map<String, Object> parse() {
    try (InputStream in = ObjectsApi.class.getResourceAsStream("openapi.yaml")) {
      return new Yaml(new SafeConstructor(new LoaderOptions()))
          .load(Objects.requireNonNull(in, "openapi.yaml is not on the class path"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
