package io.peerlens.notify.target;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.NotificationTargetsApi;
import io.peerlens.api.model.NotificationLimits;
import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.api.model.NotificationTargetPage;
import io.peerlens.api.model.NotificationTargetType;
import io.peerlens.api.model.NotificationTargetVersion;
import io.peerlens.api.model.NotificationTargetVersionPage;
import io.peerlens.api.model.RuleIssue;
import io.peerlens.definition.DefinitionService.History;
import io.peerlens.definition.StoredRule;
import io.peerlens.notify.channel.EmailSettings;
import io.peerlens.notify.channel.SecretText;
import io.peerlens.notify.channel.SnmpSettings;
import io.peerlens.notify.channel.TargetSettings;
import io.peerlens.notify.channel.WebhookSettings;
import io.peerlens.notify.definition.Paging;
import io.peerlens.notify.egress.AddressGuard;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.web.Page;
import io.peerlens.web.Versions;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class NotificationTargetsController implements NotificationTargetsApi {

  private final NotificationTargetStore store;
  private final NotificationTargetService service;
  private final Secrets secrets;
  private final ObjectProvider<TargetUser> users;
  private final AddressGuard guard;

  NotificationTargetsController(
      NotificationTargetStore store,
      NotificationTargetService service,
      Secrets secrets,
      ObjectProvider<TargetUser> users,
      AddressGuard guard) {
    this.guard = guard;
    this.store = store;
    this.service = service;
    this.secrets = secrets;
    this.users = users;
  }

  @Override
  public ResponseEntity<NotificationTargetPage> listNotificationTargets(
      @Nullable String q,
      @Nullable Boolean enabled,
      @Nullable NotificationTargetType type,
      Integer limit,
      @Nullable String cursor) {
    List<String> words = Paging.words(q);
    Page<StoredRule<NotificationTargetEdit, NotificationTarget>> page =
        Paging.page(
            store.byId().values().stream()
                .filter(one -> enabled == null || enabled == one.rule().enabled())
                .filter(one -> type == null || type == one.edit().getType())
                .filter(
                    one ->
                        Paging.holds(
                            words, one.name(), one.edit().getDescription(), one.id().toString()))
                .toList(),
            one -> Paging.byName(one.name(), one.id()),
            "targets " + words + " " + enabled + " " + type,
            limit,
            cursor);
    Set<String> known = known();
    return ResponseEntity.ok(
        new NotificationTargetPage(
            page.items().stream().map(one -> answer(one, known)).toList(),
            page.nextCursor(),
            page.total()));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationTarget> createNotificationTarget(
      NotificationTargetEdit wanted) {
    UUID id = service.create(wanted);
    StoredRule<NotificationTargetEdit, NotificationTarget> stored = service.get(id);
    return ResponseEntity.created(URI.create("/api/v1/notification-targets/" + id))
        .eTag(Versions.tag(stored.version()))
        .body(answer(stored, known()));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationTarget> getNotificationTarget(UUID id) {
    StoredRule<NotificationTargetEdit, NotificationTarget> stored = service.get(id);
    return ResponseEntity.ok().eTag(Versions.tag(stored.version())).body(answer(stored, known()));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationTarget> putNotificationTarget(
      UUID id, NotificationTargetEdit wanted, @Nullable String ifMatch) {
    service.change(id, wanted, ifMatch);
    return getNotificationTarget(id);
  }

  @Override
  public ResponseEntity<Void> deleteNotificationTarget(UUID id, @Nullable String ifMatch) {
    service.delete(id, ifMatch);
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<NotificationTargetVersionPage> listNotificationTargetHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    History<NotificationTargetEdit, NotificationTarget> history =
        service.history(id, limit, cursor);
    return ResponseEntity.ok(
        new NotificationTargetVersionPage(
            history.items().stream()
                .map(
                    version ->
                        new NotificationTargetVersion(
                            version.stored().version(),
                            version.action(),
                            version.at(),
                            version.by(),
                            version.stored().edit(),
                            version.changes()))
                .toList(),
            history.next(),
            history.total()));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationTarget> restoreNotificationTarget(
      UUID id, Long version, @Nullable String ifMatch) {
    service.restore(id, version, ifMatch);
    return getNotificationTarget(id);
  }

  private Set<String> known() {
    return secrets.list().stream().map(Secrets.Listed::name).collect(Collectors.toSet());
  }

  /** Why nothing may be sent to where a target says; null = nothing is known against it. */
  private @Nullable String refusal(TargetSettings settings) {
    return switch (settings) {
      case EmailSettings email -> guard.refusal(email.host(), email.port());
      case SnmpSettings snmp -> guard.refusal(snmp.host(), snmp.port());
      case WebhookSettings webhook -> webhook.proxy() != null ? null : refusal(webhook.url());
    };
  }

  /** A host that is a secret is not looked at, nor a URL that is none. */
  private @Nullable String refusal(SecretText text) {
    try {
      URI url = new URI(text.source().replaceAll("\\$\\{secret:[^}]*}", "x"));
      String host = url.getHost();
      int usual = "http".equals(url.getScheme()) ? 80 : 443;
      return host == null || text.source().startsWith("${")
          ? null
          : guard.refusal(host, url.getPort() < 0 ? usual : url.getPort());
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private io.peerlens.api.model.NotificationTarget answer(
      StoredRule<NotificationTargetEdit, NotificationTarget> stored, Set<String> known) {
    NotificationTargetEdit edit = stored.edit();
    NotificationTarget target = stored.rule();
    Set<String> named = new TreeSet<>(target.inForce().settings().secrets());
    List<RuleIssue> issues = new ArrayList<>();
    for (String name : named) {
      if (!known.contains(name)) {
        issues.add(
            new RuleIssue(
                edit.getType().getValue(),
                "there is no secret " + name,
                "Store it with PUT /api/v1/secrets/" + name + "."));
      }
    }
    String refusal = refusal(target.inForce().settings());
    if (refusal != null) {
      issues.add(
          new RuleIssue(
              edit.getType().getValue(),
              "nothing will be sent: " + refusal,
              "Let the administrator allow the address with peerlens.notify.egress.allow, or give another one."));
    }
    return new io.peerlens.api.model.NotificationTarget(
            stored.id(),
            stored.name(),
            edit.getDescription(),
            target.enabled(),
            edit.getType(),
            requireNonNullElse(edit.getLimits(), new NotificationLimits()),
            edit.getHeartbeat(),
            List.copyOf(named),
            users.stream().flatMap(user -> user.users(stored.id()).stream()).toList(),
            issues,
            stored.pack(),
            stored.version(),
            stored.createdAt(),
            stored.createdBy(),
            stored.updatedAt(),
            requireNonNull(stored.updatedBy()))
        .webhook(edit.getWebhook())
        .email(edit.getEmail())
        .snmp(edit.getSnmp());
  }
}
