package io.peerlens.ingest;

import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReference;
import io.peerlens.ingest.key.ObjectReport;
import io.peerlens.ingest.mapping.MappedSeries;
import org.jspecify.annotations.Nullable;

/** Length check of texts that become names. */
final class TooLong {

  private TooLong() {}

  /** Says what is too long of a series and how to mend it; null when nothing is. */
  static @Nullable String find(MappedSeries series, int limit) {
    if (series.key().instance().length() > limit) {
      return message("the instance", limit);
    }
    if (series.key().group().length() > limit) {
      return message("the metric group", limit);
    }
    return find(series.key().object(), ObjectReport.ofLine(series.attributes()), limit);
  }

  /** Says what is too long of a report on an object; null when nothing is. */
  static @Nullable String find(ObjectKey object, ObjectReport report, int limit) {
    String what = null;
    if (object.externalId().length() > limit
        || object.adapterKind().length() > limit
        || object.objectKind().length() > limit) {
      what = "the object's id";
    } else {
      ObjectAttributes attributes = report.attributes();
      if (attributes.name().length() > limit) {
        what = "the name";
      }
      for (var entry : attributes.tags().entrySet()) {
        if (entry.getKey().length() > limit || entry.getValue().length() > limit) {
          what = "tag " + shortened(entry.getKey());
        }
      }
      for (var entry : attributes.properties().entrySet()) {
        if (entry.getKey().length() > limit || entry.getValue().length() > limit) {
          what = "property " + shortened(entry.getKey());
        }
      }
      for (ObjectReference reference : attributes.references()) {
        if (reference.objectKind().length() > limit || reference.adapterKind().length() > limit) {
          what = "the kind of a related object";
        } else if (reference.locator().length() > limit) {
          what = "the locator of a " + shortened(reference.objectKind());
        }
      }
      if (attributes.locator() != null && attributes.locator().length() > limit) {
        what = "the locator";
      }
    }
    return what == null ? null : message(what, limit);
  }

  private static String message(String what, int limit) {
    return what
        + " is longer than %d characters: shorten it, or raise the guard maxNameLength"
            .formatted(limit);
  }

  private static String shortened(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "...";
  }
}
