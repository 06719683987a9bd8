package io.peerlens.dashboard.vrops;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Small exports of our own making, as vROps writes them. */
final class Exports {

  static final String CLUSTERS = "b919e7b2-4e03-40e2-aa4b-be152d20f0eb";

  private Exports() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A file with one dashboard, whose widgets and interactions are given as JSON. */
  static byte[] dashboard(String widgets, String interactions) {
    return bytes(
        """
        {"uuid": "x", "entries": {
          "resourceKind": [
            {"resourceKindKey": "ClusterComputeResource", "internalId": "resourceKind:id:0_::_", "adapterKindKey": "VMWARE"},
            {"resourceKindKey": "VirtualMachine", "internalId": "resourceKind:id:1_::_", "adapterKindKey": "VMWARE"},
            {"resourceKindKey": "vSphere World", "internalId": "resourceKind:id:2_::_", "adapterKindKey": "VMWARE"},
            {"resourceKindKey": "HostSystem", "internalId": "resourceKind:id:3_::_", "adapterKindKey": "VMWARE"}],
          "resource": [
            {"resourceKindKey": "vSphere World", "internalId": "resource:id:0_::_", "adapterKindKey": "VMWARE", "identifiers": [], "name": "vSphere World"},
            {"resourceKindKey": "ClusterComputeResource", "internalId": "resource:id:1_::_", "adapterKindKey": "VMWARE", "identifiers": [{"key": "VMEntityName", "value": "prod-cl-01"}], "name": "prod-cl-01"},
            {"resourceKindKey": "Environment", "internalId": "resource:id:2_::_", "adapterKindKey": "Container", "identifiers": [], "name": "Tier 1 VMs"}]},
         "dashboards": [{"id": "6ae321a8-87c0-4bd8-b20b-4828bd4d9bae", "name": "Capacity/Clusters",
           "gridsterMaxColumns": 12, "columnCount": 1,
           "states": [{"key": "permDashboardTime_dashboard_1", "value": "o%%3AdateRange%%3Ds%%253Alast7Days%%5EdateRangeText%%3Ds%%253A7D"}],
           "widgets": [%s], "widgetInteractions": [%s]}]}
        """
            .formatted(widgets, interactions));
  }

  /** A widget with an id, at a place of the grid. */
  static String widget(String id, String type, int x, int y, int w, int h, String config) {
    return """
    {"id": "%s", "type": "%s", "title": "%s", "collapsed": false, "height": 324,
     "gridsterCoords": {"x": %d, "y": %d, "w": %d, "h": %d}, "config": %s}
    """
        .formatted(id, type, id, x, y, w, h, config);
  }

  static String drives(String provider, String receiver) {
    return """
    {"widgetIdProvider": "%s", "widgetIdReceiver": "%s", "type": "resourceId"}
    """
        .formatted(provider, receiver);
  }

  /** A view as content.xml has it. */
  static String view(String id, String title, String kind, String controls, String presentation) {
    return """
    <?xml version="1.0" encoding="UTF-8"?><Content><Views><ViewDef id="%s"><Title>%s</Title><Description/>
    <SubjectType adapterKind="VMWARE" resourceKind="%s" type="descendant"/>
    <SubjectType adapterKind="VMWARE" resourceKind="%s" type="self"/>
    <Usage>dashboard</Usage><Controls>%s</Controls>
    <DataProviders><DataProvider dataType="list-view" id="l"/></DataProviders>%s</ViewDef></Views></Content>
    """
        .formatted(id, title, kind, kind, controls, presentation);
  }

  static String list(String items) {
    return "<Control id=\"a\" type=\"attributes-selector\" visible=\"false\"><Property"
        + " name=\"attributeInfos\"><List>"
        + items
        + "</List></Property></Control>";
  }

  /** A column of a view: key, transformation and further properties as names and values. */
  static String column(String key, String transformation, String... more) {
    StringBuilder out =
        new StringBuilder("<Item><Value><Property name=\"attributeKey\" value=\"" + key + "\"/>");
    if (!transformation.isEmpty()) {
      out.append("<Property name=\"transformations\"><List>");
      for (String each : transformation.split(",", -1)) {
        out.append("<Item value=\"").append(each).append("\"/>");
      }
      out.append("</List></Property>");
    }
    for (int i = 0; i + 1 < more.length; i += 2) {
      out.append("<Property name=\"" + more[i] + "\" value=\"" + more[i + 1] + "\"/>");
    }
    return out.append("</Value></Item>").toString();
  }

  static String interval(String unit, int count) {
    return "<Control id=\"t\" type=\"time-interval-selector\" visible=\"false\"><Property"
        + " name=\"advancedTimeMode\" value=\"false\"/><Property name=\"unit\" value=\""
        + unit
        + "\"/><Property name=\"count\" value=\""
        + count
        + "\"/></Control>";
  }

  static byte[] zip(Map<String, byte[]> entries) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
        zip.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
