import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.AttributeProvider;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Help of the pages: the documents of {@code docs} for those who use and run Peerlens, as HTML with
 * an index of their sections. The build runs it from its source (service/pom.xml).
 *
 * <p>Links among these documents become addresses of the page {@code /help}; those to other files
 * of the repository lose their target, since a browser cannot follow them. A link among them to a
 * document or a section that does not exist fails the build.
 */
final class HelpPages {

  /** What is helped with, in the order of the contents. */
  private static final Map<String, List<String>> GROUPS = new LinkedHashMap<>();

  static {
    GROUPS.put(
        "Watch",
        List.of(
            "alerting",
            "learned-thresholds",
            "outliers",
            "dashboards-page",
            "walls",
            "vrops-dashboards",
            "dashboards",
            "reports",
            "panel-answers",
            "change-impact",
            "capacity",
            "right-sizing",
            "why-slow",
            "load-profiles",
            "benchmark-runs",
            "top-talkers"));
    GROUPS.put(
        "Define",
        List.of(
            "formula-language", "super-metric-files", "notifications", "notification-channels"));
    GROUPS.put(
        "Bring data in",
        List.of(
            "sources",
            "vcenter",
            "vcenter-keys",
            "events",
            "mappings",
            "otlp",
            "esxtop",
            "http-intake",
            "flows",
            "flow-metrics"));
    GROUPS.put("Run", List.of("operations", "high-availability", "configuration", "tls", "audit"));
    GROUPS.put(
        "Build on it", List.of("clients", "suite-api", "assistants", "sql-views", "grafana"));
  }

  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*", Pattern.CASE_INSENSITIVE);

  /** A heading with its text up to the next one. */
  private static final class Section {
    final String id;
    final String title;
    final int level;
    final StringBuilder text = new StringBuilder();

    Section(String id, String title, int level) {
      this.id = id;
      this.title = title;
      this.level = level;
    }
  }

  private final Path docs;
  private final Path out;
  private final List<Extension> extensions = List.of(TablesExtension.create());
  private final Parser parser = Parser.builder().extensions(extensions).build();
  private final Set<String> anchors = new TreeSet<>();
  private final List<String[]> wanted = new ArrayList<>(); // address, document that has the link

  private HelpPages(Path docs, Path out) {
    this.docs = docs;
    this.out = out;
  }

  /**
   * @param args folder of the documents; one that is served
   */
  public static void main(String[] args) throws IOException {
    new HelpPages(Path.of(args[0]), Path.of(args[1])).write();
  }

  private void write() throws IOException {
    delete(out);
    Files.createDirectories(out);
    StringBuilder index = new StringBuilder("[");
    StringBuilder search = new StringBuilder("{");
    for (Map.Entry<String, List<String>> group : GROUPS.entrySet()) {
      for (String name : group.getValue()) {
        List<Section> sections = page(name);
        index.append(index.length() > 1 ? ",\n" : "");
        index.append(
            "{\"page\":%s,\"group\":%s,\"title\":%s,\"sections\":["
                .formatted(json(name), json(group.getKey()), json(sections.getFirst().title)));
        search.append(search.length() > 1 ? ",\n" : "").append(json(name)).append(":[");
        for (int i = 0; i < sections.size(); i++) {
          Section section = sections.get(i);
          index.append(
              "%s{\"id\":%s,\"title\":%s,\"level\":%d}"
                  .formatted(
                      i == 0 ? "" : ",", json(section.id), json(section.title), section.level));
          search.append(i == 0 ? "" : ",").append(json(section.text.toString().strip()));
        }
        index.append("]}");
        search.append("]");
      }
    }
    Files.writeString(out.resolve("index.json"), index.append("]\n"));
    Files.writeString(out.resolve("search.json"), search.append("}\n"));
    for (String[] link : wanted) {
      if (!anchors.contains(link[0])) {
        throw new IllegalStateException(
            "docs/%s.md links to %s, which does not exist".formatted(link[1], link[0]));
      }
    }
  }

