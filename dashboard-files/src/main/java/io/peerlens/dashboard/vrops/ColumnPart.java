package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.ImportReport.Proposal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A column on its way from an export to the format, with what there is to say of it. */
final class ColumnPart {

  final String title;

  /** The column of the format; null = it is not taken over. */
  @Nullable ObjectNode node;

  ImportStatus status = ImportStatus.CARRIED;

  /** Columns that only its expression reads. */
  final List<ObjectNode> hidden = new ArrayList<>();

  /** What is remarkable about it. */
  final List<String> notes = new ArrayList<>();

  /** Kinds of the objects of which it reads the key. */
  List<String> kinds = List.of();

  /** Key that it reads, without instance; empty = none. */
  String key = "";

  boolean property;
  @Nullable UUID superMetric;

  /** Name of a super metric, if the export says it. */
  String superMetricName = "";

  /** What is shown, such as "percentile 95, 7 days". */
  String shows = "";

  @Nullable Proposal proposal;

  ColumnPart(String title) {
    this.title = title;
  }

  ColumnPart cannot(String why) {
    node = null;
    status = ImportStatus.CANNOT;
    notes.add(why);
    return this;
  }

  ColumnPart replaced(String how) {
    status = status.worse(ImportStatus.REPLACED);
    notes.add(how);
    return this;
  }

  String name() {
    return node == null ? "" : node.path("name").asString("");
  }
}
