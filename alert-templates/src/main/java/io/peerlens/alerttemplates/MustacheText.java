package io.peerlens.alerttemplates;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.MustacheException;
import com.samskivert.mustache.Template;
import io.peerlens.alerttemplates.TemplateNode.Part;
import java.io.Writer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A text with sections: Mustache, which has no logic beyond "for each" and "if there is one", and
 * <code>${path | filter}</code> beside it. Values are escaped as the surroundings want it.
 *
 * <p>Variables are members of JSON and nothing else: there are no methods, no partials, no files.
 * Values are never read as a template.
 */
final class MustacheText {

  /** Stands before the number of a placeholder that has become a variable. */
  private static final char NUMBERED = '\uE002';

  private static final Pattern TAG = Pattern.compile("\\{\\{([#^/&{!><$=]?)([^}]*)}}}?");
  private static final Object MISSING = Template.NO_FETCHER_FOUND;

  private final String place;
  private final Template template;

  private MustacheText(String place, Template template) {
    this.place = place;
    this.template = template;
  }

  /**
   * Reads a text.
   *
   * @param parts plain text and placeholders in turn
   * @param escape what is done to values
   * @param raw whether a tag may ask for a value as it is
   * @param path told each path that a variable may stand for
   */
  static MustacheText parse(
      String place,
      List<Part> parts,
      UnaryOperator<String> escape,
      boolean raw,
      Consumer<List<String>> path) {
    StringBuilder text = new StringBuilder();
    List<Part> placeholders = new ArrayList<>();
    for (Part part : parts) {
      switch (part) {
        case TemplateNode.Plain plain ->
            text.append(plain.text().replace(String.valueOf(NUMBERED), ""));
        case Placeholder _, TemplateNode.SecretOf _ -> {
          text.append("{{").append(NUMBERED).append(placeholders.size()).append("}}");
          placeholders.add(part);
        }
      }
    }
    check(place, text.toString(), raw, path);
    try {
      Template template =
          Mustache.compiler()
              .withCollector(new Members(List.copyOf(placeholders)))
              .withEscaper(escape::apply)
              .withFormatter(String::valueOf)
              .withLoader(
                  name -> {
                    throw new MustacheException("there are no partials");
                  })
              .emptyStringIsFalse(true)
              .defaultValue("")
              .compile(text.toString());
      return new MustacheText(place, template);
    } catch (MustacheException e) {
      throw new TemplateException(place, "is no valid Mustache: " + e.getMessage(), e);
    }
  }

  String render(Rendering rendering) {
    Bounded out = new Bounded(rendering);
    try {
      template.execute(rendering, out);
    } catch (MustacheException e) {
      throw e.getCause() instanceof TemplateException cause
          ? cause
          : new TemplateException(place, String.valueOf(e.getMessage()), e);
    } catch (TemplateException e) {
      throw e.mistakes().getFirst().place().isEmpty()
          ? new TemplateException(place, e.mistakes().getFirst().message(), e)
          : e;
    }
    return out.text.toString();
  }

  /** Refuses tags that do more than put a value in, and tells what the others name. */
  private static void check(String place, String text, boolean raw, Consumer<List<String>> path) {
    Deque<List<String>> sections = new ArrayDeque<>();
    Matcher tag = TAG.matcher(text);
    while (tag.find()) {
      String name = tag.group(2).strip();
      switch (tag.group(1)) {
        case "!" -> {}
        case "/" -> sections.pollLast();
        case "#", "^" -> {
          List<String> named = name(name, sections, path);
          sections.addLast(tag.group(1).equals("#") ? named : List.of());
          if (sections.size() > Rendering.MAX_DEPTH) {
            throw new TemplateException(
                place, "has sections more than " + Rendering.MAX_DEPTH + " levels deep");
          }
        }
        case "" -> name(name, sections, path);
        case "&", "{" -> {
          if (!raw) {
            throw new TemplateException(
                place,
                tag.group()
                    + " would put a value in as markup, so that an alert's name could change the"
                    + " message; write {{"
                    + name
                    + "}}");
          }
          name(name, sections, path);
        }
        default ->
            throw new TemplateException(
                place,
                tag.group()
                    + " is not possible: templates are whole, without partials, blocks and other"
                    + " delimiters");
      }
    }
  }

