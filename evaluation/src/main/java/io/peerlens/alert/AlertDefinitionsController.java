package io.peerlens.alert;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.AlertDefinitionsApi;
import io.peerlens.api.model.AlertDefinitionCreation;
import io.peerlens.api.model.AlertDefinitionEdit;
import io.peerlens.api.model.AlertDefinitionPage;
import io.peerlens.api.model.AlertDefinitionSort;
import io.peerlens.api.model.AlertDefinitionVersion;
import io.peerlens.api.model.AlertDefinitionVersionPage;
import io.peerlens.api.model.Criticality;
import io.peerlens.api.model.Impact;
import io.peerlens.api.model.RuleRef;
import io.peerlens.api.model.Scope;
import io.peerlens.definition.DefinitionService.History;
import io.peerlens.definition.RuleVersion;
import io.peerlens.definition.StoredRule;
import io.peerlens.threshold.Threshold;
import io.peerlens.threshold.ThresholdStore;
import io.peerlens.web.Page;
import io.peerlens.web.Versions;
import java.net.URI;
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

  AlertDefinitionsController(
      AlertDefinitionStore store,
      AlertDefinitionService service,
      ThresholdStore thresholds,
      OpenAlertQueries open) {
    this.store = store;
    this.service = service;
    this.thresholds = thresholds;
    this.open = open;
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
    return ResponseEntity.ok(
        new AlertDefinitionPage(
            page.items().stream().map(one -> answer(one, openAlerts)).toList(),
            page.nextCursor(),
            page.total()));
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
    StoredRule<AlertDefinitionEdit, AlertDefinition> made = service.get(service.create(creation));
    return ResponseEntity.created(URI.create("/api/v1/alert-definitions/" + made.id()))
        .eTag(Versions.tag(made.version()))
        .body(answer(made, Map.of()));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.AlertDefinition> getAlertDefinition(UUID id) {
    StoredRule<AlertDefinitionEdit, AlertDefinition> definition = service.get(id);
    return ResponseEntity.ok()
        .eTag(Versions.tag(definition.version()))
        .body(answer(definition, open.count(List.of(id))));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.AlertDefinition> putAlertDefinition(
      UUID id, AlertDefinitionEdit edit, @Nullable String ifMatch) {
    service.change(id, edit, ifMatch);
    return getAlertDefinition(id);
  }

  @Override
  public ResponseEntity<Void> deleteAlertDefinition(UUID id, @Nullable String ifMatch) {
    service.delete(id, ifMatch);
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<AlertDefinitionVersionPage> listAlertDefinitionHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    History<AlertDefinitionEdit, AlertDefinition> history = service.history(id, limit, cursor);
    return ResponseEntity.ok(
        new AlertDefinitionVersionPage(
            history.items().stream().map(AlertDefinitionsController::version).toList(),
            history.next(),
            history.total()));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.AlertDefinition> restoreAlertDefinition(
      UUID id, Long version, @Nullable String ifMatch) {
    service.restore(id, version, ifMatch);
    return getAlertDefinition(id);
  }

  private static AlertDefinitionVersion version(
      RuleVersion<AlertDefinitionEdit, AlertDefinition> version) {
    return new AlertDefinitionVersion(
        version.stored().version(),
        version.action(),
        version.at(),
        version.by(),
        version.stored().edit(),
        version.changes());
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
        requireNonNullElse(edit.getCriticality(), Criticality.AUTO),
        edit.getCondition(),
        definition.waitCycles(),
        definition.cancelCycles(),
        definition.recommendations(),
        edit.getType(),
        edit.getSubType(),
        requireNonNullElse(edit.getTags(), List.of()),
        edit.getOwner(),
        stored.pack(),
        (int) definition.interval().toSeconds(),
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
