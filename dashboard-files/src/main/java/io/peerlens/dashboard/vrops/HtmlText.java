package io.peerlens.dashboard.vrops;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeVisitor;

/**
 * Markdown made from HTML that strangers wrote: headings, bold and italic text, lists, tables and
 * links to web pages stay; everything that runs or loads something goes.
 *
 * @param markdown at most as long as the format takes
 * @param left what went, in words, such as "a script"
 */
record HtmlText(String markdown, List<String> left) {

  private static final int LONGEST_SOURCE = 1 << 20;
  private static final int LONGEST = 20_000;
  private static final Set<String> SILENT =
      Set.of(
          "script",
          "style",
          "object",
          "embed",
          "applet",
          "svg",
          "math",
          "noscript",
          "template",
          "head",
          "title",
          "form",
          "input",
          "button",
          "select",
          "textarea",
          "video",
          "audio",
          "canvas",
          "iframe",
          "frame",
          "frameset",
          "link",
          "meta",
          "base");
  private static final Set<String> BLOCKS =
      Set.of(
          "div",
          "p",
          "section",
          "article",
          "header",
          "footer",
          "blockquote",
          "table",
          "ul",
          "ol",
          "pre",
          "center",
          "dl",
          "dt",
          "dd",
          "figure",
          "address");
  private static final Pattern SPECIAL = Pattern.compile("([\\\\`*_\\[\\]<>])");
  private static final Pattern BLANK = Pattern.compile("[\\s\\u00a0\\u200b\\ufeff]+");
  private static final Pattern EMPTY_LINES = Pattern.compile("(?:[ \\t]*\\n){3,}");

  static HtmlText of(String html) {
    boolean cut = html.length() > LONGEST_SOURCE;
    Document document = Jsoup.parse(Names.cut(html, LONGEST_SOURCE));
    Writer writer = new Writer();
    document.body().traverse(writer);
    Set<String> left = writer.left;
    // Frames and scripts may stand where they cannot be seen from the body.
    if (!document.select("script").isEmpty()) {
      left.add("a script");
    }
    String text = tidy(writer.out.toString());
    if (cut || text.length() > LONGEST) {
      left.add("the end of a very long text");
      text = Names.cut(text, LONGEST);
    }
    return new HtmlText(text, List.copyOf(left));
  }

  private static String tidy(String text) {
    StringBuilder out = new StringBuilder();
    for (String line : text.split("\n", -1)) {
      out.append(line.stripTrailing()).append('\n');
    }
    return EMPTY_LINES.matcher(out).replaceAll("\n\n").strip();
  }

  /** A text without HTML as Markdown. */
  static String escaped(String text) {
    return SPECIAL.matcher(text).replaceAll("\\\\$1");
  }

  /** Whether an address is one of a web page or mailbox, and of nothing that runs. */
  static boolean isLink(String address) {
    String lower = address.toLowerCase(Locale.ROOT);
    return (lower.startsWith("https://")
            || lower.startsWith("http://")
            || lower.startsWith("mailto:"))
        && address.length() <= 2000
        && address.chars().noneMatch(c -> c <= ' ' || c == '<' || c == '>' || c == '"');
  }

  /** A link as Markdown. */
  static String link(String text, String address) {
    return "["
        + text
        + "]("
        + address.replace("(", "%28").replace(")", "%29").replace("\\", "%5C")
        + ")";
  }

  private static final class Writer implements NodeVisitor {

    private final StringBuilder out = new StringBuilder();
    private final Set<String> left = new LinkedHashSet<>();
    private final Deque<Integer> numbers = new ArrayDeque<>();
    private final Deque<Integer> links = new ArrayDeque<>();
    private int silent;
    private int bold;
    private int italic;

