package io.peerlens.dashboard;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.DashboardEdit;
import io.peerlens.api.model.DashboardValue;
import io.peerlens.api.model.FieldError;
import io.peerlens.api.model.PlaylistEdit;
import io.peerlens.api.model.PlaylistItem;
import io.peerlens.api.model.PlaylistScreen;
import io.peerlens.api.model.PlaylistScreens;
import io.peerlens.api.model.RuleRef;
import io.peerlens.dashboard.DashboardValues.Value;
import io.peerlens.definition.StoredRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Screens of walls: the dashboards of playlists with what their variables are now. */
final class WallScreens {

  private static final int MOST_REPEATS = 50;

  private final PlaylistService playlists;
  private final DashboardValues values;

  WallScreens(PlaylistService playlists, DashboardValues values) {
    this.playlists = playlists;
    this.values = values;
  }

  /** What a wall shows in turn. */
  PlaylistScreens of(StoredRule<PlaylistEdit, WallPlaylist> playlist) {
    PlaylistEdit edit = playlist.edit();
    List<FieldError> issues = new ArrayList<>(playlists.issues(playlist.rule()));
    List<PlaylistScreen> screens = new ArrayList<>();
    for (int i = 0; i < edit.getItems().size(); i++) {
      int number = i;
      PlaylistItem item = edit.getItems().get(i);
      playlists
          .shown(item)
          .ifPresent(dashboard -> screens.addAll(screens(number, item, dashboard, issues)));
    }
    return new PlaylistScreens(
        playlist.id(),
        playlist.name(),
        playlists.version(),
        edit.getInterruptAt(),
        edit.getDim(),
        screens,
        issues);
  }

  private List<PlaylistScreen> screens(
      int number,
      PlaylistItem item,
      StoredRule<DashboardEdit, OwnedDashboard> dashboard,
      List<FieldError> issues) {
    JsonNode definition = Json.tree(dashboard.edit().getDefinition());
    Map<String, String> given = requireNonNullElse(item.getVariables(), Map.of());
    String repeat = item.getRepeat();
    JsonNode over =
        repeat == null
            ? null
            : definition
                .path("variables")
                .valueStream()
                .filter(one -> one.path("name").asString().equals(repeat))
                .findFirst()
                .orElse(null);
    if (repeat == null || over == null) {
      return List.of(screen(number, item, dashboard, definition, given, null));
    }
    Map<String, Value> known = new LinkedHashMap<>(values.of(definition, given));
    known.remove(repeat);
    List<PlaylistScreen> screens = new ArrayList<>();
    List<Value> choices = values.choices(over, MOST_REPEATS + 1, known);
    for (Value one : choices.subList(0, Math.min(choices.size(), MOST_REPEATS))) {
      Map<String, String> own = new LinkedHashMap<>(given);
      own.put(repeat, one.text());
      screens.add(screen(number, item, dashboard, definition, own, one.label()));
    }
    String path = "items[%d].repeat".formatted(number);
    if (choices.isEmpty()) {
      issues.add(new FieldError(path, "has no value now, so the dashboard is not shown"));
    } else if (choices.size() > MOST_REPEATS) {
      issues.add(
          new FieldError(
              path, "has more than %d values; the first are shown".formatted(MOST_REPEATS)));
    }
    return screens;
  }

  private PlaylistScreen screen(
      int number,
      PlaylistItem item,
      StoredRule<DashboardEdit, OwnedDashboard> dashboard,
      JsonNode definition,
      Map<String, String> given,
      @Nullable String of) {
    Map<String, Value> known = values.of(definition, given);
    List<DashboardValue> all = new ArrayList<>();
    for (JsonNode variable : definition.path("variables")) {
      String name = variable.path("name").asString();
      Value value = known.get(name);
      all.add(
          new DashboardValue(
              name,
              value == null ? null : value.text(),
              value == null ? null : value.label(),
              false,
              List.of()));
    }
    return new PlaylistScreen(
        number,
        new RuleRef(dashboard.id(), dashboard.name()),
        of == null ? dashboard.name() : dashboard.name() + ": " + of,
        (int) PlaylistService.stay(item).toSeconds(),
        all);
  }
}
