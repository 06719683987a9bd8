package io.peerlens.dashboard;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.DashboardFreeVariable;
import io.peerlens.api.model.PanelQuery;
import io.peerlens.dashboard.DashboardValues.Value;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.Variable;
import io.peerlens.panel.PanelRequests;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Choices of who reads by a link. Values of variables are put into the keys, tags, groups and
 * conditions of panels, so whoever may choose any text may ask for almost anything: a reader
 * chooses among what the link or the dashboard lists, objects that the variable is about, numbers,
 * moments, and slices of what a panel shows.
 */
final class LinkChoices {

  private static final int MOST_OBJECTS = 20;
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,15}([.][0-9]{1,15})?");
  private static final Pattern TIME = Pattern.compile("[0-9TZ:.,/+-]{1,80}");

  private final DashboardValues values;
  private final ViewStore views;
  private final PanelRequests panels;

  LinkChoices(DashboardValues values, ViewStore views, PanelRequests panels) {
    this.values = values;
    this.views = views;
    this.panels = panels;
  }

  /** Why a variable cannot be free without choices of the link; null = it can. */
  static @Nullable String obstacle(Variable variable) {
    if (!variable.choices().isEmpty()) {
      return null;
    }
    return switch (variable.type()) {
      case NUMBER, TIME, SLICE -> null;
      case OBJECT, OBJECTS ->
          variable.kinds().isEmpty() ? "is about objects of any kind, so it needs choices" : null;
      case TAG, GROUP, METRIC, TEXT -> "can be any text, so it needs choices";
    };
  }

  /**
   * The values of a link, with those that its reader chooses.
   *
   * @throws ApiException 403 if he may not choose one of them
   */
  Map<String, String> of(
      LinkTerms terms, OwnedDashboard dashboard, JsonNode definition, Map<String, String> chosen) {
    Map<String, String> all = new LinkedHashMap<>(terms.variables());
    if (chosen.isEmpty()) {
      return all;
    }
    // What is chosen is looked at one by one: no value that was not looked at chooses another.
    for (Variable variable : dashboard.dashboard().variables()) {
      String value = chosen.get(variable.name());
      if (value != null) {
        String refused = refused(terms, variable, value, dashboard, definition, all);
        if (refused != null) {
          throw ApiException.of(
                  ErrorCode.FORBIDDEN, "The link does not let its readers choose this.")
              .field("variables." + variable.name(), refused)
              .hint("Leave it out, or ask for another link.");
        }
        all.put(variable.name(), value);
      }
    }
    return all;
  }

  private @Nullable String refused(
      LinkTerms terms,
      Variable variable,
      String value,
      OwnedDashboard dashboard,
      JsonNode definition,
      Map<String, String> before) {
    DashboardFreeVariable free = terms.free(variable.name()).orElse(null);
    if (free == null) {
      return "is fixed by the link";
    }
    List<String> choices = requireNonNullElse(free.getChoices(), List.of());
    choices = choices.isEmpty() ? variable.choices() : choices;
    if (!choices.isEmpty()) {
      boolean listed =
          choices.contains(value)
              || (variable.type() == Variable.Type.OBJECTS
                  && choices.containsAll(Arrays.asList(value.split(",", -1))));
      return listed ? null : "is none of its choices";
    }
    String obstacle = obstacle(variable);
    if (obstacle != null) {
      return obstacle;
    }
    boolean fits =
        switch (variable.type()) {
          case NUMBER -> NUMBER.matcher(value).matches();
          case TIME -> TIME.matcher(value).matches();
          case SLICE -> isSlice(variable.name(), value, dashboard, definition);
          default -> areObjects(variable, value, definition, before);
        };
    return fits ? null : "is nothing that the dashboard lets readers choose";
  }

  private boolean areObjects(
      Variable variable, String value, JsonNode definition, Map<String, String> before) {
    List<UUID> ids = DashboardValues.ids(value);
    if (ids.isEmpty()
        || ids.size() > (variable.type() == Variable.Type.OBJECT ? 1 : MOST_OBJECTS)
        || ids.size() != value.split(",", -1).length) {
      return false;
    }
    Map<String, Value> known = values.of(definition, before);
    known.remove(variable.name());
    return definition
        .path("variables")
        .valueStream()
        .filter(one -> one.path("name").asString().equals(variable.name()))
        .allMatch(one -> values.canBe(one, ids, known));
  }

  private boolean isSlice(
      String variable, String value, OwnedDashboard dashboard, JsonNode definition) {
    if (value.isEmpty()) {
      return true;
    }
    for (Map.Entry<String, Panel> panel : dashboard.dashboard().panels().entrySet()) {
      if ("slice".equals(panel.getValue().sets().get(variable))) {
        PanelQuery query = new PanelQuery(Json.map(definition.path("panels").path(panel.getKey())));
        query.setView(views.definition(panel.getValue().view(), dashboard.owner()));
        if (panels.isSlice(query, variable, value)) {
          return true;
        }
      }
    }
    return false;
  }
}
