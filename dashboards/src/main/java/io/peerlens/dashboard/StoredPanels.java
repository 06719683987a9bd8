package io.peerlens.dashboard;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.DashboardEdit;
import io.peerlens.api.model.DashboardPanelQuery;
import io.peerlens.api.model.PanelAlert;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelQuery;
import io.peerlens.api.model.UserRole;
import io.peerlens.dashboard.file.Variable;
import io.peerlens.definition.StoredRule;
import io.peerlens.panel.PanelRequests;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers of the panels of stored dashboards. Views are found as the owner of the dashboard finds
 * them, so that who may read the dashboard sees all of it.
 */
final class StoredPanels {

  /** All readers of a link share answers that are no older. */
  private static final String LINK_AGE = "30s";

  private final DashboardService dashboards;
  private final ViewStore views;
  private final LinkService links;
  private final DashboardValues values;
  private final PanelRequests panels;

  StoredPanels(
      DashboardService dashboards,
      ViewStore views,
      LinkService links,
      DashboardValues values,
      PanelRequests panels) {
    this.dashboards = dashboards;
    this.views = views;
    this.links = links;
    this.values = values;
    this.panels = panels;
  }

  /**
   * What a panel shows.
   *
   * @param name of the panel
   * @throws ApiException 404 if there is no such dashboard or panel, 403 if a link does not let its
   *     readers ask so
   */
  PanelAnswer answer(UUID id, String name, DashboardPanelQuery asked) {
    StoredRule<DashboardEdit, OwnedDashboard> dashboard = dashboards.get(id);
    ObjectNode definition = Json.tree(dashboard.edit().getDefinition());
    JsonNode panel = definition.path("panels").path(name);
    if (!panel.isObject()) {
      throw ApiException.notFound("panel", name).hint("The dashboard names its panels.");
    }
    Caller caller = Caller.current();
    boolean byLink = caller.role() == UserRole.LINK;
    Map<String, String> given = requireNonNullElse(asked.getVariables(), Map.of());
    check(dashboard.rule(), given);
    if (byLink) {
      if (asked.getTime() != null) {
        throw ApiException.of(ErrorCode.FORBIDDEN, "The link does not let its readers choose this.")
            .field("time", "is fixed by the link")
            .hint("Leave it out, or ask for another link.");
      }
      given = links.chosen(caller, dashboard.rule(), definition, given);
    }
    PanelQuery query = new PanelQuery(Json.map(panel));
    Map<String, Object> view =
        views.definition(
            Objects.requireNonNull(dashboard.rule().dashboard().panels().get(name), name).view(),
            dashboard.rule().owner());
    query.setView(view);
    query.setVariables(
        read(
            panel + (view == null ? "" : Json.tree(view).toString()),
            DashboardValues.texts(values.of(definition, given))));
    JsonNode own = definition.path("time");
    query.setTime(
        asked.getTime() != null ? asked.getTime() : own.isObject() ? Json.map(own) : null);
    query.setSort(asked.getSort());
    query.setPoints(asked.getPoints());
    query.setMaxAge(byLink ? LINK_AGE : asked.getMaxAge());
    PanelAnswer answer = panels.answer(query);
    return byLink ? withoutPeople(answer) : answer;
  }

  /** Whoever has a link learns nothing of the people here. */
  private static PanelAnswer withoutPeople(PanelAnswer answer) {
    // The answer is shared with others, who may know who has taken an alert.
    List<PanelAlert> alerts = answer.getAlerts();
    if (alerts == null || alerts.stream().allMatch(one -> one.getOwner() == null)) {
      return answer;
    }
    PanelAnswer without = Json.MAPPER.convertValue(answer, PanelAnswer.class);
    Objects.requireNonNull(without.getAlerts()).forEach(one -> one.setOwner(null));
    return without;
  }

  private static void check(OwnedDashboard dashboard, Map<String, String> given) {
    for (String name : given.keySet()) {
      if (dashboard.dashboard().variables().stream().map(Variable::name).noneMatch(name::equals)) {
        throw ApiException.invalidField("variables." + name, "is no variable of the dashboard");
      }
    }
  }

  /** Only the values that a question reads: another value of another variable asks nothing new. */
  private static Map<String, String> read(String question, Map<String, String> values) {
    Map<String, String> read = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (question.contains("$" + name)) {
            read.put(name, value);
          }
        });
    return read;
  }
}
