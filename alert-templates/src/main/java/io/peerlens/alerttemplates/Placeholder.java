package io.peerlens.alerttemplates;

import io.peerlens.alerttemplates.TemplateNode.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** What stands between <code>${</code> and <code>}</code>: a path and the filters behind it. */
record Placeholder(Path path, List<Filter> filters) {

  JsonNode resolve(Rendering rendering) {
    JsonNode value = path.resolve(rendering);
    for (Filter filter : filters) {
      try {
        value = filter.apply(value);
      } catch (TemplateException e) {
        throw new TemplateException("${" + path + "}: " + e.getMessage(), e);
      }
    }
    return value;
  }

  /** A value within a text: nothing for null, JSON for arrays and objects. */
  static String text(JsonNode value) {
    if (value.isNull() || value.isMissingNode()) {
      return "";
    }
    return value.isString() ? value.stringValue() : value.toString();
  }

  sealed interface Filter {

    JsonNode apply(JsonNode value);

    record Iso8601() implements Filter {
      @Override
      public JsonNode apply(JsonNode value) {
        if (value.isNull() || value.isMissingNode()) {
          return value;
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
          throw new TemplateException(
              "iso8601 needs milliseconds since 1970 as a whole number, not " + value);
        }
        try {
          return string(Instant.ofEpochMilli(value.longValue()).toString());
        } catch (DateTimeException e) {
          throw new TemplateException("iso8601: " + value + " is outside of all calendars", e);
        }
      }
    }

    record Case(boolean upper) implements Filter {
      @Override
      public JsonNode apply(JsonNode value) {
        return string(
            upper ? text(value).toUpperCase(Locale.ROOT) : text(value).toLowerCase(Locale.ROOT));
      }
    }

    record Truncate(int characters) implements Filter {
      @Override
      public JsonNode apply(JsonNode value) {
        String text = text(value);
        if (text.codePointCount(0, text.length()) <= characters) {
          return string(text);
        }
        return string(text.substring(0, text.offsetByCodePoints(0, characters - 1)) + "…");
      }
    }

    record Default(String instead) implements Filter {
      @Override
      public JsonNode apply(JsonNode value) {
        return text(value).isEmpty() ? string(instead) : value;
      }
    }
  }

  private static JsonNode string(String text) {
    return JsonNodeFactory.instance.stringNode(text);
  }
}
