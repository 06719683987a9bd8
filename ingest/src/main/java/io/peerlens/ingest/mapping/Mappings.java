package io.peerlens.ingest.mapping;

import com.fasterxml.jackson.annotation.Nulls;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * All mapping files in force. The shipped ones are part of the jar; a file of the same name in the
 * override directory takes the place of a shipped one, and files with other names are tried first.
 * Thread-safe.
 */
public final class Mappings {

  /**
   * In the order in which they are tried; of those for lines and of those for OpenTelemetry the
   * last one fits everything.
   */
  public static final List<String> SHIPPED =
      List.of(
          "peerlens-vcenter.yaml",
          "esxtop.yaml",
          "telegraf-vsphere.yaml",
          "telegraf-host.yaml",
          "telegraf-other.yaml",
          "otel-vcenter.yaml",
          "otel-hostmetrics.yaml",
          "otel-other.yaml");

  private static final Pattern MISSING = Pattern.compile("^Missing required creator property");

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
          .build();

  private final List<Source> sources;
  private final List<CompiledRule> rules;
  private final List<CompiledOtlp> otlp;

  private Mappings(List<Source> sources, List<CompiledRule> rules, List<CompiledOtlp> otlp) {
    this.sources = sources;
    this.rules = rules;
    this.otlp = otlp;
  }

  /**
   * A mapping file in force.
   *
   * @param file its name
   * @param shipped whether it is the one in the jar
   * @param yaml its text
   */
  public record Source(String file, boolean shipped, String collector, String yaml) {}

  /**
   * Count of the uses of a rule: once for each new series, not for each line.
   *
   * @param file mapping file
   * @param measurement pattern of the rule; of points of OpenTelemetry that of the scope
   */
  public record Use(String file, String measurement, String objectKind, long series) {}

  /** The shipped mapping files alone. */
  public static Mappings shipped() {
    return load(null);
  }

