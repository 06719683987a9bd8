package io.peerlens.alerttemplates;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Node of a body: what {@link TemplateParser} made of it. */
sealed interface TemplateNode {

  JsonNodeFactory MAKE = JsonNodeFactory.instance;

  /** The value for this place; null = leave the place out. */
  @Nullable JsonNode render(Rendering rendering);

  /** A value that stands in the template as it is. */
  record Literal(JsonNode value) implements TemplateNode {
    @Override
    public JsonNode render(Rendering rendering) {
      rendering.count(value.isString() ? value.stringValue().length() : 1);
      return value;
    }
  }

  /** A text that is one placeholder and nothing else: the value keeps its type. */
  record Value(Placeholder placeholder) implements TemplateNode {
    @Override
    public JsonNode render(Rendering rendering) {
      JsonNode value = placeholder.resolve(rendering);
      return value.isMissingNode() ? Rendering.NULL : value;
    }
  }

  /** A text with placeholders in it. */
  record Text(List<Part> parts) implements TemplateNode {
    @Override
    public JsonNode render(Rendering rendering) {
      StringBuilder text = new StringBuilder();
      for (Part part : parts) {
        text.append(part.text(rendering));
      }
      return MAKE.stringNode(text.toString());
    }
  }

  /** A piece of a text. */
  sealed interface Part permits Plain, Placeholder, SecretOf {
    String text(Rendering rendering);
  }

  /** Characters as they are; also the mark of a secret. */
  record Plain(String text) implements Part {
    @Override
    public String text(Rendering rendering) {
      rendering.count(text.length());
      return text;
    }
  }

  /** A secret whose name the rule gives. */
  record SecretOf(String place, Path path) implements Part {
    @Override
    public String text(Rendering rendering) {
      String name = Placeholder.text(rendering.value(path));
      if (!SecretMarks.NAME.matcher(name).matches()) {
        throw new TemplateException(
            place,
            path
                + " is '"
                + Filters.cut(name, 60)
                + "', which is no name of a secret; the rule gives it");
      }
      return SecretMarks.mark(name);
    }
  }

  /** {@code $text}: a text with sections, see {@link MustacheText}. */
  record Sections(MustacheText text, int max) implements TemplateNode {
    @Override
    public JsonNode render(Rendering rendering) {
      return MAKE.stringNode(Filters.cut(text.render(rendering), max));
    }
  }

  /** A text whose values are escaped as its surroundings want it. */
  record Escaped(List<Part> parts, UnaryOperator<String> escape) implements TemplateNode {
    @Override
    public JsonNode render(Rendering rendering) {
      StringBuilder text = new StringBuilder();
      for (Part part : parts) {
        String piece = part.text(rendering);
        text.append(part instanceof Placeholder ? escape.apply(piece) : piece);
      }
      rendering.count(text.length());
      return MAKE.stringNode(text.toString());
    }
  }

  /** A path of a URL: no value can add a step, a query or a host to it. */
  record UrlPath(String place, List<Part> parts) implements TemplateNode {
    @Override
    public JsonNode render(Rendering rendering) {
      StringBuilder path = new StringBuilder();
      for (Part part : parts) {
        String piece = part.text(rendering);
        if (part instanceof Placeholder placeholder) {
          boolean query = path.indexOf("?") >= 0;
          if (!query && (piece.isEmpty() || piece.equals(".") || piece.equals(".."))) {
            throw new TemplateException(
                place,
                "${"
                    + placeholder.path()
                    + "} is '"
                    + piece
                    + "', which would lead to another path; choose the path by $if or $switch, or"
                    + " give a default");
          }
          piece = Filters.percent(piece);
        }
        path.append(piece);
      }
      rendering.count(path.length());
      return MAKE.stringNode(path.toString());
    }
  }

  record Items(List<TemplateNode> items) implements TemplateNode {
    @Override
    public JsonNode render(Rendering rendering) {
      rendering.count(2);
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
      ObjectNode object = MAKE.objectNode();
      for (Map.Entry<String, TemplateNode> member : members.entrySet()) {
        rendering.count(member.getKey().length());
        JsonNode value = member.getValue().render(rendering);
        if (value != null) {
          object.set(member.getKey(), value);
        }
      }
      return object;
    }
  }

  /** {@code $each}: one element for each element of an array or each member of an object. */
  record Each(String place, Path path, String as, TemplateNode body) implements TemplateNode {
    @Override
    public JsonNode render(Rendering rendering) {
      JsonNode elements = rendering.value(path);
      ArrayNode array = MAKE.arrayNode();
      if (elements.isObject()) {
        for (Map.Entry<String, JsonNode> member : elements.properties()) {
          ObjectNode entry = MAKE.objectNode().put("name", member.getKey());
          add(array, rendering, entry.set("value", member.getValue()));
        }
        return array;
      }
      if (!elements.isArray() && !elements.isNull() && !elements.isMissingNode()) {
        throw new TemplateException(
            place, path + " is neither an array nor an object here, but " + elements.getNodeType());
      }
      for (JsonNode element : elements) {
        add(array, rendering, element);
      }
      return array;
    }

    private void add(ArrayNode array, Rendering rendering, JsonNode element) {
      JsonNode value = rendering.with(as, element, body);
      if (value != null) {
        array.add(value);
      }
    }
  }

  /** {@code $switch}: the case that a value names. */
  record Choice(Path path, Map<String, TemplateNode> cases, @Nullable TemplateNode otherwise)
      implements TemplateNode {
    @Override
    public @Nullable JsonNode render(Rendering rendering) {
      TemplateNode chosen = cases.get(Placeholder.text(rendering.value(path)));
      chosen = chosen == null ? otherwise : chosen;
      return chosen == null ? null : chosen.render(rendering);
    }
  }

  /** {@code $if}: one of two nodes, or nothing. */
  record If(Condition condition, TemplateNode then, @Nullable TemplateNode otherwise)
      implements TemplateNode {
    @Override
    public @Nullable JsonNode render(Rendering rendering) {
      rendering.count(0);
      if (condition.test(rendering.context())) {
        return then.render(rendering);
      }
      return otherwise == null ? null : otherwise.render(rendering);
    }
  }

  /** {@code $json}: a tree as the text of its JSON. */
  record Stringified(TemplateNode tree) implements TemplateNode {
    @Override
    public @Nullable JsonNode render(Rendering rendering) {
      JsonNode value = tree.render(rendering);
      if (value == null) {
        return null;
      }
      String text = value.toString();
      rendering.count(text.length());
      return MAKE.stringNode(text);
    }
  }
}
