package io.peerlens.alerttemplates;

import com.google.re2j.Pattern;

/** Plain text of HTML, for mails that come without a text of their own. */
final class HtmlText {

  private static final Pattern DROPPED =
      Pattern.compile(
          "(?is)<head\\b.*?</head\\s*>|<style\\b.*?</style\\s*>|<script\\b.*?</script\\s*>"
              + "|<title\\b.*?</title\\s*>|<!--.*?-->");
  private static final Pattern BREAK =
      Pattern.compile("(?i)<\\s*(br|/p|/div|/tr|/li|/h[1-6]|/table|/ul)\\b[^>]*>");
  private static final Pattern CELL = Pattern.compile("(?i)</t[dh]\\s*>");
  private static final Pattern BLANKS = Pattern.compile("[ \\t\\r\\n]+");
  private static final Pattern LINE = Pattern.compile("[ \\t]*\\n[ \\t]*");
  private static final Pattern EMPTY_LINES = Pattern.compile("\\n{3,}");
  private static final Pattern TAG = Pattern.compile("<[^>]*>");

  private HtmlText() {}

  static String plain(String html) {
    String text = DROPPED.matcher(html).replaceAll("");
    text = BLANKS.matcher(text).replaceAll(" ");
    text = BREAK.matcher(text).replaceAll("\n");
    text = CELL.matcher(text).replaceAll("  ");
    text = TAG.matcher(text).replaceAll("");
    text =
        text.replace("&nbsp;", " ")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&#13;", "\r")
            .replace("&amp;", "&");
    text = LINE.matcher(text).replaceAll("\n");
    return EMPTY_LINES.matcher(text).replaceAll("\n\n").strip();
  }
}
