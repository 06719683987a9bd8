package io.peerlens.definition;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import io.peerlens.web.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Stored form of the definitions of one table: JSON whose member names are kept for good. The API's
 * model may call a member otherwise ({@link #renamed}), so no row changes when the API does.
 *
 * <p>A form has a number, which each row holds. It rises when rows of before can no longer be read
 * as they are ({@link #then}); they are brought up to date whenever they are read, and written anew
 * when somebody changes them. A row of a higher number was written by a newer version of Peerlens,
 * and is refused: what it adds may change the meaning of the rest.
 *
 * <p>What is null and what is left out are the same. Any other member that the model does not know
 * is refused.
 *
 * @param <E> the model of the API that is read and written
 */
public final class StoredForm<E> {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .changeDefaultPropertyInclusion(
              inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private final String table;
  private final Class<E> type;
  private final List<Rename> renames;
  private final List<Consumer<ObjectNode>> steps;

  private StoredForm(
      String table, Class<E> type, List<Rename> renames, List<Consumer<ObjectNode>> steps) {
    this.table = table;
    this.type = type;
    this.renames = renames;
    this.steps = steps;
  }

  /**
   * A form of number 1, in which all members are called as in the API.
   *
   * @param table a constant of the program
   */
  public static <E> StoredForm<E> of(String table, Class<E> type) {
    return new StoredForm<>(table, type, List.of(), List.of());
  }

  /**
   * The same form for an API that calls a member otherwise.
   *
   * @param stored path of the member in the database, with points, through arrays as well: {@code
   *     condition.levels.severity}
   * @param api what the API calls the last member of the path
   */
  public StoredForm<E> renamed(String stored, String api) {
    return renamed(stored, api, value -> value, value -> value);
  }

  /** The same for a member that is a whole number of seconds in the database, a duration there. */
  public StoredForm<E> seconds(String stored, String api) {
    return renamed(
        stored,
        api,
        value ->
            value.isInt()
                ? StringNode.valueOf(Durations.print(Duration.ofSeconds(value.asInt())))
                : value,
        value -> IntNode.valueOf((int) Durations.parse(value.asString()).toSeconds()));
  }

  /**
   * The same form for a member whose words are in capitals in the database, in small letters there.
   */
  public StoredForm<E> capitals(String stored) {
    return renamed(
        stored,
        stored.substring(stored.lastIndexOf('.') + 1),
        value -> each(value, text -> text.toLowerCase(Locale.ROOT)),
        value -> each(value, text -> text.toUpperCase(Locale.ROOT)));
  }

  /** A text, or an object of texts, with each of them changed. */
  private static JsonNode each(JsonNode value, UnaryOperator<String> change) {
    if (value instanceof ObjectNode object) {
      ObjectNode changed = JSON.createObjectNode();
      object.forEachEntry((name, of) -> changed.set(name, each(of, change)));
      return changed;
    }
    return value.isString() ? StringNode.valueOf(change.apply(value.asString())) : value;
  }

  private StoredForm<E> renamed(
      String stored, String api, UnaryOperator<JsonNode> read, UnaryOperator<JsonNode> write) {
    List<Rename> longer = new ArrayList<>(renames);
    longer.add(new Rename(List.of(stored.split("\\.")), api, read, write));
    return new StoredForm<>(table, type, List.copyOf(longer), steps);
  }

  /**
   * The form of the next number.
   *
   * @param step makes a definition of this form one of the next, in the names of the database
   */
  public StoredForm<E> then(Consumer<ObjectNode> step) {
    List<Consumer<ObjectNode>> longer = new ArrayList<>(steps);
    longer.add(step);
    return new StoredForm<>(table, type, renames, List.copyOf(longer));
  }

  /** The table. */
  public String table() {
    return table;
  }

  Class<E> type() {
    return type;
  }

  @Override
  public String toString() {
    return "%s %d".formatted(table, number());
  }

  /** The number of written definitions; from 1. */
  public int number() {
    return 1 + steps.size();
  }

  /** A definition for the database. */
  public String write(E definition) {
    ObjectNode tree = JSON.valueToTree(definition);
    renames.forEach(rename -> rename.apply(tree, false));
    return JSON.writeValueAsString(tree);
  }

  /**
   * A definition of the database.
   *
   * @param number of its form
   * @throws ApiException if a newer version of Peerlens has written it, or it is no object
   * @throws tools.jackson.core.JacksonException if it does not fit the model
   */
  public E read(int number, String definition) {
    if (number > number()) {
      throw ApiException.of(
          ErrorCode.CONFLICT,
          "A newer version of Peerlens has written it (form %d; this version reads up to %d)."
              .formatted(number, number()));
    }
    if (!(withoutNulls(JSON.readTree(definition)) instanceof ObjectNode tree)) {
      throw ApiException.of(ErrorCode.CONFLICT, "It is no JSON object.");
    }
    steps.subList(number - 1, steps.size()).forEach(step -> step.accept(tree));
    renames.forEach(rename -> rename.apply(tree, true));
    return JSON.treeToValue(tree, type);
  }

  private static JsonNode withoutNulls(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.removeIf(JsonNode::isNull);
    }
    node.forEach(StoredForm::withoutNulls);
    return node;
  }

  /** Another name of a member in the API. */
  private record Rename(
      List<String> stored,
      String api,
      UnaryOperator<JsonNode> read,
      UnaryOperator<JsonNode> write) {

    void apply(JsonNode tree, boolean isRead) {
      apply(tree, 0, isRead);
    }

    private void apply(JsonNode node, int depth, boolean isRead) {
      if (node.isArray()) {
        node.forEach(item -> apply(item, depth, isRead));
      } else if (depth < stored.size() - 1) {
        apply(node.path(stored.get(depth)), depth + 1, isRead);
      } else if (node instanceof ObjectNode object) {
        String from = isRead ? stored.getLast() : api;
        JsonNode member = object.remove(from);
        if (member != null) {
          object.set(isRead ? api : stored.getLast(), (isRead ? read : write).apply(member));
        }
      }
    }
  }
}
