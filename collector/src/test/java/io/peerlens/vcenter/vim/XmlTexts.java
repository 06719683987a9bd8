package io.peerlens.vcenter.vim;

import java.io.StringReader;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Values of vim25 that a test writes as XML. */
public final class XmlTexts {

  private XmlTexts() {}

  /** The value of one element, whose prefix xsi is that of the types. */
  public static XmlValue value(String element) throws XMLStreamException {
    XMLStreamReader xml =
        XMLInputFactory.newDefaultFactory()
            .createXMLStreamReader(
                new StringReader(
                    element.replaceFirst(
                        "(?=[ >])", " xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'")));
    xml.nextTag();
    return XmlValue.read(xml);
  }
}