  /** A name is looked for in the innermost section first, then outwards. */
  private static List<String> name(
      String name, Deque<List<String>> sections, Consumer<List<String>> path) {
    if (name.startsWith(String.valueOf(NUMBERED)) || name.startsWith("-")) {
      return List.of();
    }
    List<String> names =
        name.equals(".") || name.equals("this") ? List.of() : List.of(name.split("\\."));
    for (List<String> section : sections) {
      if (!section.isEmpty()) {
        path.accept(below(section, names));
      }
    }
    if (names.isEmpty()) {
      return List.of();
    }
    path.accept(names);
    List<String> innermost = sections.isEmpty() ? List.of() : sections.peekLast();
    return innermost.isEmpty() || Condition.NAMES.contains(names.getFirst())
        ? names
        : below(innermost, names);
  }

  private static List<String> below(List<String> section, List<String> names) {
    List<String> path = new ArrayList<>(section);
    path.add("*");
    path.addAll(names);
    return path;
  }

  /** Members of JSON, and the placeholders. */
  private record Members(List<Part> placeholders) implements Mustache.Collector {

    @Override
    public @Nullable Iterator<?> toIterator(@Nullable Object value) {
      if (value instanceof List<?> nothing) {
        return nothing.iterator(); // what the library takes for a section that is not there
      }
      if (!(value instanceof Elements elements)) {
        return null;
      }
      Iterator<JsonNode> nodes = elements.array().iterator();
      return new Iterator<Object>() {
        @Override
        public boolean hasNext() {
          return nodes.hasNext();
        }

        @Override
        public Object next() {
          elements.rendering().count(0);
          Object value = value(nodes.next(), elements.rendering());
          return value == null ? "" : value;
        }
      };
    }

    @Override
    public Mustache.VariableFetcher createFetcher(Object context, String name) {
      if (name.equals(".") || name.equals("this")) {
        return (of, n) -> of;
      }
      if (context instanceof Rendering) {
        if (name.charAt(0) == NUMBERED) {
          Part placeholder = placeholders.get(Integer.parseInt(name.substring(1)));
          return (of, n) -> placeholder.text((Rendering) of);
        }
        Path path = new Path(List.of(name));
        return (of, n) -> {
          Rendering rendering = (Rendering) of;
          JsonNode value = rendering.value(path);
          return value.isMissingNode() ? MISSING : value(value, rendering);
        };
      }
      return (of, n) -> {
        if (!(of instanceof Members.Fields fields)) {
          return MISSING;
        }
        fields.rendering().count(0);
        JsonNode value = Path.member(fields.object(), n);
        return value.isMissingNode() ? MISSING : value(value, fields.rendering());
      };
    }

    @Override
    public <K, V> Map<K, V> createFetcherCache() {
      return new ConcurrentHashMap<>();
    }

    /** An array on its way through the library. */
    private record Elements(ArrayNode array, Rendering rendering) {
      @Override
      public String toString() {
        return rendering.outside(array).toString();
      }
    }

    /** An object on its way through the library. */
    private record Fields(ObjectNode object, Rendering rendering) {
      @Override
      public String toString() {
        return rendering.outside(object).toString();
      }
    }

    private static @Nullable Object value(JsonNode node, Rendering rendering) {
      return switch (node) {
        case ArrayNode array -> new Elements(array, rendering);
        case ObjectNode object -> new Fields(object, rendering);
        case JsonNode bool when bool.isBoolean() -> bool.booleanValue();
        case JsonNode nothing when nothing.isNull() || nothing.isMissingNode() -> null;
        default -> Placeholder.text(rendering.outside(node));
      };
    }
  }

  /** Takes no more than a rendering may have. */
  private static final class Bounded extends Writer {

    private final Rendering rendering;
    private final StringBuilder text = new StringBuilder();

    Bounded(Rendering rendering) {
      this.rendering = rendering;
    }

    @Override
    public void write(char[] characters, int from, int length) {
      rendering.count(length);
      text.append(characters, from, length);
    }

    @Override
    public void write(String characters) {
      rendering.count(characters.length());
      text.append(characters);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
