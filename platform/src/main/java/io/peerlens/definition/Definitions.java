package io.peerlens.definition;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.peerlens.api.model.FieldChange;
import io.peerlens.web.ApiException;
import io.peerlens.web.FormerNames;
import io.peerlens.web.JsonProblems;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON trees of definitions: of files, of the database, and the differences between two of them.
 */
public final class Definitions {

  /** What is left out and what is null are the same. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .changeDefaultPropertyInclusion(
              inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .addModule(FormerNames.accepted())
          .build();

  private Definitions() {}

  /** As text, for the database. */
  public static String write(Object definition) {
    return JSON.writeValueAsString(definition);
  }

  /** Of the database. */
  public static <T> T read(String text, Class<T> type) {
    return JSON.readValue(text, type);
  }

  /** As a tree, without members that are null, and without its id. */
  public static ObjectNode tree(Object definition) {
    ObjectNode tree = JSON.valueToTree(definition);
    tree.remove("id");
    return tree;
  }

  /** An item of a file without its id; what is no object stays as it is. */
  public static JsonNode withoutId(JsonNode item) {
    return item.isObject() ? tree(item) : item;
  }

  /**
   * The id that a file gives an item.
   *
   * @param path of the item, without a point at its end
   * @return null = it gives none
   */
  public static @Nullable UUID id(String path, JsonNode item) {
    JsonNode given = item.path("id");
    if (given.isMissingNode() || given.isNull()) {
      return null;
    }
    UUID id = RulesImporter.uuid(given);
    if (id == null) {
      throw ApiException.invalidField(path + ".id", "is no UUID");
    }
    return id;
  }

  /** Of a tree that is known to be good. */
  public static <T> T of(JsonNode tree, Class<T> type) {
    return JSON.treeToValue(tree, type);
  }

  /**
   * Of an item of a file, held against the limits of the contract.
   *
   * @param path of the item, without a point at its end
   * @throws ApiException if it does not fit
   */
  public static <T> T of(String path, JsonNode item, Class<T> type, Validator validator) {
    T read;
    try {
      read = JSON.treeToValue(item, type);
    } catch (DatabindException e) {
      String at = path + at(e);
      throw e instanceof UnrecognizedPropertyException unknown
          ? ApiException.invalidField(at, "is unknown")
              .hint(
                  "Known are: "
                      + String.join(
                          ", ",
                          Objects.requireNonNullElse(
                                  unknown.getKnownPropertyIds(), List.<Object>of())
                              .stream()
                              .map(String::valueOf)
                              .sorted()
                              .toList())
                      + ".")
          : ApiException.invalidField(at, JsonProblems.reason(e));
    } catch (JacksonException e) {
      throw ApiException.invalidField(path, "does not fit: " + firstLine(e));
    }
    List<ConstraintViolation<T>> violations = new ArrayList<>(validator.validate(read));
    violations.sort(Comparator.comparing(violation -> violation.getPropertyPath().toString()));
    if (!violations.isEmpty()) {
      ConstraintViolation<T> first = violations.getFirst();
      ApiException problem = ApiException.invalidField(path + "." + at(first), first.getMessage());
      for (ConstraintViolation<T> other : violations.subList(1, violations.size())) {
        problem = problem.field(path + "." + at(other), other.getMessage());
      }
      throw problem;
    }
    return read;
  }

  /**
   * Why what was stored cannot be read, without its values, which may be secret.
   *
   * @param e what reading threw
   */
  public static String unreadable(RuntimeException e) {
    return switch (e) {
      case ApiException refused -> refused.detail();
      case UnrecognizedPropertyException unknown ->
          "Its member " + member(unknown) + " is unknown to this version.";
      case DatabindException bad -> "Its member " + member(bad) + " does not fit.";
      default -> "The log says why.";
    };
  }

  /** Path of a member; the validator names the element of a list once more, which is left out. */
  private static String at(ConstraintViolation<?> violation) {
    return violation.getPropertyPath().toString().replace(".<list element>", "");
  }

  private static String member(DatabindException e) {
    String at = at(e);
    return at.startsWith(".") ? at.substring(1) : at;
  }

  private static String at(DatabindException e) {
    StringBuilder at = new StringBuilder();
    for (JacksonException.Reference reference : e.getPath()) {
      if (reference.getPropertyName() != null) {
        at.append('.').append(reference.getPropertyName());
      } else {
        at.append('[').append(reference.getIndex()).append(']');
      }
    }
    return at.toString();
  }

  private static String firstLine(JacksonException e) {
    String message = Objects.requireNonNullElse(e.getOriginalMessage(), "it cannot be read");
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }

  /** The fields in which two definitions differ, by their paths. */
  public static List<FieldChange> changes(JsonNode before, JsonNode after) {
    Map<String, String> old = new LinkedHashMap<>();
    Map<String, String> now = new LinkedHashMap<>();
    flatten("", before, old);
    flatten("", after, now);
    Set<String> fields = new LinkedHashSet<>(old.keySet());
    fields.addAll(now.keySet());
    List<FieldChange> changes = new ArrayList<>();
    for (String field : fields) {
      String was = old.get(field);
      String is = now.get(field);
      if (!Objects.equals(was, is)) {
        changes.add(new FieldChange(field, was, is, List.of()));
      }
    }
    return changes;
  }

  private static void flatten(String path, @Nullable JsonNode node, Map<String, String> into) {
    if (node == null || node.isNull()) {
      return;
    }
    if (node.isObject()) {
      node.forEachEntry(
          (name, value) -> flatten(path.isEmpty() ? name : path + "." + name, value, into));
    } else if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        flatten(path + "[" + i + "]", node.get(i), into);
      }
    } else {
      into.put(path, node.asString());
    }
  }
}