  /** Writes a document. Returns its sections; the first is the document itself. */
  private List<Section> page(String name) throws IOException {
    Node document = parser.parse(Files.readString(docs.resolve(name + ".md")));
    List<Section> sections = new ArrayList<>();
    IdGenerator ids = IdGenerator.builder().build();
    Map<Node, String> idOf = new IdentityHashMap<>();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Heading heading) {
            String title = text(heading);
            String id = ids.generateId(title);
            idOf.put(heading, id);
            sections.add(new Section(sections.isEmpty() ? "" : id, title, heading.getLevel()));
            anchors.add("/help/" + name + "?section=" + id);
          }

          @Override
          public void visit(Link link) {
            link(name, link);
          }

          @Override
          public void visit(Image image) {
            picture(image);
          }
        });
    anchors.add("/help/" + name);
    sections(document, sections);
    AttributeProvider attributes =
        (node, tag, values) -> {
          String id = idOf.get(node);
          if (id != null) {
            values.put("id", id);
          }
          // What may be wider than the page is scrolled, with the keyboard too.
          if ((node instanceof FencedCodeBlock || node instanceof IndentedCodeBlock)
              && tag.equals("pre")) {
            values.put("tabindex", "0");
          }
          if (node instanceof TableBlock) {
            values.put("tabindex", "0");
          }
          if (node instanceof Link link && ELSEWHERE.matcher(link.getDestination()).matches()) {
            values.put("target", "_blank");
            values.put("rel", "noopener");
          }
        };
    String html =
        HtmlRenderer.builder()
            .extensions(extensions)
            .escapeHtml(true)
            .sanitizeUrls(true)
            .attributeProviderFactory(context -> attributes)
            .build()
            .render(document);
    Files.writeString(
        out.resolve(name + ".html"),
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title></head><body><article>\n%s</article></body></html>\n"
            .formatted(sections.getFirst().title.replace("&", "&amp;").replace("<", "&lt;"), html));
    return sections;
  }

  private void link(String from, Link link) {
    String to = link.getDestination();
    if (ELSEWHERE.matcher(to).matches()) {
      return;
    }
    String[] parts = to.split("#", 2);
    String page = parts[0].isEmpty() ? from : parts[0].replaceFirst("[.]md$", "");
    boolean isHelp = GROUPS.values().stream().anyMatch(group -> group.contains(page));
    if (!isHelp || (!parts[0].isEmpty() && !parts[0].endsWith(".md"))) {
      // A file of the repository: its words stay.
      Node child = link.getFirstChild();
      while (child != null) {
        Node next = child.getNext();
        link.insertBefore(child);
        child = next;
      }
      link.unlink();
      return;
    }
    String address = "/help/" + page + (parts.length > 1 ? "?section=" + parts[1] : "");
    link.setDestination(address);
    wanted.add(new String[] {address, from});
  }

  private void picture(Image image) {
    Path file = docs.resolve(image.getDestination()).normalize();
    try {
      Path to = out.resolve("images").resolve(file.getFileName());
      Files.createDirectories(to.getParent());
      if (!Files.exists(to)) {
        Files.copy(file, to);
      }
      image.setDestination("/docs/images/" + file.getFileName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gives each section its words. */
  private static void sections(Node document, List<Section> sections) {
    int[] at = {-1};
    for (Node block = document.getFirstChild(); block != null; block = block.getNext()) {
      if (block instanceof Heading) {
        at[0]++;
      } else if (at[0] >= 0) {
        sections.get(at[0]).text.append(text(block)).append(' ');
      }
    }
  }

  private static String text(Node node) {
    StringBuilder text = new StringBuilder();
    node.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text one) {
            text.append(one.getLiteral());
          }

          @Override
          public void visit(Code code) {
            text.append(code.getLiteral());
          }

          @Override
          public void visit(FencedCodeBlock code) {
            text.append(code.getLiteral()).append(' ');
          }

          @Override
          public void visit(IndentedCodeBlock code) {
            text.append(code.getLiteral()).append(' ');
          }

          @Override
          public void visit(SoftLineBreak end) {
            text.append(' ');
          }

          @Override
          public void visit(HardLineBreak end) {
            text.append(' ');
          }

          @Override
          protected void visitChildren(Node parent) {
            super.visitChildren(parent);
            if (!(parent instanceof Heading)
                && !text.isEmpty()
                && parent.getNext() != null
                && !(parent.getNext() instanceof Text)) {
              text.append(' ');
            }
          }
        });
    return text.toString().replaceAll("\\s+", " ");
  }

  private static String json(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append(' ');
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(one);
        }
      }
    }
  }
}
