package io.peerlens.alerttemplates;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A place in a body: what {@link TemplateParser} made of it. */
sealed interface TemplateNode {

  JsonNodeFactory MAKE = JsonNodeFactory.instance;

  /** The value for this place; null = leave the place out. */
  @Nullable JsonNode render(Rendering rendering);

  /** A value that stands in the template as it is. */
  record Literal(JsonNode value) implements TemplateNode {
    @Override
    public JsonNode render(Rendering rendering) {
      rendering.count();
      return value;
    }
  }

  /** A text that is one placeholder and nothing else: the value keeps its type. */
  record Value(Placeholder placeholder) implements TemplateNode {
    @Override
    public JsonNode render(Rendering rendering) {
      rendering.count();
      JsonNode value = placeholder.resolve(rendering);
      return value.isMissingNode() ? MAKE.nullNode() : value.deepCopy();
    }
  }

  /** A text with placeholders in it: strings and {@link Placeholder}s in turn. */
  record Text(List<Object> parts) implements TemplateNode {
    @Override
    public JsonNode render(Rendering rendering) {
      rendering.count();
      StringBuilder text = new StringBuilder();
      for (Object part : parts) {
        text.append(
            part instanceof Placeholder placeholder
                ? Placeholder.text(placeholder.resolve(rendering))
                : part);
      }
      return MAKE.stringNode(text.toString());
    }
  }

  record Items(List<TemplateNode> items) implements TemplateNode {
    @Override
    public JsonNode render(Rendering rendering) {
      rendering.count();
      ArrayNode array = MAKE.arrayNode();
      for (TemplateNode item : items) {
        JsonNode value = item.render(rendering);
        if (value != null) {
          array.add(value);
        }
      }
      return array;
    }
  }

  record Members(Map<String, TemplateNode> members) implements TemplateNode {
    @Override
    public JsonNode render(Rendering rendering) {
      rendering.count();
      ObjectNode object = MAKE.objectNode();
      for (Map.Entry<String, TemplateNode> member : members.entrySet()) {
        JsonNode value = member.getValue().render(rendering);
        if (value != null) {
          object.set(member.getKey(), value);
        }
      }
      return object;
    }
  }

  /** {@code $each}: one element for each element of an array. */
  record Each(Path path, String as, TemplateNode body) implements TemplateNode {
    @Override
    public JsonNode render(Rendering rendering) {
      rendering.count();
      JsonNode elements = path.resolve(rendering);
      if (!elements.isArray() && !elements.isNull() && !elements.isMissingNode()) {
        throw new TemplateException("$each: " + path + " is no array");
      }
      ArrayNode array = MAKE.arrayNode();
      for (JsonNode element : elements) {
        JsonNode value = rendering.with(as, element, body);
        if (value != null) {
          array.add(value);
        }
      }
      return array;
    }
  }

  /** {@code $switch}: the case that a value names. */
  record Choice(Path path, Map<String, TemplateNode> cases, @Nullable TemplateNode otherwise)
      implements TemplateNode {
    @Override
    public @Nullable JsonNode render(Rendering rendering) {
      TemplateNode chosen = cases.get(Placeholder.text(path.resolve(rendering)));
      chosen = chosen == null ? otherwise : chosen;
      return chosen == null ? null : chosen.render(rendering);
    }
  }

  /** Names from the outside in, such as alert, name. */
  record Path(List<String> names) {

    /** The value there, or the missing node. */
    JsonNode resolve(Rendering rendering) {
      JsonNode value = rendering.lookup(names.getFirst());
      for (String name : names.subList(1, names.size())) {
        value = value.path(name);
      }
      return value;
    }

    @Override
    public String toString() {
      return String.join(".", names);
    }
  }
}
