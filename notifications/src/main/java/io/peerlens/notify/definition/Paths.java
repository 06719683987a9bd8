package io.peerlens.notify.definition;

import io.peerlens.web.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Paths into contexts: {@code object.tags.env}, {@code object.tags["app name"]}. */
public final class Paths {

  private static final Pattern PATH =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*(\\.[A-Za-z_][A-Za-z0-9_-]*|\\[\"[^\"]+\"])*");

  private static final Pattern STEP = Pattern.compile("([A-Za-z_][A-Za-z0-9_-]*)|\\[\"([^\"]+)\"]");

  private Paths() {}

  /**
   * The names of a path, from the outside in.
   *
   * @param field of the request
   * @throws ApiException if it is no path
   */
  public static List<String> names(String field, String path) {
    if (!PATH.matcher(path).matches()) {
      throw ApiException.invalidField(field, "\"" + path + "\" is no path")
          .hint("Give it as object.tags.env, or object.tags[\"app name\"].");
    }
    List<String> names = new ArrayList<>();
    Matcher step = STEP.matcher(path);
    while (step.find()) {
      names.add(step.group(1) != null ? step.group(1) : step.group(2));
    }
    return names;
  }
}
