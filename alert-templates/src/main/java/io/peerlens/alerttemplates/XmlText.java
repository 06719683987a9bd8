package io.peerlens.alerttemplates;

/** Text of XML 1.0 and HTML. */
final class XmlText {

  private XmlText() {}

  /**
   * Text for the content of an element and for an attribute in double quotes alike. Characters that
   * XML cannot hold become U+FFFD; line breaks that a parser would change become references.
   */
  static String escape(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                case '\r' -> out.append("&#13;");
                default -> out.appendCodePoint(allowed(c) ? c : 0xFFFD);
              }
            });
    return out.toString();
  }

  private static boolean allowed(int c) {
    return c == '\t'
        || c == '\n'
        || (c >= 0x20 && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || c >= 0x10000;
  }
}
