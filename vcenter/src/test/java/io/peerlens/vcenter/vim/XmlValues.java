package io.peerlens.vcenter.vim;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reader of files with managed objects: {@code <object type id><val path>...</val></object>}. */
public final class XmlValues {

  private XmlValues() {}

  /** The objects of a file in order, as those that a property collector tells of first. */
  public static List<ObjectUpdate> objects(InputStream in) throws XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    XMLStreamReader xml = factory.createXMLStreamReader(in);
    List<ObjectUpdate> objects = new ArrayList<>();
    Moref moref = null;
    List<PropertyChange> changes = new ArrayList<>();
    while (xml.hasNext()) {
      int event = xml.next();
      if (event == XMLStreamConstants.START_ELEMENT && xml.getLocalName().equals("object")) {
        moref = new Moref(xml.getAttributeValue(null, "type"), xml.getAttributeValue(null, "id"));
        changes = new ArrayList<>();
      } else if (event == XMLStreamConstants.START_ELEMENT && xml.getLocalName().equals("val")) {
        String path = xml.getAttributeValue(null, "path");
        changes.add(new PropertyChange(path, XmlValue.read(xml)));
      } else if (event == XMLStreamConstants.END_ELEMENT && moref != null) {
        objects.add(new ObjectUpdate(ObjectUpdate.Kind.ENTER, moref, changes, List.of()));
        moref = null;
      }
    }
    return objects;
  }
}
