package io.peerlens.assistant;

import io.peerlens.api.SettingsApi;
import io.peerlens.api.model.NotificationSettings;
import io.peerlens.load.ReadOperations;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Links to the pages: at the address of the pages when it is set, else at the host that the request
 * named.
 */
final class PageLinks {

  private static final Duration KEPT = Duration.ofSeconds(10);

  private final ReadOperations operations;
  private final Supplier<String> requested;
  private final InstantSource clock;
  private volatile @Nullable Known known;

  private record Known(@Nullable String url, Instant at) {}

  /**
   * @param requested the address that the request was sent to, without a slash at its end
   */
  PageLinks(ReadOperations operations, Supplier<String> requested, InstantSource clock) {
    this.operations = operations;
    this.requested = requested;
    this.clock = clock;
  }

  /** Address of the pages as it is set; null = it is not. Read again after ten seconds. */
  @Nullable String pages() {
    Known last = known;
    if (last == null || clock.instant().isAfter(last.at().plus(KEPT))) {
      NotificationSettings settings =
          operations.of(SettingsApi.class).getNotificationSettings().getBody();
      last = new Known(settings == null ? null : settings.getUrlInForce(), clock.instant());
      known = last;
    }
    return last.url();
  }

  private String base() {
    String set = pages();
    return set == null || set.isEmpty() ? requested.get() : set.replaceFirst("/+$", "");
  }

  /**
   * A link.
   *
   * @param path of fixed words and ids
   * @param query names and values in turn; null values are left out
   */
  String to(String path, @Nullable Object... query) {
    StringBuilder address = new StringBuilder(base()).append(path);
    char separator = '?';
    for (int i = 0; i + 1 < query.length; i += 2) {
      Object value = query[i + 1];
      if (value != null) {
        address
            .append(separator)
            .append(query[i])
            .append('=')
            .append(URLEncoder.encode(String.valueOf(value), StandardCharsets.UTF_8));
        separator = '&';
      }
    }
    return address.toString();
  }

  String object(UUID id) {
    return to("/objects/" + id);
  }

  String object(UUID id, TimeSpan span) {
    return to("/objects/" + id, "from", span.from(), "to", span.to());
  }

  String alert(UUID id) {
    return to("/alerts/" + id);
  }

  String outlier(UUID id) {
    return to("/outliers/events/" + id);
  }

  /** A list of ids separated by commas, as the page of comparisons takes it. */
  static String ids(List<UUID> ids) {
    return String.join(",", ids.stream().map(UUID::toString).toList());
  }
}
