package io.peerlens.vcenter.vim;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Writer of the body of one call. */
final class SoapWriter {

  private static final String START =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?><soapenv:Envelope"
          + " xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\""
          + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
          + " xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\"><soapenv:Body>";
  private static final String END = "</soapenv:Body></soapenv:Envelope>";

  private final StringBuilder xml = new StringBuilder(1024).append(START);

  /** The whole message of a call. */
  static byte[] call(String method, Moref self, Consumer<SoapWriter> arguments) {
    SoapWriter writer = new SoapWriter();
    writer.xml.append('<').append(method).append(" xmlns=\"urn:vim25\">");
    writer.reference("_this", self);
    arguments.accept(writer);
    writer.xml.append("</").append(method).append('>').append(END);
    return writer.xml.toString().getBytes(StandardCharsets.UTF_8);
  }

  SoapWriter text(String name, String value) {
    xml.append('<').append(name).append('>');
    escape(value);
    return end(name);
  }

  SoapWriter number(String name, long value) {
    xml.append('<').append(name).append('>').append(value);
    return end(name);
  }

  SoapWriter flag(String name, boolean value) {
    xml.append('<').append(name).append('>').append(value);
    return end(name);
  }

  SoapWriter reference(String name, Moref value) {
    xml.append('<').append(name).append(" type=\"");
    escape(value.type());
    xml.append("\">");
    escape(value.value());
    return end(name);
  }

  /** An element with children. */
  SoapWriter element(String name, Consumer<SoapWriter> children) {
    xml.append('<').append(name).append('>');
    children.accept(this);
    return end(name);
  }

  /** An element with children, of a type that derives from the declared one. */
  SoapWriter element(String name, String type, Consumer<SoapWriter> children) {
    xml.append('<').append(name).append(" xsi:type=\"").append(type).append("\">");
    children.accept(this);
    return end(name);
  }

  private SoapWriter end(String name) {
    xml.append("</").append(name).append('>');
    return this;
  }

  private void escape(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '<' -> xml.append("&lt;");
        case '>' -> xml.append("&gt;");
        case '&' -> xml.append("&amp;");
        case '"' -> xml.append("&quot;");
        case '\r' -> xml.append("&#13;");
        default -> xml.append(c < ' ' && c != '\t' && c != '\n' ? ' ' : c);
      }
    }
  }
}