  /**
   * The shipped mapping files and those of a directory.
   *
   * @param directory holds files named {@code *.yaml} or {@code *.yml}; null or absent = none
   * @throws MappingException naming file, line and column of the first mistake
   */
  public static Mappings load(@Nullable Path directory) {
    Map<String, String> own = new LinkedHashMap<>();
    if (directory != null && Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.filter(Mappings::isMapping).sorted().toList()) {
          own.put(file.getFileName().toString(), Files.readString(file));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot read mapping files in " + directory, e);
      }
    }
    Map<String, MappingFile> files = new LinkedHashMap<>();
    List<Source> sources = new ArrayList<>();
    own.forEach(
        (file, yaml) -> {
          if (!SHIPPED.contains(file)) {
            sources.add(read(file, yaml, false, files));
          }
        });
    for (String file : SHIPPED) {
      String yaml = own.get(file);
      sources.add(read(file, yaml == null ? resource(file) : yaml, yaml == null, files));
    }
    List<CompiledRule> rules = new ArrayList<>();
    List<CompiledOtlp> otlp = new ArrayList<>();
    files.forEach(
        (file, parsed) -> {
          compile(file, parsed, files, rules);
          compileOtlp(file, parsed, otlp);
        });
    return new Mappings(List.copyOf(sources), List.copyOf(rules), List.copyOf(otlp));
  }

  private static boolean isMapping(Path file) {
    String name = file.getFileName().toString();
    return !name.startsWith(".") && (name.endsWith(".yaml") || name.endsWith(".yml"));
  }

  private static Source read(
      String file, String yaml, boolean shipped, Map<String, MappingFile> files) {
    MappingFile parsed;
    try {
      KnownKeys.check(file, yaml, YAML);
      parsed = YAML.readValue(yaml, MappingFile.class);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      throw new MappingException(
          at == null
              ? "%s: %s".formatted(file, what(e))
              : "%s, line %d, column %d: %s"
                  .formatted(file, at.getLineNr(), at.getColumnNr(), what(e)),
          e);
    }
    files.put(file, parsed);
    return new Source(file, shipped, parsed.collector(), yaml);
  }

  private static void compile(
      String file, MappingFile parsed, Map<String, MappingFile> files, List<CompiledRule> rules) {
    Units others = null;
    if (parsed.unitsOf() != null) {
      MappingFile other = files.get(parsed.unitsOf());
      if (other == null) {
        throw new MappingException(
            "%s: unitsOf names the file '%s', which is not there; there are %s"
                .formatted(file, parsed.unitsOf(), files.keySet()),
            null);
      }
      others = new Units(other.unitsOrNone());
    }
    Units units = new Units(parsed.unitsOrNone(), others);
    for (MappingFile.Rule rule : parsed.rules()) {
      try {
        rules.add(new CompiledRule(file, parsed, rule, units));
      } catch (IllegalArgumentException e) {
        throw new MappingException(
            "%s, rule for %s: %s".formatted(file, rule.measurement(), e.getMessage()), e);
      }
    }
  }

  private static void compileOtlp(String file, MappingFile parsed, List<CompiledOtlp> otlp) {
    if (parsed.otlp() != null) {
      try {
        otlp.add(new CompiledOtlp(file, parsed, parsed.otlp()));
      } catch (IllegalArgumentException e) {
        throw new MappingException("%s, otlp: %s".formatted(file, e.getMessage()), e);
      }
    }
  }

  /** The mistake in the words of the file rather than of Java. */
  private static String what(JacksonException e) {
    String where =
        e.getPath().stream()
            .map(r -> r.getPropertyName() == null ? "[" + r.getIndex() + "]" : r.getPropertyName())
            .collect(Collectors.joining("."))
            .replace(".[", "[");
    return switch (e) {
      case InvalidNullException nothing -> "'%s' has no value".formatted(where);
      case InvalidFormatException wrong ->
          "'%s' cannot be %s%s"
              .formatted(
                  where,
                  wrong.getValue(),
                  wrong.getTargetType().isEnum()
                      ? "; expected one of "
                          + Arrays.toString(wrong.getTargetType().getEnumConstants())
                              .toLowerCase(Locale.ROOT)
                      : "; expected a " + wrong.getTargetType().getSimpleName());
      case MismatchedInputException mismatch -> {
        Matcher missing = MISSING.matcher(mismatch.getOriginalMessage());
        yield missing.find()
            ? "key '%s' is missing".formatted(where)
            : where.isEmpty()
                ? "expected keys like collector and rules, found something else"
                : "'%s' is of the wrong shape: see docs/mappings.md".formatted(where);
      }
      default -> e.getOriginalMessage();
    };
  }

  private static String resource(String file) {
    try (InputStream in = Mappings.class.getResourceAsStream("/mappings/" + file)) {
      if (in == null) {
        throw new IllegalStateException("Shipped mapping file missing: " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Maps a series; every series means something, by the last shipped file. */
  public MappedSeries map(String measurement, Map<String, String> tags) {
    for (CompiledRule rule : rules) {
      MappedSeries series = rule.map(measurement, tags);
      if (series != null) {
        return series;
      }
    }
    throw new IllegalStateException("No mapping rule fits " + measurement);
  }

  /**
   * Maps a point of OpenTelemetry; every point means something, and be it that it is dropped.
   *
   * @param scope name of its instrumentation scope
   * @param resource attributes of its resource
   * @param unit as it was sent
   * @param attributes of the point
   */
  public OtlpPoint mapOtlp(
      String scope,
      Map<String, String> resource,
      String metric,
      String unit,
      Map<String, String> attributes) {
    for (CompiledOtlp file : otlp) {
      OtlpPoint point = file.map(scope, resource, metric, unit, attributes);
      if (point != null) {
        return point;
      }
    }
    throw new IllegalStateException("No mapping fits the metric " + metric);
  }

  public List<Source> sources() {
    return sources;
  }

  /** Counts the uses of each rule since the start, in the order in which they are tried. */
  public List<Use> uses() {
    return Stream.concat(
            rules.stream()
                .map(
                    r ->
                        new Use(
                            r.source, r.rule.measurement(), r.rule.objectKind(), r.matched.sum())),
            otlp.stream()
                .flatMap(
                    file ->
                        file.things().stream()
                            .map(
                                thing ->
                                    new Use(
                                        file.source,
                                        file.shownScope,
                                        thing.written.objectKind(),
                                        thing.matched.sum()))))
        .toList();
  }

  /** A mapping file that cannot be used; the message says where and why. */
  public static final class MappingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MappingException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
