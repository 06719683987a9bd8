package io.peerlens.dashboard;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.DashboardEdit;
import io.peerlens.api.model.FieldError;
import io.peerlens.api.model.PlaylistEdit;
import io.peerlens.api.model.PlaylistItem;
import io.peerlens.dashboard.file.Variable;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.StoredRule;
import io.peerlens.scope.ScopeReader;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Playlists as people change them. */
final class PlaylistService extends DefinitionService<PlaylistEdit, WallPlaylist> {

  /** Where an item names its dashboard. */
  private static final Pattern DASHBOARD = Pattern.compile("items\\[\\d+]\\.dashboard");

  private static final String USUAL_STAY = "30s";
  private static final Duration SHORTEST = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofHours(1);

  private final PlaylistStore store;
  private final DashboardStore dashboards;

  PlaylistService(
      PlaylistStore store,
      DashboardStore dashboards,
      DashboardNumberStore number,
      InstantSource clock,
      DashboardProperties properties) {
    super(
        store,
        number,
        clock,
        new DefinitionKind(
            "playlist", "/api/v1/playlists", properties.max(), "peerlens.dashboards.max"),
        List::of);
    this.store = store;
    this.dashboards = dashboards;
  }

  @Override
  protected @Nullable UUID wantedId(PlaylistEdit wanted) {
    return wanted.getId();
  }

  @Override
  protected PlaylistEdit prepared(UUID id, PlaylistEdit wanted, boolean isNew) {
    String name = wanted.getName().strip();
    if (name.isEmpty()) {
      throw ApiException.invalidField("name", "is blank");
    }
    List<PlaylistItem> items = wanted.getItems();
    for (int i = 0; i < items.size(); i++) {
      Duration stay = stay(items.get(i));
      if (stay.compareTo(SHORTEST) < 0 || stay.compareTo(LONGEST) > 0) {
        throw ApiException.invalidField(
            "items[%d].stay".formatted(i), "is not between 5 seconds and an hour");
      }
    }
    PlaylistEdit edit = new PlaylistEdit(ScopeReader.storable("name", name), wanted.getItems());
    if (wanted.getDescription() != null) {
      edit.setDescription(ScopeReader.storable("description", wanted.getDescription()));
    }
    edit.setInterruptAt(wanted.getInterruptAt());
    edit.setDim(wanted.getDim());
    return edit;
  }

  /** Dashboards may come later, or go; what is asked of those that are there has to be right. */
  @Override
  protected void check(WallPlaylist playlist) {
    List<FieldError> wrong =
        issues(playlist).stream()
            .filter(one -> !DASHBOARD.matcher(one.getField()).matches())
            .toList();
    if (wrong.isEmpty()) {
      return;
    }
    FieldError first = wrong.getFirst();
    ApiException problem = ApiException.invalidField(first.getField(), first.getReason());
    for (FieldError other : wrong.subList(1, wrong.size())) {
      problem = problem.field(other.getField(), other.getReason());
    }
    throw problem.hint("GET /api/v1/dashboards/{id} names the variables of a dashboard.");
  }

  /** How long a dashboard is shown. */
  static Duration stay(PlaylistItem item) {
    return Durations.parse(requireNonNullElse(item.getStay(), USUAL_STAY));
  }

  /** What a wall cannot show. */
  List<FieldError> issues(WallPlaylist playlist) {
    List<FieldError> issues = new ArrayList<>();
    List<PlaylistItem> items = playlist.edit().getItems();
    for (int i = 0; i < items.size(); i++) {
      PlaylistItem item = items.get(i);
      String path = "items[%d]".formatted(i);
      StoredRule<DashboardEdit, OwnedDashboard> dashboard = shown(item).orElse(null);
      if (dashboard == null) {
        issues.add(
            new FieldError(path + ".dashboard", "names no dashboard that everybody may read"));
        continue;
      }
      List<Variable> variables = dashboard.rule().dashboard().variables();
      Map<String, String> values = requireNonNullElse(item.getVariables(), Map.of());
      for (String name : values.keySet()) {
        if (find(variables, name).isEmpty()) {
          issues.add(
              new FieldError(path + ".variables." + name, "is no variable of the dashboard"));
        }
      }
      String repeat = item.getRepeat();
      if (repeat != null && !isRepeatable(find(variables, repeat).orElse(null))) {
        issues.add(
            new FieldError(
                path + ".repeat",
                "names no variable of the dashboard that is an object or has choices"));
      }
    }
    return issues;
  }

  private static Optional<Variable> find(List<Variable> variables, String name) {
    return variables.stream().filter(one -> one.name().equals(name)).findFirst();
  }

  private static boolean isRepeatable(@Nullable Variable variable) {
    return variable != null
        && (variable.type() == Variable.Type.OBJECT || !variable.choices().isEmpty());
  }

  /** The dashboard of an item, by its id or its name; empty when a wall may not show it. */
  Optional<StoredRule<DashboardEdit, OwnedDashboard>> shown(PlaylistItem item) {
    String wanted = item.getDashboard();
    StoredRule<DashboardEdit, OwnedDashboard> named = null;
    for (StoredRule<DashboardEdit, OwnedDashboard> one : dashboards.byId().values()) {
      if (one.rule().shared()) {
        if (one.id().toString().equalsIgnoreCase(wanted)) {
          return Optional.of(one);
        }
        if (one.name().equals(wanted)) {
          named = one;
        }
      }
    }
    return Optional.ofNullable(named);
  }

  List<StoredRule<PlaylistEdit, WallPlaylist>> all() {
    return List.copyOf(store.byId().values());
  }

  /** Moves with every change of any playlist, dashboard or view. */
  long version() {
    return store.version();
  }
}