    @Override
    public void head(Node node, int depth) {
      if (node instanceof TextNode text) {
        if (silent == 0) {
          text(text.getWholeText());
        }
        return;
      }
      if (!(node instanceof Element element)) {
        return;
      }
      String name = element.normalName();
      if (SILENT.contains(name)) {
        if (silent == 0) {
          gone(element, name);
        }
        silent++;
        return;
      }
      if (silent > 0) {
        return;
      }
      switch (name) {
        case "br" -> out.append("  \n");
        case "hr" -> out.append("\n\n---\n\n");
        case "b", "strong" -> {
          if (bold++ == 0 && !element.text().isBlank()) {
            out.append("**");
          }
        }
        case "i", "em" -> {
          if (italic++ == 0 && !element.text().isBlank()) {
            out.append('*');
          }
        }
        case "h1", "h2", "h3", "h4", "h5", "h6" ->
            block().append("#".repeat(name.charAt(1) - '0')).append(' ');
        case "li" -> {
          block(1);
          Integer number = numbers.peek();
          int level = Math.max(0, Math.min(8, numbers.size() - 1));
          out.append("  ".repeat(level));
          if (number == null || number < 0) {
            out.append("- ");
          } else {
            numbers.poll();
            numbers.push(number + 1);
            out.append(number + 1).append(". ");
          }
        }
        case "ul" -> {
          block(numbers.isEmpty() ? 2 : 1);
          numbers.push(-1);
        }
        case "ol" -> {
          block(numbers.isEmpty() ? 2 : 1);
          numbers.push(0);
        }
        case "tr" -> block(1);
        case "td", "th" -> {
          if (!out.isEmpty() && out.charAt(out.length() - 1) != '\n') {
            out.append(" | ");
          }
        }
        case "a" -> links.push(out.length());
        case "img" -> {
          left.add("a picture");
          if (isLink(element.attr("src"))) {
            out.append(
                HtmlText.link(
                    escaped(Names.line(element.attr("alt"), "picture")), element.attr("src")));
          }
        }
        default -> {
          if (BLOCKS.contains(name)) {
            block();
          }
        }
      }
    }

    @Override
    public void tail(Node node, int depth) {
      if (!(node instanceof Element element)) {
        return;
      }
      String name = element.normalName();
      if (SILENT.contains(name)) {
        silent--;
        return;
      }
      if (silent > 0) {
        return;
      }
      switch (name) {
        case "b", "strong" -> {
          if (--bold == 0 && !element.text().isBlank()) {
            close("**");
          }
        }
        case "i", "em" -> {
          if (--italic == 0 && !element.text().isBlank()) {
            close("*");
          }
        }
        case "h1", "h2", "h3", "h4", "h5", "h6" -> block();
        case "ul", "ol" -> {
          numbers.poll();
          block(numbers.isEmpty() ? 2 : 1);
        }
        case "a" -> link(element);
        default -> {
          if (BLOCKS.contains(name)) {
            block();
          }
        }
      }
    }

    private void link(Element element) {
      Integer start = links.poll();
      if (start == null || start > out.length()) {
        return;
      }
      String address = element.attr("href").strip();
      String inside = out.substring(start).replace("\n", " ").strip();
      if (address.isEmpty()) {
        return;
      }
      if (!isLink(address)) {
        left.add("a link to no web page");
        return;
      }
      out.setLength(start);
      out.append(HtmlText.link(inside.isEmpty() ? escaped(address) : inside, address));
    }

    private void gone(Element element, String name) {
      switch (name) {
        case "script" -> left.add("a script");
        case "iframe", "frame", "embed", "object", "video", "audio" -> {
          left.add("an embedded page");
          String address = element.attr(name.equals("object") ? "data" : "src").strip();
          if (isLink(address)) {
            block(1);
            out.append(HtmlText.link(escaped(address), address)).append('\n');
          }
        }
        case "form", "input", "button", "select", "textarea" -> left.add("a form");
        default -> {
          // styles and the like are no content
        }
      }
    }

    private void text(String raw) {
      String text = BLANK.matcher(raw).replaceAll(" ");
      if (out.isEmpty() || out.charAt(out.length() - 1) == '\n') {
        text = text.stripLeading();
        if (text.startsWith("#") || text.startsWith("- ") || text.startsWith("+ ")) {
          text = "\\" + text;
          out.append('\\').append(text.charAt(1));
          text = text.substring(2);
        }
      }
      out.append(escaped(text));
    }

    private void close(String mark) {
      int end = out.length();
      while (end > 0 && Character.isWhitespace(out.charAt(end - 1))) {
        end--;
      }
      out.insert(end, mark);
    }

    private StringBuilder block() {
      block(2);
      return out;
    }

    /** Ends the line, and leaves one empty if asked. */
    private void block(int lines) {
      if (out.isEmpty()) {
        return;
      }
      int end = out.length();
      int found = 0;
      while (end > 0 && (out.charAt(end - 1) == '\n' || out.charAt(end - 1) == ' ')) {
        found += out.charAt(end - 1) == '\n' ? 1 : 0;
        end--;
      }
      out.append("\n".repeat(Math.max(0, lines - found)));
    }
  }

  /** What went, as words for the report; empty = nothing. */
  String leftInWords() {
    List<String> words = new ArrayList<>(left);
    return words.isEmpty() ? "" : String.join(", ", words) + " left out";
  }
}
