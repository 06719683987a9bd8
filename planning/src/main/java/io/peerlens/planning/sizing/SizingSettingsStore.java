package io.peerlens.planning.sizing;

import io.peerlens.api.model.RightSizingSettings;
import io.peerlens.scope.Scope;
import io.peerlens.scope.Scopes;
import io.peerlens.settings.SettingStore;
import io.peerlens.web.ApiException;
import io.peerlens.web.Versions;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Store of the settings of right-sizing. Thread-safe. */
final class SizingSettingsStore {

  private static final String NAME = "right-sizing";
  private static final String CHANGED = "The settings were changed";

  private final SettingStore settings;
  private final Scopes scopes;
  private final JsonMapper json;

  SizingSettingsStore(SettingStore settings, Scopes scopes, JsonMapper json) {
    this.settings = settings;
    this.scopes = scopes;
    this.json = json;
  }

  /** Settings with their version; 0 = nobody has changed them yet. */
  record Stored(RightSizingSettings settings, long version) {}

  Stored read() {
    SettingStore.Stored stored = settings.read(NAME);
    return new Stored(
        stored.json() == null
            ? SizingSettings.usual()
            : json.readValue(stored.json(), RightSizingSettings.class),
        stored.version());
  }

  /** As evaluations need them. */
  SizingSettings now() {
    return SizingSettings.of(read().settings());
  }

  /**
   * Replaces them.
   *
   * @return the new version
   * @throws ApiException if they make no sense, or were changed since the version that is named
   */
  long replace(RightSizingSettings wanted, @Nullable String ifMatch, Instant now, String by) {
    Scope exclude = SizingSettings.of(wanted).exclude();
    if (exclude != null && !scopes.unknownGroups(exclude).isEmpty()) {
      throw ApiException.invalidField(
              "exclude.groups", "there is no group " + scopes.unknownGroups(exclude).getFirst())
          .hint("GET /api/v1/groups lists those that are stored.");
    }
    long current = settings.read(NAME).version();
    Versions.check(ifMatch, Versions.tag(current), CHANGED);
    if (!settings.replace(NAME, current, json.writeValueAsString(wanted), now, by)) {
      throw Versions.stale(CHANGED);
    }
    return current + 1;
  }
}
