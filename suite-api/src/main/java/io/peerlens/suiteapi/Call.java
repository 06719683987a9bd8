package io.peerlens.suiteapi;

import io.peerlens.security.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request that is being answered.
 *
 * @param path without {@code /suite-api}
 * @param variables of the path, by name
 * @param body null = it has none
 * @param sender null = nobody had to say who it is
 */
record Call(
    HttpServletRequest request,
    String path,
    Map<String, String> variables,
    Query parameters,
    @Nullable JsonNode body,
    @Nullable Caller sender) {

  private static final int USUAL_PAGE_SIZE = 1000;
  private static final int MOST_PAGE_SIZE = 10_000;

  String variable(String name) {
    String value = variables.get(name);
    if (value == null) {
      throw new IllegalStateException("The path has no " + name);
    }
    return value;
  }

  /** The id in the path. What is no UUID is the id of nothing. */
  UUID id(String what) {
    String text = variable("id");
    try {
      return Given.uuid("id", text);
    } catch (SuiteException e) {
      throw SuiteException.notFound(what, text);
    }
  }

  Given query() {
    return Given.of(parameters);
  }

  /** The body, which has to be an object. */
  Given json() {
    JsonNode json = body;
    if (json == null || !json.isObject()) {
      throw SuiteException.of(400, "The body is missing: a JSON object is expected.");
    }
    return Given.of(json, "");
  }

  Caller caller() {
    Caller known = sender;
    if (known == null) {
      throw new IllegalStateException("Nobody is known for " + path);
    }
    return known;
  }

  /**
   * A page that is asked for.
   *
   * @param number from 0
   */
  record Page(int number, int size, boolean links) {

    long offset() {
      return (long) number * size;
    }

    /** The part of a list that lies in it. */
    <T> List<T> of(List<T> all) {
      int from = (int) Math.min(offset(), all.size());
      return all.subList(from, Math.min(from + size, all.size()));
    }
  }

  Page page() {
    Given query = query();
    return new Page(
        (int) query.whole("page", 0, 0, Integer.MAX_VALUE),
        (int) Math.min(MOST_PAGE_SIZE, query.whole("pageSize", USUAL_PAGE_SIZE, 1, 1_000_000)),
        !query.flag("_no_links", false));
  }

  static Map<String, Object> pageInfo(Page page, long total) {
    return Json.object("totalCount", total, "page", page.number(), "pageSize", page.size());
  }

  /** Links of a page to itself and to others; null = they are not wanted. */
  @Nullable List<Object> links(Page page, long total) {
    if (!page.links()) {
      return null;
    }
    long last = Math.max(0, (total - 1) / page.size());
    List<Object> links = new ArrayList<>();
    links.add(link("SELF", page.number(), page.size()));
    links.add(link("RELATED", page.number(), page.size()));
    links.add(link("START", 0, page.size()));
    links.add(link("END", last, page.size()));
    if (page.number() < last) {
      links.add(link("NEXT", page.number() + 1L, page.size()));
    }
    if (page.number() > 0) {
      links.add(link("PREVIOUS", page.number() - 1L, page.size()));
    }
    return links;
  }

  private Object link(String rel, long number, int size) {
    String name =
        switch (rel) {
          case "SELF", "RELATED" -> rel.equals("SELF") ? "linkToSelf" : "related";
          case "START" -> "first";
          case "END" -> "last";
          default -> rel.equals("NEXT") ? "next" : "previous";
        };
    return Json.object(
        "href",
        "/suite-api" + path + "?page=" + number + "&pageSize=" + size,
        "rel",
        rel,
        "name",
        name);
  }
}
