package io.peerlens.dashboard;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.CreatedDashboardLink;
import io.peerlens.api.model.CreatedToken;
import io.peerlens.api.model.DashboardChoice;
import io.peerlens.api.model.DashboardEdit;
import io.peerlens.api.model.DashboardFreeVariable;
import io.peerlens.api.model.DashboardLink;
import io.peerlens.api.model.DashboardLinkReading;
import io.peerlens.api.model.DashboardLinkRequest;
import io.peerlens.api.model.DashboardValue;
import io.peerlens.dashboard.DashboardValues.Value;
import io.peerlens.dashboard.file.Variable;
import io.peerlens.definition.StoredRule;
import io.peerlens.scope.ScopeReader;
import io.peerlens.security.ApiTokens;
import io.peerlens.security.Caller;
import io.peerlens.security.SecurityProperties;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionOperations;
import tools.jackson.databind.JsonNode;

/**
 * Public links: each is a token of the role {@code link}, which is bound to one dashboard. What
 * such a token may call stands in the contract; here is what of the dashboard it shows.
 */
final class LinkService {

  private static final Duration USUAL = Duration.ofDays(30);
  private static final int MOST = 100;

  private final DashboardService dashboards;
  private final LinkStore store;
  private final ApiTokens tokens;
  private final DashboardValues values;
  private final LinkChoices choices;
  private final SecurityProperties properties;
  private final TransactionOperations transactions;
  private final InstantSource clock;

  LinkService(
      DashboardService dashboards,
      LinkStore store,
      ApiTokens tokens,
      DashboardValues values,
      LinkChoices choices,
      SecurityProperties properties,
      TransactionOperations transactions,
      InstantSource clock) {
    this.dashboards = dashboards;
    this.store = store;
    this.tokens = tokens;
    this.values = values;
    this.choices = choices;
    this.properties = properties;
    this.transactions = transactions;
    this.clock = clock;
  }

  /** Makes a link; the secret in the answer is kept nowhere. */
  CreatedDashboardLink create(UUID dashboard, DashboardLinkRequest wanted) {
    OwnedDashboard of = dashboards.get(dashboard).rule();
    if (!of.shared()) {
      throw ApiException.of(
              ErrorCode.CONFLICT, "The dashboard is private, so there is no public link to it.")
          .hint("Share it first.");
    }
    Map<String, Variable> variables = new LinkedHashMap<>();
    of.dashboard().variables().forEach(one -> variables.put(one.name(), one));
    String name = ScopeReader.storable("name", wanted.getName().strip());
    if (name.isEmpty()) {
      throw ApiException.invalidField("name", "is blank");
    }
    Instant now = clock.instant();
    Instant ends = end(wanted.getExpiresAt(), now);
    LinkTerms terms = terms(wanted, variables);
    if (store.list(dashboard, now).size() >= MOST) {
      throw ApiException.of(
              ErrorCode.CONFLICT, "There would be more than %d links to it.".formatted(MOST))
          .hint("Revoke those that nobody needs.");
    }
    CreatedToken made =
        Objects.requireNonNull(
            transactions.execute(
                status -> {
                  CreatedToken token =
                      tokens.createLink(name, Caller.current().name(), ends, dashboard);
                  store.insert(token.getToken().getId(), terms);
                  return token;
                }));
    DashboardLink link =
        store.list(dashboard, now).stream()
            .filter(one -> one.getId().equals(made.getToken().getId()))
            .findFirst()
            .orElseThrow();
    return new CreatedDashboardLink(
        link, made.getSecret(), "/link/%s#%s".formatted(dashboard, made.getSecret()));
  }

  private Instant end(@Nullable String wanted, Instant now) {
    if (wanted == null) {
      return now.plus(USUAL).truncatedTo(ChronoUnit.MILLIS);
    }
    Instant ends = Moments.field("expiresAt", wanted);
    if (!ends.isAfter(now)) {
      throw ApiException.invalidField("expiresAt", ends + " is not in the future");
    }
    if (ends.isAfter(now.plus(properties.tokenLongestLife()))) {
      throw ApiException.invalidField(
              "expiresAt", "is further away than the longest life of a token")
          .hint("Choose an earlier end, or raise peerlens.security.token-longest-life.");
    }
    return ends;
  }

