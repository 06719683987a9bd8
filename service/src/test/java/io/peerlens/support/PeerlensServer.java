package io.peerlens.support;

import io.peerlens.Application;
import io.peerlens.role.Role;
import io.peerlens.security.FirstAdminToken;
import io.peerlens.security.FirstAdminTokenSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The service itself on a random port of the loopback interface, on a database of its own.
 *
 * @param adminToken secret of the first admin token; null when the database had one already
 */
public record PeerlensServer(
    ConfigurableApplicationContext context,
    TestDatabase database,
    String url,
    @Nullable String adminToken)
    implements AutoCloseable {

  /** Logging belongs to the JVM: of several servers that start, one sets it up at a time. */
  private static final ReentrantLock LOGGING = new ReentrantLock();

  static {
    Application.shareProcessor();
  }

  /**
   * The server that tests share, with the role api and an empty database: started by the first who
   * asks, stopped with the JVM. A test that uses it finds its own data by adapter kind.
   */
  public static PeerlensServer shared() {
    return Shared.SERVER;
  }

  /**
   * Starts a server. The caller closes it.
   *
   * @param settings more settings, such as {@code peerlens.security.session-idle=1s}
   */
  public static PeerlensServer start(TestDatabase database, Set<Role> roles, String... settings) {
    AtomicReference<@Nullable String> first = new AtomicReference<>();
    FirstAdminTokenSink sink = (FirstAdminToken token) -> first.set(token.secret());
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--server.shutdown=immediate",
                "--spring.datasource.url=" + database.jdbcUrl(),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password(),
                "--logging.level.root=warn",
                "--logging.level.com.networknt=error",
                "--peerlens.roles="
                    + roles.stream()
                        .map(role -> role.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(","))));
    for (String setting : settings) {
      arguments.add("--" + setting);
    }
    SpringApplicationBuilder builder =
        new SpringApplicationBuilder(Application.class)
            .initializers(
                c -> {
                  LOGGING.unlock(); // the environment is prepared, and with it the logging
                  ((GenericApplicationContext) c)
                      .registerBean(FirstAdminTokenSink.class, () -> sink);
                });
    ConfigurableApplicationContext context;
    LOGGING.lock();
    try {
      context = builder.run(arguments.toArray(String[]::new));
    } finally {
      if (LOGGING.isHeldByCurrentThread()) {
        LOGGING.unlock(); // it did not come so far
      }
    }
    String url = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
    return new PeerlensServer(context, database, url, first.get());
  }

  /** A client that signs its requests with the admin token. */
  public ApiClient admin() {
    if (adminToken == null) {
      throw new IllegalStateException("The database had a token before this server started");
    }
    return new ApiClient(url, adminToken);
  }

  /** A client that signs nothing. */
  public ApiClient anonymous() {
    return new ApiClient(url, null);
  }

  @Override
  public void close() {
    context.close();
  }

  private static final class Shared {
    static final PeerlensServer SERVER = start(TestDatabase.migrated(), Set.of(Role.API));
  }
}
