package io.peerlens.dashboard;

import io.peerlens.api.model.DashboardSort;
import io.peerlens.api.model.DashboardVisibility;
import io.peerlens.definition.StoredRule;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.web.Page;
import io.peerlens.web.Paging;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Filter and order of a list of dashboards or views; null and empty lists do not filter. As a text
 * it is the scope of cursors.
 *
 * @param words in lower case; all must occur
 * @param mine whether the caller is the owner
 * @param caller name of the caller
 */
record OwnedFilter(
    List<String> words,
    @Nullable String name,
    @Nullable String folder,
    List<String> kinds,
    List<String> packs,
    @Nullable Boolean mine,
    @Nullable DashboardVisibility visibility,
    DashboardSort sort,
    String caller) {

  <E, R extends Owned> Page<StoredRule<E, R>> page(
      List<StoredRule<E, R>> visible, int limit, @Nullable String cursor) {
    return Page.of(
        visible.stream().filter(this::matches).toList(),
        this::keys,
        3,
        order(),
        toString(),
        limit,
        cursor);
  }

  private <E, R extends Owned> boolean matches(StoredRule<E, R> stored) {
    R it = stored.rule();
    return (name == null || it.name().equalsIgnoreCase(name))
        && (folder == null || isIn(it.folder(), folder))
        && (kinds.isEmpty() || it.kinds().stream().map(ObjectKind::toString).anyMatch(this::isKind))
        && (packs.isEmpty() || (stored.pack() != null && packs.contains(stored.pack())))
        && (mine == null || mine == it.owner().equals(caller))
        && (visibility == null || it.shared() == (visibility == DashboardVisibility.SHARED))
        && Paging.holds(words, it.name(), it.folder(), it.description(), it.id().toString());
  }

  private boolean isKind(String kind) {
    return kinds.stream().anyMatch(kind::equalsIgnoreCase);
  }

  private static boolean isIn(@Nullable String folder, String wanted) {
    String path = folder == null ? "" : folder.toLowerCase(Locale.ROOT);
    String in = wanted.toLowerCase(Locale.ROOT);
    return path.equals(in) || path.startsWith(in + "/");
  }

  private <E, R extends Owned> String[] keys(StoredRule<E, R> stored) {
    String name = stored.name().toLowerCase(Locale.ROOT);
    String folder = stored.rule().folder();
    return switch (sort) {
      case NAME, NAME_DESC -> new String[] {name, "", stored.id().toString()};
      case FOLDER, FOLDER_DESC ->
          new String[] {
            folder == null ? "" : folder.toLowerCase(Locale.ROOT), name, stored.id().toString()
          };
      case UPDATED_AT, UPDATED_AT_DESC ->
          new String[] {
            "%015d".formatted(stored.updatedAt().toEpochMilli()), "", stored.id().toString()
          };
    };
  }

  private Comparator<String[]> order() {
    Comparator<String[]> first = Comparator.comparing(keys -> keys[0]);
    return (sort.getValue().startsWith("-") ? first.reversed() : first)
        .thenComparing(keys -> keys[1])
        .thenComparing(keys -> keys[2]);
  }
}
