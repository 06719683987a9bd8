package io.peerlens.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/**
 * Definitions as they stand in databases: the first file of each form has every member and every
 * word that it had when the file was made. They must be readable for good, and written as they
 * were.
 */
class StoredFormsTest {

  private static final Path KNOWN = Path.of("src/test/resources/stored");
  private static final Path NEW = Path.of("target/stored");
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  static Stream<StoredForm<?>> forms() {
    return StoredForms.all().stream();
  }

  @ParameterizedTest
  @MethodSource("forms")
  <E> void storedRowsAreReadAndWrittenUnchanged(StoredForm<E> form) throws IOException {
    Path known = KNOWN.resolve("%s-%d.json".formatted(form.table(), form.number()));
    Path now = NEW.resolve(known.getFileName());
    ArrayNode all = everything(form);
    Files.createDirectories(NEW);
    Files.writeString(
        now,
        all.valueStream()
            .map(one -> JSON.writeValueAsString(JSON.treeToValue(one, Object.class)))
            .collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    assertThat(known)
        .as("service/%s is what a new form writes; copy it to service/%s", now, known)
        .exists();
    JsonNode stored = JSON.readTree(Files.readString(known));
    for (JsonNode one : stored) {
      E read = form.read(form.number(), one.toString());
      assertThat(JSON.readTree(form.write(read)))
          .as(
              "%s: what was stored is written otherwise; give its form a name that differs from the API (StoredForm.renamed), or another number",
              known)
          .isEqualTo(one);
    }
    Set<String> added = words(all);
    added.removeAll(words(stored));
    assertThat(added)
        .as("%s lacks members or words that are stored now; copy service/%s to it", known, now)
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("forms")
  <E> void rowsOfEarlierFormsAreStillRead(StoredForm<E> form) throws IOException {
    for (int number = 1; number <= form.number(); number++) {
      Path known = KNOWN.resolve("%s-%d.json".formatted(form.table(), number));
      for (JsonNode one : JSON.readTree(Files.readString(known))) {
        E read = form.read(number, one.toString());
        assertThat(form.read(form.number(), form.write(read))).isEqualTo(read);
      }
    }
  }

  // -----------------------------------------------------------------------------------------------

  /** Paths of members, and what stands there if it is one of several words. */
  private static Set<String> words(JsonNode definitions) {
    Set<String> words = new TreeSet<>();
    definitions.forEach(one -> collect("", one, words));
    return words;
  }

  private static void collect(String path, JsonNode node, Set<String> into) {
    if (node.isObject()) {
      node.forEachEntry((name, value) -> collect(path + "." + name, value, into));
    } else if (node.isArray()) {
      node.forEach(item -> collect(path, item, into));
    } else {
      into.add(node.isString() ? path + "=" + node.asString() : path);
    }
  }

  /** The least that a definition says, and then each word of each member at least once. */
  private static <E> ArrayNode everything(StoredForm<E> form) {
    ArrayNode all = JSON.createArrayNode();
    Filler filler = new Filler();
    filler.isLeast = true;
    all.add(JSON.readTree(form.write(form.type().cast(filler.bean(form.type(), 0)))));
    filler.isLeast = false;
    do {
      all.add(JSON.readTree(form.write(form.type().cast(filler.bean(form.type(), 0)))));
      filler.turn++;
    } while (filler.turn < filler.turns);
    return all;
  }

  /** Fills models of the API. */
  private static final class Filler {
    boolean isLeast;
    int turn;
    int turns = 1;

    Object bean(Class<?> type, int depth) {
      try {
        Object bean = isLeast ? required(type, depth) : type.getConstructor().newInstance();
        if (!isLeast) {
          for (Method getter : getters(type)) {
            Method setter =
                type.getMethod("set" + getter.getName().substring(3), getter.getReturnType());
            Object value =
                getter.getName().equals("getInterval") && depth == 0
                    ? "7s"
                    : value(getter.getGenericReturnType(), depth);
            if (value != null) {
              setter.invoke(bean, value);
            }
          }
        }
        return bean;
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(type + " cannot be filled", e);
      }
    }

    private Object required(Class<?> type, int depth) throws ReflectiveOperationException {
      Constructor<?> most =
          Stream.of(type.getConstructors())
              .max(Comparator.comparing(Constructor::getParameterCount))
              .orElseThrow();
      List<@Nullable Object> values = new ArrayList<>();
      for (Type parameter : most.getGenericParameterTypes()) {
        values.add(value(parameter, depth));
      }
      return most.newInstance(values.toArray());
    }

    private static List<Method> getters(Class<?> type) {
      return Stream.of(type.getMethods())
          .filter(method -> method.isAnnotationPresent(JsonProperty.class))
          .filter(method -> method.getParameterCount() == 0)
          .sorted(Comparator.comparing(Method::getName))
          .toList();
    }

    /** Null = one within itself that is deep enough. */
    private @Nullable Object value(Type type, int depth) {
      if (type instanceof ParameterizedType generic) {
        Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
        Object item = value(last, depth);
        if (generic.getRawType() == Map.class) {
          return item == null ? Map.of() : new TreeMap<>(Map.of("key", item));
        }
        if (generic.getRawType() == Set.class) {
          return item == null ? Set.of() : Set.of(item);
        }
        return item == null ? List.of() : List.of(item);
      }
      Class<?> wanted = (Class<?>) type;
      if (wanted.isEnum()) {
        Object[] words = wanted.getEnumConstants();
        turns = Math.max(turns, words.length);
        return words[turn % words.length];
      }
      return scalar(wanted, depth);
    }

    private @Nullable Object scalar(Class<?> wanted, int depth) {
      if (wanted == String.class) {
        return "text";
      } else if (wanted == Boolean.class) {
        return true;
      } else if (wanted == Integer.class) {
        return 7;
      } else if (wanted == Long.class) {
        return 7L;
      } else if (wanted == Double.class) {
        return 7.5;
      } else if (wanted == BigDecimal.class) {
        return new BigDecimal("7.5");
      } else if (wanted == UUID.class) {
        return new UUID(1, 2);
      } else if (wanted == Instant.class) {
        return Instant.parse("2026-11-24T00:00:00Z");
      } else if (wanted == OffsetDateTime.class) {
        return OffsetDateTime.parse("2026-11-24T00:00:00Z");
      } else if (wanted == LocalDate.class) {
        return LocalDate.parse("2026-11-24");
      } else if (wanted == URI.class) {
        return URI.create("https://host.example/path");
      } else if (wanted == Object.class || JsonNode.class.isAssignableFrom(wanted)) {
        return JSON.createObjectNode().put("any", "text");
      } else if (wanted.getName().startsWith("io.peerlens.api.model.")) {
        return depth > 4 ? null : bean(wanted, depth + 1);
      }
      throw new IllegalStateException("Nobody knows how to fill " + wanted);
    }
  }
}
