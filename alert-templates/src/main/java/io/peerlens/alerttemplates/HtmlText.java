package io.peerlens.alerttemplates;

import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeVisitor;

/** Plain text of HTML, for mails that come without a text of their own. */
final class HtmlText {

  private static final Set<String> LINES =
      Set.of("p", "div", "tr", "li", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul");
  private static final Pattern BLANKS = Pattern.compile("[ \\t\\r\\n]+");
  private static final Pattern LINE = Pattern.compile(" *\\n *");
  private static final Pattern EMPTY_LINES = Pattern.compile("\\n{3,}");

  private HtmlText() {}

  /** One line for each paragraph, list item and row of a table, with two blanks between cells. */
  static String plain(String html) {
    Element body = Jsoup.parse(html).body();
    StringBuilder text = new StringBuilder();
    body.traverse(
        new NodeVisitor() {
          @Override
          public void head(Node node, int depth) {
            if (node instanceof TextNode words) {
              text.append(BLANKS.matcher(words.getWholeText()).replaceAll(" "));
            } else if (node.nameIs("br")) {
              text.append('\n');
            }
          }

          @Override
          public void tail(Node node, int depth) {
            if (LINES.contains(node.normalName())) {
              text.append('\n');
            } else if (node.nameIs("td") || node.nameIs("th")) {
              text.append("  ");
            }
          }
        });
    String lines = LINE.matcher(text.toString().replace('\u00a0', ' ')).replaceAll("\n");
    return EMPTY_LINES.matcher(lines).replaceAll("\n\n").strip();
  }
}
