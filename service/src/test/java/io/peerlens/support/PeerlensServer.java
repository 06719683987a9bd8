package io.peerlens.support;

import io.peerlens.Application;
import io.peerlens.node.Role;
import io.peerlens.security.FirstAdminToken;
import io.peerlens.security.FirstAdminTokenSink;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The service itself on a random port of the loopback interface, on a database of its own. Test
 * classes keep it in static fields, which live as long as the JVM, so what it holds is let go when
 * it is closed.
 */
public final class PeerlensServer implements AutoCloseable {

  /** Logging belongs to the JVM: of several servers that start, one sets it up at a time. */
  private static final ReentrantLock LOGGING = new ReentrantLock();

  /** Setting with a key, for servers that keep secrets. */
  public static final String SECRETS_KEY =
      "peerlens.secrets.key=BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=";

  static {
    Application.shareProcessor();
  }

  private final TestDatabase database;
  private final String url;
  private final @Nullable String adminToken;
  private @Nullable ConfigurableApplicationContext context;

  private PeerlensServer(
      ConfigurableApplicationContext context, TestDatabase database, @Nullable String adminToken) {
    this.context = context;
    this.database = database;
    this.url = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
    this.adminToken = adminToken;
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
    return start(database, roles, null, settings);
  }

  /**
   * Starts a server whose clock is set by the test. The caller closes it.
   *
   * @param clock null = that of the machine
   */
  public static PeerlensServer start(
      TestDatabase database, Set<Role> roles, @Nullable InstantSource clock, String... settings) {
    AtomicReference<@Nullable String> first = new AtomicReference<>();
    FirstAdminTokenSink sink = (FirstAdminToken token) -> first.set(token.secret());
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--server.shutdown=immediate",
                // it is of the JVM, and keeps what was ever registered with it
                "--management.metrics.use-global-registry=false",
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
                  GenericApplicationContext beans = (GenericApplicationContext) c;
                  beans.registerBean(FirstAdminTokenSink.class, () -> sink);
                  if (clock != null) {
                    beans.registerBean(
                        "clockOfTheTest",
                        InstantSource.class,
                        () -> clock,
                        bean -> bean.setPrimary(true));
                  }
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
    return new PeerlensServer(context, database, first.get());
  }

  /** Without a slash at its end. */
  public String url() {
    return url;
  }

  public TestDatabase database() {
    return database;
  }

  /** Secret of the first admin token; null when the database had one already. */
  public @Nullable String adminToken() {
    return adminToken;
  }

  /** Its beans, until it is closed. */
  public ConfigurableApplicationContext context() {
    return Objects.requireNonNull(context, "closed");
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
    ConfigurableApplicationContext open = context;
    context = null;
    if (open != null) {
      open.close();
    }
  }

  private static final class Shared {
    static final PeerlensServer SERVER =
        start(TestDatabase.migrated(), Set.of(Role.API), SECRETS_KEY);
  }
}
