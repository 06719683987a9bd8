package io.peerlens.dashboard.vrops;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** A view on its way from an export to the format, with how panels show it. */
final class ViewPart {

  final UUID id;
  final String title;
  final ObjectNode node;
  final List<ColumnPart> columns = new ArrayList<>();
  final List<String> notes = new ArrayList<>();
  List<String> kinds = List.of();
  ImportStatus status = ImportStatus.CARRIED;

  /** Type of the panel that shows it. */
  String panelType = "table";

  /** What a distribution is drawn as; empty = the panel is none. */
  String as = "";

  /** How far ahead a chart looks; empty = not. */
  String forecast = "";

  /** Text of a view that is only a text; empty = it shows objects. */
  String markdown = "";

  /** Whether it shows objects: texts and pictures do not. */
  boolean showsObjects = true;

  int panels;

  ViewPart(UUID id, String title, ObjectNode node) {
    this.id = id;
    this.title = title;
    this.node = node;
  }

  void replaced(String how) {
    status = status.worse(ImportStatus.REPLACED);
    notes.add(how);
  }

  void cannot(String why) {
    status = ImportStatus.CANNOT;
    notes.add(why);
  }
}
