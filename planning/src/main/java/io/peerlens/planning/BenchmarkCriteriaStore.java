package io.peerlens.planning;

import io.peerlens.run.reading.Criteria;
import io.peerlens.run.reading.CriteriaException;
import io.peerlens.run.reading.CriteriaReader;
import io.peerlens.settings.SettingStore;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Versions;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Store of the criteria that runs are judged by, as people wrote them. Thread-safe. */
final class BenchmarkCriteriaStore {

  private static final String NAME = "benchmark-criteria";
  private static final String CHANGED = "The criteria were changed";

  private final SettingStore settings;

  BenchmarkCriteriaStore(SettingStore settings) {
    this.settings = settings;
  }

  /** Criteria with their version; 0 = there never were any. */
  record Stored(List<Map<String, Object>> items, long version) {}

  Stored read() {
    SettingStore.Stored stored = settings.read(NAME);
    return new Stored(
        stored.json() == null
            ? List.of()
            : JsonMapper.shared().readValue(stored.json(), new TypeReference<>() {}),
        stored.version());
  }

  /**
   * Replaces all.
   *
   * @return the new version
   * @throws ApiException if they have mistakes, or were changed since the version that is named
   */
  long replace(List<Map<String, Object>> items, @Nullable String ifMatch, Instant now, String by) {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < items.size(); i++) {
      String name = parsed(items.get(i), "items[" + i + "]").name();
      if (name.isBlank() || !names.add(name)) {
        throw ApiException.invalidField(
            "items[" + i + "].name",
            name.isBlank() ? "is missing" : "there is another \"" + name + "\"");
      }
    }
    long current = settings.read(NAME).version();
    Versions.check(ifMatch, Versions.tag(current), CHANGED);
    String json = JsonMapper.shared().writeValueAsString(items);
    if (!settings.replace(NAME, current, json, now, by)) {
      throw Versions.stale(CHANGED);
    }
    return current + 1;
  }

  /**
   * Criteria as the service judges by them.
   *
   * @param field of the request that they stand in
   * @throws ApiException with all mistakes
   */
  static Criteria parsed(Object given, String field) {
    try {
      return CriteriaReader.read(JsonMapper.shared().writeValueAsString(given));
    } catch (CriteriaException e) {
      ApiException refused = ApiException.of(ErrorCode.INVALID_BODY, "The criteria have mistakes.");
      for (CriteriaException.Mistake one : e.mistakes()) {
        refused =
            refused.field(
                one.path().isEmpty() ? field : field + "." + one.path(),
                one.hint().isEmpty() ? one.text() : one.text() + ". " + one.hint());
      }
      throw refused;
    }
  }
}
