package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.Archive.Budget;
import io.peerlens.dashboard.vrops.Archive.Entry;
import io.peerlens.dashboard.vrops.Archive.TooMuchException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * What a file holds: dashboards, views, reports and super metrics, found by content in any nesting
 * of ZIPs and under any name. A part that cannot be read becomes a problem, and the rest is read.
 */
final class Documents {

  static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(200)
                          .maxNumberLength(400)
                          .maxNameLength(20_000)
                          .maxStringLength(ImportLimits.DEFAULT.entryBytes())
                          .build())
                  .build())
          .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build();

  private static final int SEARCH_DEPTH = 4;
  private static final int SEARCH_WIDTH = 5000;

  /** A part that could not be read. */
  record Problem(String path, String text) {}

  /** A dashboard with the entries that its ids stand in. */
  record FoundDashboard(String path, JsonNode dashboard, Kinds kinds) {}

  /** A definition of a view or report. */
  record FoundXml(String path, Xml definition) {}

  final List<Problem> problems = new ArrayList<>();
  int problemsLeftOut;
  final List<FoundDashboard> dashboards = new ArrayList<>();
  final List<FoundXml> views = new ArrayList<>();
  final List<FoundXml> reports = new ArrayList<>();
  final Map<String, JsonNode> superMetrics = new LinkedHashMap<>();

  /** Definitions of groups by name. */
  final Map<String, JsonNode> groups = new LinkedHashMap<>();

  /** Metric configurations, which widgets name in place of metrics, by their file names. */
  final Map<String, Xml> metricLists = new HashMap<>();

  /** Translations of titles, in the language without a name or in English. */
  final Map<String, String> translations = new HashMap<>();

  private final ImportLimits limits;
  private final Budget budget;

  private Documents(ImportLimits limits) {
    this.limits = limits;
    this.budget = new Budget(limits);
  }

  static Documents read(String name, byte[] content, ImportLimits limits) {
    Documents documents = new Documents(limits);
    String file = Names.line(name, "file");
    if (content.length > limits.fileBytes()) {
      documents.problem(
          file,
          String.format(
              Locale.ROOT,
              "the file has %,d bytes, %,d are allowed. Import it in parts",
              content.length,
              limits.fileBytes()));
      return documents;
    }
    try {
      documents.document(file, content, 0);
    } catch (TooMuchException e) {
      documents.problem(file, e.text());
    }
    if (documents.isEmpty() && documents.problems.isEmpty()) {
      documents.problem(
          file,
          "no dashboard, view, report or super metric is in it. Take what Dashboards > Export,"
              + " Views > Export or content management of vRealize or VCF Operations wrote, or a"
              + " ZIP of such files");
    }
    return documents;
  }

  private boolean isEmpty() {
    return dashboards.isEmpty() && views.isEmpty() && reports.isEmpty() && superMetrics.isEmpty();
  }

  private void problem(String path, String text) {
    if (problems.size() < limits.problems()) {
      problems.add(new Problem(path, text));
    } else {
      problemsLeftOut++;
    }
  }

  private enum Type {
    ZIP,
    JSON,
    XML,
    PROPERTIES,
    OTHER
  }

  private static Type type(String name, byte[] start) {
    if (Archive.isZip(start)) {
      return Type.ZIP;
    }
    if (name.endsWith(".properties")) {
      return Type.PROPERTIES;
    }
    int i = 0;
    boolean mark = start.length > 1 && (start[0] & 0xff) >= 0xef;
    while (i < start.length
        && (start[i] == 0 && (mark || i < 4)
            || start[i] == ' '
            || start[i] == '\n'
            || start[i] == '\r'
            || start[i] == '\t'
            || i < 3 && (start[i] & 0xff) >= 0xbb)) {
      i++;
    }
    if (i >= start.length) {
      return Type.OTHER;
    }
    return switch (start[i]) {
      case '{', '[' -> Type.JSON;
      case '<' -> beginsElement(start, i + 1) ? Type.XML : Type.OTHER;
      default -> Type.OTHER;
    };
  }

  /** Whether a name, a question mark or an exclamation mark follows: scripts begin otherwise. */
  private static boolean beginsElement(byte[] start, int at) {
    int i = at;
    while (i < start.length && start[i] == 0) {
      i++;
    }
    return i < start.length
        && (Character.isLetter(start[i]) || start[i] == '?' || start[i] == '!' || start[i] == '_');
  }

  private void document(String path, byte[] content, int depth) {
    switch (type(path, content)) {
      case ZIP -> zip(path, content, depth);
      case JSON -> json(path, content);
      case XML -> xml(path, content);
      case PROPERTIES -> properties(path, content);
      case OTHER -> {
        if (depth == 0) {
          problem(
              path,
              "it is neither a ZIP nor JSON nor XML. Take a file that vRealize or VCF Operations"
                  + " exported");
        }
      }
    }
  }

  private void zip(String path, byte[] content, int depth) {
    if (depth >= limits.depth()) {
      problem(
          path,
          "ZIPs lie more than " + limits.depth() + " deep in each other. Import the inner one");
      return;
    }
    List<Entry> entries =
        new Archive(content, budget).entries((name, start) -> type(name, start) != Type.OTHER);
    if (entries.isEmpty() && depth == 0) {
      problem(path, "the ZIP has nothing in it that can be read. Export it again");
    }
    for (Entry entry : entries) {
      String inner = Names.cut(path + "!/" + Names.line(entry.name(), "entry"), 1000);
      switch (entry) {
        case Entry.Content it -> document(inner, it.bytes(), depth + 1);
        case Entry.Unread it -> problem(inner, it.text());
      }
    }
  }

  // --- JSON ---

  private void json(String path, byte[] content) {
    JsonNode root;
    try {
      root = MAPPER.readTree(content);
    } catch (JacksonException | StackOverflowError first) {
      try {
        // Some tools write Latin letters without saying so.
        root = MAPPER.readTree(new String(content, StandardCharsets.ISO_8859_1));
      } catch (JacksonException | StackOverflowError e) {
        if (speaksOf(content, "\"widgets\"") || speaksOf(content, "\"formula\"")) {
          problem(
              path,
              "it is no JSON that can be read"
                  + (e instanceof JacksonException json && json.getLocation() != null
                      ? "; see line "
                          + json.getLocation().getLineNr()
                          + ", column "
                          + json.getLocation().getColumnNr()
                      : "")
                  + ". Export it again");
        }
        return;
      }
    }
    if (root == null) {
      return;
    }
    clean(root);
    if (Members.text(root, "format").equals("peerlens-dashboards")) {
      problem(path, "it is a file of Peerlens; import it on its own");
      return;
    }
    search(path, root, root, 0);
  }

  /** Takes out of texts what cannot be stored: U+0000 and halves of characters. */
  private static void clean(JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> member : List.copyOf(object.properties())) {
        String name = Names.storable(member.getKey());
        JsonNode value = cleaned(member.getValue());
        if (!name.equals(member.getKey())) {
          object.remove(member.getKey());
          object.set(name, value);
        } else if (value != member.getValue()) {
          object.set(name, value);
        }
      }
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        JsonNode value = cleaned(array.get(i));
        if (value != array.get(i)) {
          array.set(i, value);
        }
      }
    }
  }

  private static JsonNode cleaned(JsonNode node) {
    if (!node.isString()) {
      clean(node);
      return node;
    }
    String text = node.stringValue();
    String storable = Names.storable(text);
    return storable.equals(text) ? node : StringNode.valueOf(storable);
  }

  private void search(String path, JsonNode node, JsonNode root, int depth) {
    if (node.isArray()) {
      int i = 0;
      for (JsonNode element : node) {
        if (++i > SEARCH_WIDTH) {
          break;
        }
        if (element.isObject() && element.path("widgets").isArray()) {
          dashboard(path, element, root, root);
        } else if (depth < SEARCH_DEPTH && element.isContainer()) {
          search(path, element, root, depth + 1);
        }
      }
      return;
    }
    if (!node.isObject()) {
      return;
    }
    if (node.path("widgets").isArray()) {
      dashboard(path, node, node, root);
      return;
    }
    if (node.path("dashboards").isArray()) {
      int before = dashboards.size();
      for (JsonNode dashboard : node.path("dashboards")) {
        if (dashboard.isObject()
            && (dashboard.path("widgets").isArray() || dashboard.has("name"))) {
          dashboard(path, dashboard, node, root);
        } else if (dashboard.isObject()) {
          problem(path, "a dashboard in it has neither a name nor widgets. Export it again");
        }
      }
      if (dashboards.size() > before) {
        return;
      }
    }
    for (JsonNode group : Members.objects(node, "customGroups")) {
      String name = Members.text(group, "name");
      if (!name.isEmpty() && groups.size() < SEARCH_WIDTH) {
        groups.putIfAbsent(name, group);
      }
    }
    String groupName = Members.text(node.path("resourceKey"), "name");
    if (!groupName.isEmpty() && node.path("membershipDefinition").isObject()) {
      groups.putIfAbsent(groupName, node);
    }
    int i = 0;
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      if (++i > SEARCH_WIDTH) {
        break;
      }
      JsonNode value = member.getValue();
      if (value.isObject() && value.path("formula").isString()) {
        superMetric(member.getKey(), value);
      } else if (depth < SEARCH_DEPTH && value.isContainer()) {
        search(path, value, root, depth + 1);
      }
    }
  }

  private void superMetric(String key, JsonNode definition) {
    String id = key.startsWith("sm_") ? key.substring(3) : key;
    try {
      if (superMetrics.size() < SEARCH_WIDTH && id.length() == 36) {
        superMetrics.putIfAbsent(UUID.fromString(id).toString(), definition);
      }
    } catch (IllegalArgumentException e) {
      // something else that has a formula
    }
  }

  private void dashboard(String path, JsonNode dashboard, JsonNode parent, JsonNode root) {
    dashboards.add(
        new FoundDashboard(
            path,
            dashboard,
            new Kinds(root.path("entries"), parent.path("entries"), dashboard.path("entries"))));
  }

  // --- XML ---

  private void xml(String path, byte[] content) {
    boolean views = speaksOf(content, "<ViewDef") || speaksOf(content, "<ReportDef");
    if (!views && !speaksOf(content, "<AdapterKinds")) {
      return;
    }
    Xml root;
    try {
      root = Xml.read(content);
    } catch (Xml.UnreadableException e) {
      if (views) {
        problem(path, e.text());
      }
      return;
    }
    root.descendants("ViewDef").forEach(it -> this.views.add(new FoundXml(path, it)));
    root.descendants("ReportDef").forEach(it -> reports.add(new FoundXml(path, it)));
    if (root.name().equals("AdapterKinds")) {
      String name = path.substring(path.lastIndexOf('/') + 1);
      metricLists.putIfAbsent(name, root);
      metricLists.putIfAbsent(name.replaceFirst("\\.xml$", ""), root);
    }
  }

  /** The metric configuration of a name; null = it is not in the file. */
  @Nullable Xml metricList(String name) {
    Xml list = metricLists.get(name);
    return list != null ? list : metricLists.get(name.replaceFirst("\\.xml$", ""));
  }

  /** Whether a document has an ASCII text in it, in one byte or two for each letter. */
  private static boolean speaksOf(byte[] document, String ascii) {
    byte[] wanted = ascii.getBytes(StandardCharsets.US_ASCII);
    for (int step = 1; step <= 2; step++) {
      for (int i = 0; i + (wanted.length - 1) * step < document.length; i++) {
        int j = 0;
        while (j < wanted.length && document[i + j * step] == wanted[j]) {
          j++;
        }
        if (j == wanted.length) {
          return true;
        }
      }
    }
    return false;
  }

  // --- translations ---

  private void properties(String path, byte[] content) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    String stem = name.substring(0, name.length() - ".properties".length());
    int mark = stem.indexOf('_');
    String language = mark < 0 ? "" : stem.substring(mark + 1).toLowerCase(Locale.ROOT);
    if (!language.isEmpty() && !language.startsWith("en") || content.length > 4 << 20) {
      return;
    }
    Properties read = new Properties();
    try {
      read.load(new StringReader(new String(content, charset(content))));
    } catch (IOException | IllegalArgumentException e) {
      return; // an escape that is none: titles stay as they are
    }
    for (String key : read.stringPropertyNames()) {
      if (translations.size() < 50_000 && key.length() <= 500) {
        translations.putIfAbsent(key, Names.cut(read.getProperty(key).strip(), 2000));
      }
    }
  }

  private static Charset charset(byte[] content) {
    return new String(content, StandardCharsets.UTF_8).indexOf('\ufffd') < 0
        ? StandardCharsets.UTF_8
        : StandardCharsets.ISO_8859_1;
  }
}
