package io.peerlens.ingest.mapping;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.peerlens.ingest.mapping.Mappings.MappingException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Keys that a mapping file may have. They are looked at before the file is read into records, which
 * would first miss the key that was meant, at the end of the file, and not name the misspelled one.
 */
final class KnownKeys {

  private final String file;
  private final JsonParser tokens;

  private KnownKeys(String file, JsonParser tokens) {
    this.file = file;
    this.tokens = tokens;
  }

  /**
   * Looks at every key of a file.
   *
   * @throws MappingException at the first that is not known
   */
  static void check(String file, String yaml, YAMLMapper mapper) {
    try (JsonParser tokens = mapper.createParser(yaml)) {
      if (tokens.nextToken() == JsonToken.START_OBJECT) {
        new KnownKeys(file, tokens).record(MappingFile.class, "");
      }
    }
  }

  /** Reads to the end of an object whose keys are the components of a record. */
  private void record(Class<?> type, String path) {
    while (tokens.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = tokens.currentName();
      RecordComponent component = component(type, key);
      if (component == null) {
        throw unknown(type, path, key);
      }
      tokens.nextToken();
      value(component.getGenericType(), path + key);
    }
  }

  private void value(Type type, String path) {
    Type inner =
        type instanceof ParameterizedType generic
            ? generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1]
            : null;
    if (tokens.currentToken() == JsonToken.START_OBJECT
        && type instanceof Class<?> record
        && record.isRecord()) {
      record(record, path + ".");
    } else if (tokens.currentToken() == JsonToken.START_OBJECT && isOf(type, Map.class)) {
      while (tokens.nextToken() == JsonToken.PROPERTY_NAME) {
        String key = tokens.currentName();
        tokens.nextToken();
        value(inner == null ? Object.class : inner, path + "." + key);
      }
    } else if (tokens.currentToken() == JsonToken.START_ARRAY && isOf(type, List.class)) {
      for (int i = 0; tokens.nextToken() != JsonToken.END_ARRAY; i++) {
        value(inner == null ? Object.class : inner, path + "[" + i + "]");
      }
    } else {
      tokens.skipChildren(); // a wrong shape is reported when the file is read
    }
  }

  private static boolean isOf(Type type, Class<?> raw) {
    return type instanceof ParameterizedType generic && generic.getRawType() == raw;
  }

  private static @Nullable RecordComponent component(Class<?> record, String key) {
    return Arrays.stream(record.getRecordComponents())
        .filter(component -> name(component).equals(key))
        .findFirst()
        .orElse(null);
  }

  private static String name(RecordComponent component) {
    JsonProperty property = component.getAccessor().getAnnotation(JsonProperty.class);
    return property == null || property.value().isEmpty() ? component.getName() : property.value();
  }

  private MappingException unknown(Class<?> record, String path, String key) {
    TreeSet<String> known = new TreeSet<>();
    for (RecordComponent component : record.getRecordComponents()) {
      known.add(name(component));
    }
    String meant = null;
    for (String name : known) {
      if (isNear(key, name)) {
        meant = name;
        break;
      }
    }
    TokenStreamLocation at = tokens.currentTokenLocation();
    return new MappingException(
        "%s, line %d, column %d: unknown key '%s'; %sknown here: %s"
            .formatted(
                file,
                at.getLineNr(),
                at.getColumnNr(),
                path + key,
                meant == null ? "" : "did you mean " + meant + "? ",
                known),
        null);
  }

  /**
   * Whether a word is another but for letter case and one stretch of at most two letters that is
   * missing, too much, or different.
   */
  private static boolean isNear(String word, String other) {
    String a = word.toLowerCase(Locale.ROOT);
    String b = other.toLowerCase(Locale.ROOT);
    int start = 0;
    while (start < Math.min(a.length(), b.length()) && a.charAt(start) == b.charAt(start)) {
      start++;
    }
    int end = 0;
    while (end < Math.min(a.length(), b.length()) - start
        && a.charAt(a.length() - 1 - end) == b.charAt(b.length() - 1 - end)) {
      end++;
    }
    int different = Math.max(a.length(), b.length()) - start - end;
    return different <= 2 && different < b.length() / 2;
  }
}
