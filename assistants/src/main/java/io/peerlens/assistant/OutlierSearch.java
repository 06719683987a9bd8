package io.peerlens.assistant;

import io.peerlens.api.OutlierEventsApi;
import io.peerlens.api.model.OutlierEventPage;
import io.peerlens.api.model.OutlierEventSort;
import io.peerlens.api.model.OutlierEventStatus;
import io.peerlens.api.model.Severity;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Search for outlier events, the severest first: those filters of the operation that tools use, by
 * name. Events in any state, of all objects, unless it is said otherwise; null = not asked for.
 */
final class OutlierSearch {

  private @Nullable List<OutlierEventStatus> states;
  private @Nullable Boolean archived;
  private @Nullable List<Severity> severities;
  private @Nullable List<UUID> objects;
  private @Nullable UUID below;
  private @Nullable String words;
  private @Nullable String from;
  private @Nullable String to;

  /** Open events that nobody has archived. */
  static OutlierSearch open() {
    OutlierSearch search =
        new OutlierSearch().states(List.of(OutlierEventStatus.OPEN, OutlierEventStatus.UNKNOWN));
    search.archived = false;
    return search;
  }

  OutlierSearch states(@Nullable List<OutlierEventStatus> wanted) {
    states = wanted;
    return this;
  }

  OutlierSearch severities(@Nullable List<Severity> wanted) {
    severities = wanted;
    return this;
  }

  OutlierSearch objects(@Nullable List<UUID> wanted) {
    objects = wanted;
    return this;
  }

  /** Of this object and what is below it. */
  OutlierSearch below(@Nullable UUID wanted) {
    below = wanted;
    return this;
  }

  /** With these words in the name of the group or object. */
  OutlierSearch words(@Nullable String wanted) {
    words = wanted;
    return this;
  }

  /** Those that were open in between. */
  OutlierSearch between(@Nullable String begin, @Nullable String end) {
    from = begin;
    to = end;
    return this;
  }

  OutlierEventPage find(OutlierEventsApi api, int limit) {
    return Inventory.body(
        api.listOutlierEvents(
            states,
            archived,
            severities,
            null, // group
            objects,
            below,
            words,
            from,
            to,
            OutlierEventSort.SEVERITY_DESC,
            limit,
            null)); // cursor
  }
}
