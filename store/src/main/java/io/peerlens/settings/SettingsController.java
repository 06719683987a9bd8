package io.peerlens.settings;

import io.peerlens.api.SettingsApi;
import io.peerlens.api.model.IngestGuardSettings;
import io.peerlens.api.model.NotificationSettings;
import io.peerlens.api.model.NotificationSettingsEdit;
import io.peerlens.api.model.RetentionSettings;
import io.peerlens.audit.AuditNote;
import io.peerlens.ingest.IngestGuards;
import io.peerlens.samples.GuardSettings;
import io.peerlens.security.Caller;
import io.peerlens.settings.SettingStore.Stored;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import io.peerlens.web.Versions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The configuration objects. Each has a version, which is its ETag; a change must name the version
 * it was made from, so that two people never undo each other's change unawares.
 */
@RestController
final class SettingsController implements SettingsApi {

  private static final String CHANGED = "The settings were changed";
  private static final String RETENTION = "retention";
  private static final String GUARDS = "ingest-guards";
  private static final String NOTIFICATIONS = "notifications";
  private static final RetentionSettings DEFAULT_RETENTION =
      new RetentionSettings("14d", "90d", "730d");

  private final SettingStore settings;
  private final InstantSource clock;
  private final JsonMapper json;
  private final String configuredUrl;

  SettingsController(
      SettingStore settings,
      InstantSource clock,
      JsonMapper json,
      @Value("${peerlens.notify.url:}") String configuredUrl) {
    this.configuredUrl = configuredUrl;
    this.settings = settings;
    this.clock = clock;
    this.json = json;
  }

  @Override
  public ResponseEntity<RetentionSettings> getRetention() {
    Stored stored = settings.read(RETENTION);
    return answer(
        stored.json() == null
            ? DEFAULT_RETENTION
            : json.readValue(stored.json(), RetentionSettings.class),
        stored.version());
  }

  @Override
  public ResponseEntity<RetentionSettings> putRetention(
      RetentionSettings wanted, @Nullable String ifMatch) {
    Duration raw = keep(wanted.getRaw());
    Duration fine = keep(wanted.getRollup5m());
    Duration coarse = keep(wanted.getRollup1h());
    if (raw.compareTo(Duration.ofDays(1)) < 0) {
      throw ApiException.invalidField("raw", "is shorter than 1d");
    }
    if (raw.compareTo(fine) > 0) {
      throw ApiException.invalidField("rollup5m", "is shorter than raw")
          .hint("A coarser level is kept at least as long as a finer one.");
    }
    if (fine.compareTo(coarse) > 0) {
      throw ApiException.invalidField("rollup1h", "is shorter than rollup5m")
          .hint("A coarser level is kept at least as long as a finer one.");
    }
    return answer(wanted, replace(RETENTION, ifMatch, json.writeValueAsString(wanted)));
  }

  @Override
  public ResponseEntity<IngestGuardSettings> getIngestGuards() {
    Stored stored = settings.read(GUARDS);
    IngestGuards guards = GuardSettings.parse(stored.json());
    return answer(
        new IngestGuardSettings(
            guards.newObjectsPerMinute(),
            guards.newMetricsPerMinute(),
            guards.newSetsPerMinute(),
            Durations.print(guards.maxFuture()),
            guards.maxRecordBytes()),
        stored.version());
  }

  @Override
  public ResponseEntity<IngestGuardSettings> putIngestGuards(
      IngestGuardSettings wanted, @Nullable String ifMatch) {
    Duration maxFuture = Durations.parse(wanted.getMaxFuture());
    if (maxFuture.compareTo(Duration.ofDays(30)) > 0) {
      throw ApiException.invalidField("maxFuture", "is longer than 30d");
    }
    // Guards that the contract does not show stay as they are.
    ObjectNode node = node(settings.read(GUARDS));
    node.put("newObjectsPerMinute", wanted.getNewObjectsPerMinute());
    node.put("newMetricNamesPerMinute", wanted.getNewMetricNamesPerMinute());
    node.put("newSetsPerMinute", wanted.getNewSetsPerMinute());
    node.put("maxFuture", Durations.print(maxFuture));
    node.put("maxRecordBytes", wanted.getMaxRecordBytes());
    return answer(wanted, replace(GUARDS, ifMatch, json.writeValueAsString(node)));
  }

  @Override
  public ResponseEntity<NotificationSettings> getNotificationSettings() {
    Stored stored = settings.read(NOTIFICATIONS);
    return answer(notifications(node(stored).path("url").asString(null)), stored.version());
  }

  @Override
  public ResponseEntity<NotificationSettings> putNotificationSettings(
      NotificationSettingsEdit wanted, @Nullable String ifMatch) {
    String url = wanted.getUrl() == null ? null : wanted.getUrl().replaceFirst("/+$", "");
    String value = json.writeValueAsString(json.createObjectNode().put("url", url));
    return answer(notifications(url), replace(NOTIFICATIONS, ifMatch, value));
  }

  private NotificationSettings notifications(@Nullable String url) {
    String inForce = url != null ? url : configuredUrl.isEmpty() ? null : configuredUrl;
    return new NotificationSettings(url, inForce);
  }

  // -----------------------------------------------------------------------------------------------

  private ObjectNode node(Stored stored) {
    return stored.json() == null
        ? json.createObjectNode()
        : (ObjectNode) json.readTree(stored.json());
  }

  /** Gives the new version. */
  private long replace(String name, @Nullable String ifMatch, String value) {
    Stored before = settings.read(name);
    long current = before.version();
    Versions.check(ifMatch, Versions.tag(current), CHANGED);
    JsonNode old = node(before);
    AuditNote.changed(
        json.readTree(value)
            .propertyStream()
            .filter(field -> !field.getValue().equals(old.get(field.getKey())))
            .map(Map.Entry::getKey)
            .toList());
    if (!settings.replace(name, current, value, clock.instant(), Caller.current().name())) {
      throw Versions.stale(CHANGED);
    }
    return current + 1;
  }

  private static <T> ResponseEntity<T> answer(T body, long version) {
    return ResponseEntity.ok().eTag(Versions.tag(version)).body(body);
  }

  private static Duration keep(@Nullable String text) {
    return text == null ? Durations.FOR_EVER : Durations.parse(Objects.requireNonNull(text));
  }
}
