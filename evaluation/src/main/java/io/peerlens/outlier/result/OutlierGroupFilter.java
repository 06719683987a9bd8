package io.peerlens.outlier.result;

import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.OutlierGroupSort;
import io.peerlens.api.model.OutlierGroupState;
import io.peerlens.definition.StoredRule;
import io.peerlens.outlier.group.OutlierGroup;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Filter and sort order of outlier groups. As a text it is the scope of cursors, so equal filters
 * must be equal texts. Empty lists and null do not filter.
 *
 * @param words in lower case; all must occur
 * @param member who is compared; asked for apart, as the state is
 * @param ancestor of at least one who is compared, or that one; asked for apart too
 */
record OutlierGroupFilter(
    List<String> words,
    List<String> adapterKinds,
    List<String> objectKinds,
    List<OutlierGroupState> states,
    @Nullable Boolean enabled,
    @Nullable UUID member,
    @Nullable UUID ancestor,
    OutlierGroupSort sort) {

  /** States in the order of attention. */
  private static final List<OutlierGroupState> ATTENTION =
      List.of(
          OutlierGroupState.DEVIANTS,
          OutlierGroupState.GROUP_WIDE,
          OutlierGroupState.SPLIT,
          OutlierGroupState.NO_MAJORITY,
          OutlierGroupState.FAILING,
          OutlierGroupState.TOO_MANY,
          OutlierGroupState.NO_DATA,
          OutlierGroupState.TOO_FEW,
          OutlierGroupState.LEARNING,
          OutlierGroupState.NOT_JUDGED_YET,
          OutlierGroupState.ALIKE,
          OutlierGroupState.DISABLED);

  /** Whether the definition fits. */
  boolean matches(StoredRule<OutlierGroupEdit, OutlierGroup> stored) {
    OutlierGroup group = stored.rule();
    return (adapterKinds.isEmpty() || adapterKinds.contains(group.kind().adapterKind()))
        && (objectKinds.isEmpty() || objectKinds.contains(group.kind().objectKind()))
        && (enabled == null || enabled == group.enabled())
        && words.stream().allMatch(text(group)::contains);
  }

  private static String text(OutlierGroup group) {
    return String.join(
            "\n",
            group.name(),
            group.description(),
            String.join("\n", group.keys()),
            group.configuration().properties().stream()
                .map(one -> one.pattern().text())
                .collect(Collectors.joining("\n")),
            group.id().toString())
        .toLowerCase(Locale.ROOT);
  }

  /** Sort keys: the value, the name, and the id. */
  String[] keys(StoredRule<OutlierGroupEdit, OutlierGroup> stored, GroupStateQueries.Brief brief) {
    String value =
        switch (sort) {
          case STATE ->
              "%02d %d %012d"
                  .formatted(
                      ATTENTION.indexOf(brief.state()),
                      9 - brief.severity(),
                      999_999_999_999L - Math.round(brief.score() * 1000));
          case NAME, NAME_DESC -> stored.name().toLowerCase(Locale.ROOT);
          case UPDATED_AT, UPDATED_AT_DESC -> "%020d".formatted(stored.updatedAt().toEpochMilli());
          case OPEN_EVENTS_DESC -> "%010d".formatted(brief.open());
          case LAST_CHANGE_DESC ->
              brief.lastChange() == null
                  ? ""
                  : "%020d".formatted(brief.lastChange().toEpochMilli());
          case MEMBERS_DESC -> "%010d".formatted(brief.members());
        };
    return new String[] {value, stored.name().toLowerCase(Locale.ROOT), stored.id().toString()};
  }

  Comparator<String[]> order() {
    Comparator<String[]> byValue = Comparator.comparing(keys -> keys[0]);
    boolean descending =
        switch (sort) {
          case STATE, NAME, UPDATED_AT -> false;
          case NAME_DESC, UPDATED_AT_DESC, OPEN_EVENTS_DESC, LAST_CHANGE_DESC, MEMBERS_DESC -> true;
        };
    return (descending ? byValue.reversed() : byValue)
        .thenComparing(keys -> keys[1])
        .thenComparing(keys -> keys[2]);
  }
}