  private static LinkTerms terms(DashboardLinkRequest wanted, Map<String, Variable> variables) {
    Map<String, String> fixed = requireNonNullElse(wanted.getVariables(), Map.of());
    List<DashboardFreeVariable> free = requireNonNullElse(wanted.getFree(), List.of());
    for (Map.Entry<String, String> one : fixed.entrySet()) {
      isVariable("variables." + one.getKey(), one.getKey(), variables.keySet());
      ScopeReader.storable("variables." + one.getKey(), one.getValue());
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < free.size(); i++) {
      DashboardFreeVariable one = free.get(i);
      String path = "free[%d]".formatted(i);
      isVariable(path + ".name", one.getName(), variables.keySet());
      if (!seen.add(one.getName())) {
        throw ApiException.invalidField(path + ".name", "is there twice");
      }
      List<String> choices = requireNonNullElse(one.getChoices(), List.of());
      String obstacle =
          choices.isEmpty()
              ? LinkChoices.obstacle(Objects.requireNonNull(variables.get(one.getName())))
              : null;
      if (obstacle != null) {
        throw ApiException.invalidField(path + ".choices", obstacle)
            .hint("Name the values that readers choose from, or fix the variable.");
      }
      for (int c = 0; c < choices.size(); c++) {
        ScopeReader.storable("%s.choices[%d]".formatted(path, c), choices.get(c));
      }
      String begins = fixed.get(one.getName());
      if (begins != null && !choices.isEmpty() && !choices.contains(begins)) {
        throw ApiException.invalidField(
            "variables." + one.getName(), "is none of the choices of the free variable");
      }
    }
    return new LinkTerms(fixed, free);
  }

  private static void isVariable(String path, String name, Set<String> variables) {
    if (!variables.contains(name)) {
      throw ApiException.invalidField(path, "is no variable of the dashboard")
          .hint("It has: " + (variables.isEmpty() ? "none" : String.join(", ", variables)) + ".");
    }
  }

  /** Links to a dashboard that are in force. */
  List<DashboardLink> list(UUID dashboard) {
    return store.list(dashboards.get(dashboard).id(), clock.instant());
  }

  /** Ends a link. */
  void revoke(UUID dashboard, UUID link) {
    if (list(dashboard).stream().noneMatch(one -> one.getId().equals(link))) {
      throw ApiException.notFound("link", link)
          .hint("GET /api/v1/dashboards/%s/links lists those in force.".formatted(dashboard));
    }
    tokens.revoke(link);
  }

  // ---------------------------------------------------------------------------------- reading

  /** What the link of a caller shows. */
  private LinkTerms terms(Caller caller) {
    return store
        .terms(caller.tokenId(), clock.instant())
        .orElseThrow(() -> ApiException.notFound("link", caller.tokenId()));
  }

  /**
   * The values of a link, with those that its reader chooses.
   *
   * @throws ApiException 403 if he may not choose one of them, 404 if the link has ended
   */
  Map<String, String> chosen(
      Caller caller, OwnedDashboard dashboard, JsonNode definition, Map<String, String> wanted) {
    return choices.of(terms(caller), dashboard, definition, wanted);
  }

  /** What a link makes of its dashboard. */
  DashboardLinkReading reading(Caller caller, StoredRule<DashboardEdit, OwnedDashboard> stored) {
    LinkTerms terms = terms(caller);
    JsonNode definition = Json.tree(stored.edit().getDefinition());
    Map<String, Value> known = values.of(definition, terms.variables());
    List<DashboardValue> all = new ArrayList<>();
    for (JsonNode variable : definition.path("variables")) {
      String name = variable.path("name").asString();
      Value value = known.get(name);
      DashboardFreeVariable free = terms.free(name).orElse(null);
      all.add(
          new DashboardValue(
              name,
              value == null ? null : value.text(),
              value == null ? null : value.label(),
              free != null,
              free == null ? List.of() : choices(variable, free, others(known, name))));
    }
    return new DashboardLinkReading(caller.name(), Objects.requireNonNull(caller.expiresAt()), all);
  }

  private static Map<String, Value> others(Map<String, Value> known, String name) {
    Map<String, Value> others = new LinkedHashMap<>(known);
    others.remove(name);
    return others;
  }

  private List<DashboardChoice> choices(
      JsonNode variable, DashboardFreeVariable free, Map<String, Value> known) {
    List<String> texts = requireNonNullElse(free.getChoices(), List.of());
    if (texts.isEmpty()) {
      return values.choices(variable, MOST, known).stream()
          .map(one -> new DashboardChoice(one.text(), one.label()))
          .toList();
    }
    Map<String, String> names = values.names(texts);
    return texts.stream()
        .map(text -> new DashboardChoice(text, names.getOrDefault(text, text)))
        .toList();
  }
}
