package io.peerlens.alert;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.AlertDefinitionsApi;
import io.peerlens.api.model.AlertDefinitionCreation;
import io.peerlens.api.model.AlertDefinitionEdit;
import io.peerlens.api.model.AlertDefinitionPage;
import io.peerlens.api.model.AlertDefinitionSeverity;
import io.peerlens.api.model.AlertDefinitionSort;
import io.peerlens.api.model.AlertDefinitionVersion;
import io.peerlens.api.model.AlertDefinitionVersionPage;
import io.peerlens.api.model.Impact;
import io.peerlens.api.model.RuleRef;
import io.peerlens.api.model.Scope;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.StoredRule;
import io.peerlens.threshold.Threshold;
import io.peerlens.threshold.ThresholdStore;
import io.peerlens.web.Durations;
import io.peerlens.web.Page;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class AlertDefinitionsController implements AlertDefinitionsApi {

  private final AlertDefinitionStore store;
  private final AlertDefinitionService service;
  private final ThresholdStore thresholds;
  private final OpenAlertQueries open;
  private final DefinitionEndpoints<
          AlertDefinitionEdit, AlertDefinition, io.peerlens.api.model.AlertDefinition>
      endpoints;

  AlertDefinitionsController(
      AlertDefinitionStore store,
      AlertDefinitionService service,
      ThresholdStore thresholds,
      OpenAlertQueries open) {
    this.store = store;
    this.service = service;
    this.thresholds = thresholds;
    this.open = open;
    this.endpoints =
        new DefinitionEndpoints<>(service, one -> answer(one, open.count(List.of(one.id()))));
  }

  @Override
  public ResponseEntity<AlertDefinitionPage> listAlertDefinitions(
      @Nullable String q,
      @Nullable List<String> adapterKind,
      @Nullable List<String> objectKind,
      @Nullable UUID threshold,
      @Nullable Boolean enabled,
      @Nullable List<Impact> impact,
      @Nullable List<String> pack,
      @Nullable List<String> tag,
      @Nullable AlertDefinitionSort sort,
      Integer limit,
      @Nullable String cursor) {
    AlertDefinitionFilter filter =
        new AlertDefinitionFilter(
            q, adapterKind, objectKind, threshold, enabled, impact, pack, tag);
    AlertDefinitionSort order = sort == null ? AlertDefinitionSort.NAME : sort;
    Page<StoredRule<AlertDefinitionEdit, AlertDefinition>> page =
        Page.of(
            store.byId().values().stream().filter(filter::matches).toList(),
            one -> keys(one, order),
            2,
            order(order),
            filter + " " + order,
            limit,
            cursor);
    Map<UUID, Integer> openAlerts = open.count(page.items().stream().map(StoredRule::id).toList());
    return ResponseEntity.ok(page.map(one -> answer(one, openAlerts)).as(AlertDefinitionPage::new));
  }

  private static String[] keys(
      StoredRule<AlertDefinitionEdit, AlertDefinition> one, AlertDefinitionSort sort) {
    String first =
        switch (sort) {
          case NAME, NAME_DESC -> one.name().toLowerCase(Locale.ROOT);
          case UPDATED_AT, UPDATED_AT_DESC -> "%015d".formatted(one.updatedAt().toEpochMilli());
        };
    return new String[] {first, one.id().toString()};
  }

  private static Comparator<String[]> order(AlertDefinitionSort sort) {
    Comparator<String[]> first = Comparator.comparing(keys -> keys[0]);
    return (sort.getValue().startsWith("-") ? first.reversed() : first)
        .thenComparing(keys -> keys[1]);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.AlertDefinition> createAlertDefinition(
      AlertDefinitionCreation creation) {
    return endpoints.created(service.create(creation));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.AlertDefinition> getAlertDefinition(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.AlertDefinition> putAlertDefinition(
      UUID id, AlertDefinitionEdit edit, @Nullable String ifMatch) {
    return endpoints.put(id, edit, ifMatch);
  }

  @Override
  public ResponseEntity<Void> deleteAlertDefinition(UUID id, @Nullable String ifMatch) {
    return endpoints.delete(id, ifMatch);
  }

  @Override
  public ResponseEntity<AlertDefinitionVersionPage> listAlertDefinitionHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(
        id, limit, cursor, AlertDefinitionVersion::new, AlertDefinitionVersionPage::new);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.AlertDefinition> restoreAlertDefinition(
      UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
  }

  private io.peerlens.api.model.AlertDefinition answer(
      StoredRule<AlertDefinitionEdit, AlertDefinition> stored, Map<UUID, Integer> openAlerts) {
    AlertDefinitionEdit edit = stored.edit();
    AlertDefinition definition = stored.rule();
    List<RuleRef> named = new ArrayList<>();
    String error = null;
    for (UUID id : definition.thresholds()) {
      Optional<Threshold> threshold = thresholds.find(id);
      named.add(new RuleRef(id, threshold.map(Threshold::name).orElse("deleted threshold")));
      if (error == null && threshold.isEmpty()) {
        error = "The threshold " + id + " is deleted.";
      } else if (error == null && !threshold.orElseThrow().enabled()) {
        error = "The threshold \"" + threshold.orElseThrow().name() + "\" is disabled.";
      }
    }
    return new io.peerlens.api.model.AlertDefinition(
        stored.id(),
        stored.name(),
        edit.getDescription(),
        definition.enabled(),
        edit.getObjectKind(),
        edit.getScope() == null ? new Scope() : edit.getScope(),
        edit.getImpact(),
        requireNonNullElse(edit.getSeverity(), AlertDefinitionSeverity.AUTO),
        edit.getCondition(),
        definition.waitCycles(),
        definition.cancelCycles(),
        definition.recommendations(),
        edit.getType(),
        edit.getSubType(),
        requireNonNullElse(edit.getTags(), List.of()),
        edit.getOwner(),
        stored.pack(),
        Durations.print(definition.interval()),
        named,
        openAlerts.getOrDefault(stored.id(), 0),
        error,
        stored.version(),
        stored.createdAt(),
        stored.createdBy(),
        stored.updatedAt(),
        stored.updatedBy());
  }
}
