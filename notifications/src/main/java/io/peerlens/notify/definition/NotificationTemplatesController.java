package io.peerlens.notify.definition;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.alerttemplates.Needs;
import io.peerlens.api.NotificationTemplatesApi;
import io.peerlens.api.model.NotificationFormat;
import io.peerlens.api.model.NotificationNeeds;
import io.peerlens.api.model.NotificationTargetType;
import io.peerlens.api.model.NotificationTemplateClone;
import io.peerlens.api.model.NotificationTemplateEdit;
import io.peerlens.api.model.NotificationTemplatePage;
import io.peerlens.api.model.NotificationTemplateVersion;
import io.peerlens.api.model.NotificationTemplateVersionPage;
import io.peerlens.definition.StoredRule;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.web.Page;
import io.peerlens.web.Paging;
import io.peerlens.web.Versions;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class NotificationTemplatesController implements NotificationTemplatesApi {

  private final NotificationTemplates templates;
  private final NotificationTemplateStore store;
  private final NotificationTemplateService service;
  private final LookupStore lookups;
  private final Secrets secrets;

  NotificationTemplatesController(
      NotificationTemplates templates,
      NotificationTemplateStore store,
      NotificationTemplateService service,
      LookupStore lookups,
      Secrets secrets) {
    this.templates = templates;
    this.store = store;
    this.service = service;
    this.lookups = lookups;
    this.secrets = secrets;
  }

  @Override
  public ResponseEntity<NotificationTemplatePage> listNotificationTemplates(
      @Nullable String q,
      @Nullable Boolean builtIn,
      @Nullable NotificationTargetType targetType,
      Integer limit,
      @Nullable String cursor) {
    List<String> words = Paging.words(q);
    Page<NotificationTemplate> page =
        Paging.page(
            templates.all().stream()
                .filter(one -> builtIn == null || builtIn == one.builtIn())
                .filter(
                    one ->
                        targetType == null
                            || targetType.getValue().equals(one.template().targetType()))
                .filter(one -> Paging.holds(words, one.id(), one.template().description()))
                .toList(),
            one -> new String[] {one.id(), "", ""},
            "templates " + words + " " + builtIn + " " + targetType,
            limit,
            cursor);
    Set<String> known = secrets.names();
    return ResponseEntity.ok(page.map(one -> answer(one, known)).as(NotificationTemplatePage::new));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationTemplate> createNotificationTemplate(
      NotificationTemplateEdit wanted) {
    return created(service.createTemplate(wanted));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationTemplate> cloneNotificationTemplate(
      String id, NotificationTemplateClone wanted) {
    return created(service.copy(id, wanted));
  }

  private ResponseEntity<io.peerlens.api.model.NotificationTemplate> created(String id) {
    ResponseEntity<io.peerlens.api.model.NotificationTemplate> made = getNotificationTemplate(id);
    return ResponseEntity.created(URI.create("/api/v1/notification-templates/" + id))
        .eTag(made.getHeaders().getETag())
        .body(made.getBody());
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationTemplate> getNotificationTemplate(
      String id) {
    io.peerlens.api.model.NotificationTemplate answer =
        answer(templates.existing(id), secrets.names());
    return ResponseEntity.ok().eTag(Versions.tag(answer.getVersion())).body(answer);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationTemplate> putNotificationTemplate(
      String id, NotificationTemplateEdit wanted, @Nullable String ifMatch) {
    service.change(id, wanted, ifMatch);
    return getNotificationTemplate(id);
  }

  @Override
  public ResponseEntity<Void> deleteNotificationTemplate(String id, @Nullable String ifMatch) {
    service.delete(id, ifMatch);
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<NotificationTemplateVersionPage> listNotificationTemplateHistory(
      String id, Integer limit, @Nullable String cursor) {
    return ResponseEntity.ok(
        service
            .history(NotificationTemplate.key(id), limit, cursor)
            .map(
                version ->
                    new NotificationTemplateVersion(
                        version.stored().version(),
                        version.action().inApi(),
                        version.at(),
                        version.by(),
                        NotificationTemplateService.shown(version.stored().edit()),
                        version.changes()))
            .as(NotificationTemplateVersionPage::new));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationTemplate> restoreNotificationTemplate(
      String id, Long version, @Nullable String ifMatch) {
    service.restore(NotificationTemplate.key(id), version, ifMatch);
    return getNotificationTemplate(id);
  }

  private io.peerlens.api.model.NotificationTemplate answer(
      NotificationTemplate one, Set<String> knownSecrets) {
    AlertTemplate template = one.template();
    @Nullable StoredRule<NotificationTemplateEdit, NotificationTemplate> stored =
        one.builtIn() ? null : store.byId().get(NotificationTemplate.key(one.id()));
    return new io.peerlens.api.model.NotificationTemplate(
        one.id(),
        template.description(),
        template.version(),
        template.hash(),
        NotificationFormat.fromValue(template.format()),
        NotificationTargetType.fromValue(template.targetType()),
        stored == null ? List.of() : requireNonNullElse(stored.edit().getExamples(), List.of()),
        one.builtIn(),
        !one.builtIn() && templates.isBuiltIn(one.id()),
        needs(template.needs()),
        service.usersOf(one.id()),
        MissingNeeds.issues(template.needs(), lookups, knownSecrets::contains),
        template.toJson(),
        one.yaml(),
        template.words(),
        stored == null ? null : stored.pack(),
        stored == null ? 0L : stored.version(),
        stored == null ? null : stored.createdAt(),
        stored == null ? null : stored.createdBy(),
        stored == null ? null : stored.updatedAt(),
        stored == null ? null : stored.updatedBy());
  }

  private static NotificationNeeds needs(Needs needs) {
    return new NotificationNeeds(
        names(needs.metrics()),
        names(needs.superMetrics()),
        with(needs.properties(), needs, Needs.OfAncestor::properties),
        with(needs.tags(), needs, Needs.OfAncestor::tags),
        List.copyOf(needs.lookups()),
        List.copyOf(needs.secrets()));
  }

  private static List<String> with(
      Needs.Names own, Needs needs, Function<Needs.OfAncestor, Needs.Names> of) {
    Set<String> all = new TreeSet<>(names(own));
    needs.ancestors().values().forEach(ancestor -> all.addAll(names(of.apply(ancestor))));
    return List.copyOf(all);
  }

  /** {@code *} stands for every one. */
  private static List<String> names(Needs.Names names) {
    return names.all() ? List.of("*") : List.copyOf(names.names());
  }
}
