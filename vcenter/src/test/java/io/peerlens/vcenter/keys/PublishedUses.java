package io.peerlens.vcenter.keys;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Uses of metric and property keys in published dashboards and views, in ZIP files within ZIP files
 * and bare. A dashboard or view that is published several times counts once, by its id.
 */
final class PublishedUses {

  private static final int MAX_DEPTH = 6;
  private static final JsonMapper JSON = JsonMapper.shared();

  /** The kind in ids such as {@code 002006VMWAREHostSystem}: lengths before the parts. */
  private static final Pattern KIND = Pattern.compile("(?:004null)?00[02](\\d{3})(.+)");

  private static final Pattern FILTER_KEY = Pattern.compile("\"metricKey\":\"([^\"]+)\"");

  /** Columns of views that are no keys: the name of an instance, and the pieces of a time range. */
  private static final Set<String> NO_KEYS = Set.of("Instance Name", "Interval Breakdown");

  private static final Pattern INSTANCE = Pattern.compile(":[^|]*(?=\\|)");

  /**
   * A use of a key.
   *
   * @param key without instances
   * @param instance empty = none was written
   * @param owner dashboard or view
   */
  record Use(String adapter, String kind, String key, String instance, String owner, String file) {

    boolean isTotal() {
      return instance.equals("Aggregate of all instances");
    }
  }

  /** A dashboard with its own uses and the views that it shows. */
  record Dashboard(String id, String name, List<Use> own, Set<String> views) {}

  final Map<String, Dashboard> dashboards = new LinkedHashMap<>();
  final Map<String, List<Use>> views = new LinkedHashMap<>();

  /** Ids of super metrics whose formula is published, too. */
  final Set<String> superMetrics = new HashSet<>();

  int files;

