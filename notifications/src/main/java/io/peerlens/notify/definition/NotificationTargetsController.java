package io.peerlens.notify.definition;

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
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.StoredRule;
import io.peerlens.notify.channel.AddressGuard;
import io.peerlens.notify.channel.EmailSettings;
import io.peerlens.notify.channel.SecretText;
import io.peerlens.notify.channel.SnmpSettings;
import io.peerlens.notify.channel.TargetSettings;
import io.peerlens.notify.channel.WebhookSettings;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.web.Page;
import io.peerlens.web.Paging;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class NotificationTargetsController implements NotificationTargetsApi {

  private final NotificationTargetStore store;
  private final NotificationTargetService service;
  private final Secrets secrets;
  private final AddressGuard guard;
  private final DefinitionEndpoints<
          NotificationTargetEdit, NotificationTarget, io.peerlens.api.model.NotificationTarget>
      endpoints;

  NotificationTargetsController(
      NotificationTargetStore store,
      NotificationTargetService service,
      Secrets secrets,
      AddressGuard guard) {
    this.guard = guard;
    this.store = store;
    this.service = service;
    this.secrets = secrets;
    this.endpoints = new DefinitionEndpoints<>(service, one -> answer(one, secrets.names()));
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
    Set<String> known = secrets.names();
    return ResponseEntity.ok(page.map(one -> answer(one, known)).as(NotificationTargetPage::new));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationTarget> createNotificationTarget(
      NotificationTargetEdit wanted) {
    return endpoints.create(wanted);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationTarget> getNotificationTarget(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationTarget> putNotificationTarget(
      UUID id, NotificationTargetEdit wanted, @Nullable String ifMatch) {
    return endpoints.put(id, wanted, ifMatch);
  }

  @Override
  public ResponseEntity<Void> deleteNotificationTarget(UUID id, @Nullable String ifMatch) {
    return endpoints.delete(id, ifMatch);
  }

  @Override
  public ResponseEntity<NotificationTargetVersionPage> listNotificationTargetHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(
        id, limit, cursor, NotificationTargetVersion::new, NotificationTargetVersionPage::new);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.NotificationTarget> restoreNotificationTarget(
      UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
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
    Set<String> named = new TreeSet<>(target.active().settings().secrets());
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
    String refusal = refusal(target.active().settings());
    if (refusal != null) {
      issues.add(
          new RuleIssue(
              edit.getType().getValue(),
              "nothing will be sent: " + refusal,
              "Let the administrator allow the address with peerlens.notify.egress.allow, or give"
                  + " another one."));
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
            service.usersOf(stored.id()),
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
