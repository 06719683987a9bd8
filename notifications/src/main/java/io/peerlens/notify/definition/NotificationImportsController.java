package io.peerlens.notify.definition;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.alerttemplates.TemplateException;
import io.peerlens.alerttemplates.VropsImport;
import io.peerlens.api.NotificationImportsApi;
import io.peerlens.api.model.ImportAction;
import io.peerlens.api.model.NotificationTemplateEdit;
import io.peerlens.api.model.OnConflict;
import io.peerlens.api.model.RuleImportState;
import io.peerlens.api.model.VropsTemplateImport;
import io.peerlens.api.model.VropsTemplateImportItem;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Import of payload templates of vRealize Operations, all of a file or none. */
@RestController
final class NotificationImportsController implements NotificationImportsApi {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final NotificationTemplates templates;
  private final NotificationTemplateStore store;
  private final NotificationTemplateService service;
  private final NotificationVersionStore number;
  private final InstantSource clock;

  NotificationImportsController(
      NotificationTemplates templates,
      NotificationTemplateStore store,
      NotificationTemplateService service,
      NotificationVersionStore number,
      InstantSource clock) {
    this.templates = templates;
    this.store = store;
    this.service = service;
    this.number = number;
    this.clock = clock;
  }

  private record Planned(VropsTemplateImportItem item, AlertTemplate template) {}

  @Heavy(HeavyWork.IMPORT)
  @Override
  public ResponseEntity<VropsTemplateImport> importVropsTemplates(
      Resource body, Boolean dryRun, @Nullable OnConflict onConflict) {
    List<VropsImport.Imported> read = read(body);
    OnConflict choice = requireNonNullElse(onConflict, OnConflict.SKIP);
    List<Planned> plan =
        dryRun
            ? plan(read, choice)
            : number.write(
                () -> {
                  List<Planned> made = plan(read, choice);
                  made.stream()
                      .filter(one -> one.item().getAction() != ImportAction.SKIP)
                      .forEach(this::store);
                  return made;
                });
    return ResponseEntity.ok(
        new VropsTemplateImport(
            dryRun,
            count(plan, ImportAction.CREATE),
            count(plan, ImportAction.OVERWRITE),
            count(plan, ImportAction.SKIP),
            plan.stream().map(Planned::item).toList()));
  }

  private static List<VropsImport.Imported> read(Resource body) {
    JsonNode file;
    try {
      file = JSON.readTree(body.getContentAsByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (JacksonException e) {
      throw ApiException.of(ErrorCode.INVALID_BODY, "It is no JSON: " + e.getOriginalMessage())
          .hint("Send payload templates as vRealize Operations exports them.");
    }
    try {
      return VropsImport.read(file);
    } catch (TemplateException e) {
      throw ApiException.of(ErrorCode.INVALID_BODY, "The file: " + e.mistakes().getFirst() + ".")
          .hint("Send payload templates as vRealize Operations exports them.");
    }
  }

  private List<Planned> plan(List<VropsImport.Imported> read, OnConflict onConflict) {
    List<Planned> plan = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (VropsImport.Imported one : read) {
      plan.add(plan(plan.size(), one, onConflict, ids));
    }
    return plan;
  }

  private Planned plan(
      int index, VropsImport.Imported imported, OnConflict onConflict, Set<String> ids) {
    AlertTemplate template = imported.template();
    String id = template.id();
    Optional<NotificationTemplate> stored = store.find(NotificationTemplate.key(id));
    RuleImportState state;
    ImportAction action;
    String reason;
    if (!ids.add(id)) {
      state = RuleImportState.CONFLICT;
      action = ImportAction.SKIP;
      reason = "Another template of the file has the id " + id + ".";
    } else if (stored.isEmpty()) {
      state = RuleImportState.NEW;
      action = ImportAction.CREATE;
      reason =
          templates.isBuiltIn(id)
              ? "It takes the place of the built-in template of the same id."
              : "It is not stored yet.";
    } else if (stored.get().template().hash().equals(template.hash())) {
      state = RuleImportState.SAME;
      action = ImportAction.SKIP;
      reason = "It is stored as it is in the file.";
    } else {
      state = RuleImportState.CHANGED;
      action = onConflict == OnConflict.OVERWRITE ? ImportAction.OVERWRITE : ImportAction.SKIP;
      reason =
          action == ImportAction.OVERWRITE
              ? "It replaces the stored one."
              : "The stored one is kept, as chosen.";
    }
    return new Planned(
        new VropsTemplateImportItem(
            index, template.description(), id, state, action, reason, imported.notes()),
        template);
  }

  private void store(Planned planned) {
    NotificationTemplateEdit edit =
        service.normal("", new NotificationTemplateEdit(planned.template().toJson()));
    service.importItem(
        NotificationTemplate.key(planned.template().id()),
        edit,
        null,
        clock.instant(),
        Caller.current().name());
  }

  private static int count(List<Planned> plan, ImportAction action) {
    return (int) plan.stream().filter(one -> one.item().getAction() == action).count();
  }
}
