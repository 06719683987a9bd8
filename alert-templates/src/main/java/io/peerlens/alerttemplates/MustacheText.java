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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Text with sections: Mustache, which has no logic beyond "for each" and "if there is one", and
 * <code>${path | filter}</code> beside it. Values are escaped as the surroundings want it.
 *
 * <p>Variables are members of JSON and nothing else: there are no methods, no partials, no files.
 * Values are never read as a template.
 */
final class MustacheText {

  /** Stands before the number of a placeholder that has become a variable. */
  private static final char NUMBERED = '\uE002';

  private static final String SIGILS = "!/#^&{><$=";
  private static final int LONGEST_TAG = 500;

  /** Members that are objects: a section there is no loop. */
  private static final Set<String> OBJECTS =
      Set.of(
          "alert",
          "object",
          "rule",
          "target",
          "previous",
          "vars",
          "group",
          "report",
          "externalIds",
          "tags",
          "properties",
          "metrics",
          "superMetrics",
          "ancestors");

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
    for (int at = text.indexOf("{{"); at >= 0; ) {
      int end = text.indexOf("}}", at);
      if (end < 0 || end - at > LONGEST_TAG) {
        throw new TemplateException(
            place,
            "'"
                + Filters.cut(text.substring(at), 40)
                + "' is never closed, or longer than a tag may be; with mustache: false braces mean"
                + " nothing");
      }
      String inner = text.substring(at + 2, end);
      String tag = text.substring(at, end) + "}}";
      char sigil = inner.isEmpty() ? ' ' : inner.charAt(0);
      String name = (SIGILS.indexOf(sigil) < 0 ? inner : inner.substring(1)).strip();
      switch (sigil) {
        case '!' -> {}
        case '/' -> sections.pollLast();
        case '#', '^' -> {
          List<String> named = name(name, true, sections, path);
          sections.addLast(sigil == '#' ? named : List.of());
          if (sections.size() > Rendering.MAX_DEPTH) {
            throw new TemplateException(
                place, "has sections more than " + Rendering.MAX_DEPTH + " levels deep");
          }
        }
        case '&', '{' -> {
          if (!raw) {
            throw new TemplateException(
                place,
                tag
                    + " would put a value in as markup, so that an alert's name could change the"
                    + " message; write {{"
                    + name
                    + "}}");
          }
          name(name, false, sections, path);
        }
        case '>', '<', '$', '=' ->
            throw new TemplateException(
                place,
                tag
                    + " is not possible: templates are whole, without partials, blocks and other"
                    + " delimiters");
        default -> name(name, false, sections, path);
      }
      at = text.indexOf("{{", end + 2);
    }
  }

  /**
   * Tells what a name may stand for: it is looked for in the innermost section first, then
   * outwards.
   *
   * @return the likeliest, as a path; empty = none
   */
  private static List<String> name(
      String name, boolean section, Deque<List<String>> sections, Consumer<List<String>> path) {
    if (name.startsWith(String.valueOf(NUMBERED)) || name.startsWith("-")) {
      return List.of();
    }
    List<String> names =
        name.equals(".") || name.equals("this") ? List.of() : List.of(name.split("\\."));
    List<List<String>> candidates = new ArrayList<>();
    sections.descendingIterator().forEachRemaining(outer -> candidates.add(below(outer, names)));
    candidates.add(names);
    candidates.removeIf(List::isEmpty);
    for (List<String> candidate : candidates) {
      if (!section || !isContext(candidate)) {
        path.accept(candidate);
      }
    }
    boolean outermost = names.isEmpty() || Condition.NAMES.contains(names.getFirst());
    return outermost || candidates.isEmpty() ? names : candidates.getFirst();
  }

  /** Whether a section at a path only says where names are looked for, and uses nothing itself. */
  private static boolean isContext(List<String> path) {
    return isObject(path) || path.equals(List.of("group", "alerts"));
  }

  private static boolean isObject(List<String> path) {
    return OBJECTS.contains(path.getLast())
        || (path.size() > 1 && path.get(path.size() - 2).equals("ancestors"));
  }

  private static List<String> below(List<String> section, List<String> names) {
    if (section.isEmpty()) {
      return List.of();
    }
    List<String> path = new ArrayList<>(section);
    if (!isObject(section)) {
      path.add("*");
    }
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

  /** Writer that refuses more than a rendering may have. */
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
