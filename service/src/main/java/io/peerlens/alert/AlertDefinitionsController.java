package io.peerlens.alert;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.alert.AlertDefinitionStore.Version;
import io.peerlens.api.AlertDefinitionsApi;
import io.peerlens.api.model.AlertDefinitionAction;
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
import io.peerlens.rule.Definitions;
import io.peerlens.rule.Versions;
import io.peerlens.threshold.Threshold;
import io.peerlens.threshold.ThresholdStore;
import io.peerlens.web.Cursor;
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
    List<StoredAlertDefinition> matching =
        store.byId().values().stream().filter(filter::matches).sorted(order(order)).toList();
    String scope = filter + " " + order;
    int from = 0;
    if (cursor != null) {
      UUID last = UUID.fromString(Cursor.keys(cursor, scope, 1).getFirst());
      while (from < matching.size() && !matching.get(from).id().equals(last)) {
        from++;
      }
      from = Math.min(from + 1, matching.size());
    }
    List<StoredAlertDefinition> page =
        matching.subList(from, Math.min(from + limit, matching.size()));
    boolean more = from + page.size() < matching.size();
    Map<UUID, Integer> openAlerts =
        open.count(page.stream().map(StoredAlertDefinition::id).toList());
    return ResponseEntity.ok(
        new AlertDefinitionPage(
            page.stream().map(one -> answer(one, openAlerts)).toList(),
            more ? Cursor.after(scope, page.getLast().id().toString()) : null,
            (long) matching.size()));
  }

  private static Comparator<StoredAlertDefinition> order(AlertDefinitionSort sort) {
    Comparator<StoredAlertDefinition> by =
        switch (sort) {
          case NAME, NAME_DESC -> Comparator.comparing(one -> one.name().toLowerCase(Locale.ROOT));
          case UPDATED_AT, UPDATED_AT_DESC ->
              Comparator.comparing(StoredAlertDefinition::updatedAt);
        };
    return (sort.getValue().startsWith("-") ? by.reversed() : by)
        .thenComparing(StoredAlertDefinition::id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.AlertDefinition> createAlertDefinition(
      AlertDefinitionCreation creation) {
    StoredAlertDefinition made = stored(service.create(creation));
    return ResponseEntity.created(URI.create("/api/v1/alert-definitions/" + made.id()))
        .eTag(Versions.tag(made.version()))
        .body(answer(made, Map.of()));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.AlertDefinition> getAlertDefinition(UUID id) {
    StoredAlertDefinition definition = stored(id);
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
    String scope = "history " + id;
    long before =
        cursor == null ? Long.MAX_VALUE : Long.parseLong(Cursor.keys(cursor, scope, 1).getFirst());
    // One more, to compare the last of the page with, and one to see whether there are more.
    List<Version> versions = store.history(id, before, limit + 1);
    if (versions.isEmpty() && before == Long.MAX_VALUE) {
      throw AlertDefinitionService.notFound(id);
    }
    List<AlertDefinitionVersion> page = new ArrayList<>();
    for (int i = 0; i < Math.min(limit, versions.size()); i++) {
      page.add(version(versions.get(i), i + 1 < versions.size() ? versions.get(i + 1) : null));
    }
    String next =
        versions.size() > limit
            ? Cursor.after(scope, Long.toString(page.getLast().getVersion()))
            : null;
    return ResponseEntity.ok(new AlertDefinitionVersionPage(page, next, store.versions(id)));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.AlertDefinition> restoreAlertDefinition(
      UUID id, Long version, @Nullable String ifMatch) {
    service.restore(id, version, ifMatch);
    return getAlertDefinition(id);
  }

  private StoredAlertDefinition stored(UUID id) {
    StoredAlertDefinition definition = store.byId().get(id);
    if (definition == null) {
      throw AlertDefinitionService.notFound(id);
    }
    return definition;
  }

  private static AlertDefinitionVersion version(Version version, @Nullable Version before) {
    return new AlertDefinitionVersion(
        version.definition().version(),
        AlertDefinitionAction.fromValue(version.action().label()),
        version.at(),
        version.by(),
        version.definition().edit(),
        before == null
            ? List.of()
            : Definitions.changes(
                Definitions.tree(before.definition().edit()),
                Definitions.tree(version.definition().edit())));
  }

  private io.peerlens.api.model.AlertDefinition answer(
      StoredAlertDefinition stored, Map<UUID, Integer> openAlerts) {
    AlertDefinitionEdit edit = stored.edit();
    AlertDefinition definition = stored.definition();
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
