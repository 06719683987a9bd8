package io.peerlens.threshold;

import io.peerlens.api.model.ThresholdEdit;
import io.peerlens.api.model.ThresholdSort;
import io.peerlens.api.model.ThresholdStatus;
import io.peerlens.definition.StoredRule;
import io.peerlens.web.Paging;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Filter and order of a list of thresholds. As a text it is the scope of cursors, so equal filters
 * must be equal texts. Empty lists and null do not filter.
 *
 * @param words in lower case; all must occur
 */
record ThresholdFilter(
    List<String> words,
    List<String> adapterKinds,
    List<String> objectKinds,
    List<String> packs,
    List<String> tags,
    List<ThresholdStatus> states,
    @Nullable Boolean enabled,
    ThresholdSort sort) {

  /** Whether the definition fits; the state is asked for apart. */
  boolean matches(StoredRule<ThresholdEdit, Threshold> stored) {
    Threshold threshold = stored.rule();
    List<String> own = Paging.list(stored.edit().getTags());
    return (packs.isEmpty() || (stored.pack() != null && packs.contains(stored.pack())))
        && (tags.isEmpty() || own.stream().anyMatch(tags::contains))
        && (adapterKinds.isEmpty() || adapterKinds.contains(threshold.kind().adapterKind()))
        && (objectKinds.isEmpty() || objectKinds.contains(threshold.kind().objectKind()))
        && (enabled == null || enabled == threshold.enabled())
        && words.stream().allMatch(text(stored)::contains);
  }

  private static String text(StoredRule<ThresholdEdit, Threshold> stored) {
    Threshold threshold = stored.rule();
    return String.join(
            "\n",
            threshold.name(),
            threshold.description(),
            threshold.condition().key(),
            String.join("\n", Paging.list(stored.edit().getTags())),
            threshold.id().toString())
        .toLowerCase(Locale.ROOT);
  }

  /**
   * Sort keys: the value, and the id.
   *
   * @param open how many symptoms are open
   */
  String[] keys(StoredRule<ThresholdEdit, Threshold> stored, int open) {
    String value =
        switch (sort) {
          case NAME, NAME_DESC -> stored.name().toLowerCase(Locale.ROOT);
          case UPDATED_AT, UPDATED_AT_DESC -> "%020d".formatted(stored.updatedAt().toEpochMilli());
          case OPEN_DESC -> "%010d".formatted(open);
        };
    return new String[] {value, stored.id().toString()};
  }

  Comparator<String[]> order() {
    Comparator<String[]> byValue = Comparator.comparing(keys -> keys[0]);
    boolean descending =
        switch (sort) {
          case NAME, UPDATED_AT -> false;
          case NAME_DESC, UPDATED_AT_DESC, OPEN_DESC -> true;
        };
    return (descending ? byValue.reversed() : byValue).thenComparing(keys -> keys[1]);
  }
}
