package io.peerlens.notify.render;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Address of the pages, for links in notifications: as it was set over the API, else as it is
 * configured ({@code peerlens.notify.url}). A change is seen after ten seconds.
 */
public final class PagesAddressQueries implements Supplier<String> {

  private static final long KEPT = Duration.ofSeconds(10).toNanos();

  private static final String READ =
      "select value ->> 'url' from setting where name = 'notifications' and value ->> 'url' is not"
          + " null";

  private record Known(String url, long at) {}

  private final JdbcClient jdbc;
  private final String configured;
  private volatile @Nullable Known known;

  /**
   * @param configured what holds while nothing is set; empty = no links
   */
  public PagesAddressQueries(JdbcClient jdbc, String configured) {
    this.jdbc = jdbc;
    this.configured = configured;
  }

  /** Without a slash at its end; empty = not known, so there are no links. */
  @Override
  public String get() {
    Known last = known;
    if (last == null || System.nanoTime() - last.at() > KEPT) {
      String url = jdbc.sql(READ).query(String.class).optional().orElse(configured);
      last = new Known(url.replaceFirst("/+$", ""), System.nanoTime());
      known = last;
    }
    return last.url();
  }
}