  PublishedUses(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        files++;
        read(folder.relativize(file).toString(), Files.readAllBytes(file), 0);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A key without its instances: {@code net|usage_average} of {@code net:4000|usage_average}. */
  static String plain(String key) {
    return INSTANCE.matcher(key).replaceAll("");
  }

  private void read(String name, byte[] bytes, int depth) throws IOException {
    if (depth > MAX_DEPTH || bytes.length < 4) {
      return;
    }
    if (bytes[0] == 'P' && bytes[1] == 'K') {
      try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
          if (!entry.isDirectory()) {
            read(name + "!" + entry.getName(), zip.readAllBytes(), depth + 1);
          }
        }
      }
      return;
    }
    int start = 0;
    while (start < bytes.length && (bytes[start] <= ' ')) {
      start++; // white space, and a byte order mark
    }
    if (start < bytes.length && (bytes[start] == '{' || bytes[start] == '[')) {
      try {
        json(name, JSON.readTree(bytes, start, bytes.length - start));
      } catch (JacksonException e) {
        // Not every file with a brace is JSON.
      }
    } else if (start < bytes.length && bytes[start] == '<') {
      xml(name, bytes);
    }
  }

  private void json(String file, JsonNode root) {
    superMetrics(root, "");
    List<JsonNode> all = new ArrayList<>();
    if (root.path("dashboards").isArray()) {
      root.path("dashboards").forEach(all::add);
    } else if (root.path("widgets").isArray()) {
      all.add(root);
    }
    Map<String, String[]> kinds = new HashMap<>();
    for (JsonNode kind : root.path("entries").path("resourceKind")) {
      kinds.put(
          kind.path("internalId").asString(""),
          new String[] {
            kind.path("adapterKindKey").asString(""), kind.path("resourceKindKey").asString("")
          });
    }
    for (JsonNode dashboard : all) {
      String id = dashboard.path("id").asString(dashboard.path("name").asString(""));
      if (dashboards.containsKey(id)) {
        continue;
      }
      Dashboard read =
          new Dashboard(
              id, dashboard.path("name").asString(""), new ArrayList<>(), new LinkedHashSet<>());
      dashboards.put(id, read);
      for (JsonNode widget : dashboard.path("widgets")) {
        String view = widget.path("config").path("viewDefinitionId").asString("");
        if (widget.path("type").asString("").equals("View") && !view.isEmpty()) {
          read.views.add(view);
        }
        uses(widget.path("config"), null, kinds, read, file);
      }
    }
  }

  private void superMetrics(JsonNode node, String name) {
    if (node.isObject()) {
      if (node.path("formula").isString()) {
        superMetrics.add(name);
        superMetrics.add(node.path("id").asString(name));
      }
      node.properties().forEach(member -> superMetrics(member.getValue(), member.getKey()));
    } else if (node.isArray()) {
      node.forEach(element -> superMetrics(element, name));
    }
  }

  private static void uses(
      JsonNode node,
      String @Nullable [] kind,
      Map<String, String[]> kinds,
      Dashboard dashboard,
      String file) {
    String[] here = kind;
    if (node.isObject()) {
      for (String member : List.of("resourceKindId", "resourceKind")) {
        JsonNode value = node.path(member);
        String id =
            value.isArray() && !value.isEmpty()
                ? value.get(0).path("id").asString("")
                : value.asString("");
        String[] found = kinds.getOrDefault(id, kindOf(id));
        here = found == null ? here : found;
      }
      String key = node.path("metricKey").asString("");
      if (!key.isEmpty()) {
        dashboard.own.add(use(here, key, dashboard.id, file));
      }
      String[] inner = here;
      node.properties().forEach(m -> uses(m.getValue(), inner, kinds, dashboard, file));
    } else if (node.isArray()) {
      node.forEach(element -> uses(element, kind, kinds, dashboard, file));
    }
  }

  private static String @Nullable [] kindOf(String id) {
    Matcher matcher = KIND.matcher(id);
    if (!matcher.matches()) {
      return null;
    }
    int length = Integer.parseInt(matcher.group(1));
    String rest = matcher.group(2);
    return length == 0 || length >= rest.length()
        ? null
        : new String[] {rest.substring(0, length), rest.substring(length)};
  }

  private static Use use(String @Nullable [] kind, String key, String owner, String file) {
    Matcher instance = INSTANCE.matcher(key);
    String written = instance.find() ? instance.group().substring(1) : "";
    return new Use(
        kind == null ? "" : kind[0], kind == null ? "" : kind[1], plain(key), written, owner, file);
  }

  private void xml(String file, byte[] bytes) {
    Document document;
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      DocumentBuilder builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null); // it would print what is wrong with files that are no XML
      document = builder.parse(new ByteArrayInputStream(bytes));
    } catch (Exception e) {
      return; // not every file with a bracket is XML
    }
    for (Element view : elements(document.getDocumentElement(), "ViewDef")) {
      String id = view.getAttribute("id");
      if (!views.containsKey(id)) {
        views.put(id, ofView(view, id, file));
      }
    }
  }

  private static List<Use> ofView(Element view, String id, String file) {
    List<Use> uses = new ArrayList<>();
    List<Element> subjects = elements(view, "SubjectType");
    String[] subject =
        subjects.isEmpty()
            ? null
            : new String[] {
              subjects.getFirst().getAttribute("adapterKind"),
              subjects.getFirst().getAttribute("resourceKind")
            };
    for (Element value : elements(view, "Value")) {
      Map<String, String> properties = new HashMap<>();
      for (Element property : elements(value, "Property")) {
        if (property.getParentNode() == value) {
          properties.put(property.getAttribute("name"), property.getAttribute("value"));
        }
      }
      String key = properties.getOrDefault("attributeKey", "");
      String kind = properties.getOrDefault("resourceKind", "");
      if (!key.isEmpty() && !NO_KEYS.contains(key)) {
        uses.add(
            use(
                kind.isEmpty()
                    ? subject
                    : new String[] {properties.getOrDefault("adapterKind", ""), kind},
                key,
                id,
                file));
      }
    }
    for (Element of : subjects) {
      Matcher keys = FILTER_KEY.matcher(of.getAttribute("filter"));
      while (keys.find()) {
        uses.add(
            use(
                new String[] {of.getAttribute("adapterKind"), of.getAttribute("resourceKind")},
                keys.group(1),
                id,
                file));
      }
    }
    return uses;
  }

  private static List<Element> elements(Element within, String name) {
    NodeList nodes = within.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  /** Whether a use is of a super metric whose formula is published. */
  boolean isSuperMetric(Use use) {
    String begin = "Super Metric|sm_";
    return use.key().startsWith(begin)
        && superMetrics.contains(use.key().substring(begin.length()));
  }

  /** Every use, in dashboards and in views. */
  List<Use> all() {
    List<Use> all = new ArrayList<>();
    dashboards.values().forEach(dashboard -> all.addAll(dashboard.own));
    views.values().forEach(all::addAll);
    return all;
  }

  /**
   * The uses of a dashboard, with those of the views that it shows, as far as they are published.
   */
  List<Use> of(Dashboard dashboard) {
    List<Use> uses = new ArrayList<>(dashboard.own);
    dashboard.views.forEach(view -> uses.addAll(views.getOrDefault(view, List.of())));
    return uses;
  }
}
