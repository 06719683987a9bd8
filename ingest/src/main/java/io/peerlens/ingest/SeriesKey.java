package io.peerlens.ingest;

import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.mapping.MappedSeries;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Key of a series that does not stand in the record as bytes of its own. */
final class SeriesKey {

  private SeriesKey() {}

  /**
   * Everything that a series says, part by part. NUL parts the parts: no text holds one, and the
   * first byte shows that these are not bytes of line protocol.
   *
   * @param form character below any that a line begins with, by which forms are told apart
   * @return null when a text holds what no database takes as text
   */
  static byte @Nullable [] of(char form, MappedSeries series) {
    ObjectAttributes a = series.attributes();
    List<String> parts = new ArrayList<>();
    ObjectKey object = series.key().object();
    parts.addAll(List.of(object.adapterKind(), object.objectKind(), object.externalId()));
    parts.addAll(List.of(series.key().group(), series.key().instance()));
    parts.addAll(List.of(a.name(), String.valueOf(a.locator())));
    for (Map<String, String> texts : List.of(a.properties(), a.tags())) {
      parts.add(Integer.toString(texts.size()));
      new TreeMap<>(texts)
          .forEach(
              (name, text) -> {
                parts.add(name);
                parts.add(text);
              });
    }
    a.references().stream()
        .map(r -> String.join("\0", r.role().name(), r.adapterKind(), r.objectKind(), r.locator()))
        .sorted()
        .forEach(reference -> parts.addAll(List.of(reference.split("\0", -1))));
    return parts.stream().allMatch(SeriesKey::isText)
            && a.references().stream()
                .allMatch(r -> isText(r.adapterKind() + r.objectKind()) && isText(r.locator()))
        ? (form + String.join("\0", parts)).getBytes(StandardCharsets.UTF_8)
        : null;
  }

  /** What a database takes as text, and UTF-8 can hold. */
  static boolean isText(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return false;
      }
      if (Character.isSurrogate(c)) {
        if (!Character.isHighSurrogate(c)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          return false;
        }
        i++;
      }
    }
    return true;
  }
}
