package io.peerlens.suiteapi;

import java.util.List;
import org.springframework.context.ApplicationContext;

/** Operations of the suite-api that a server has, for tests of other packages. */
public final class SuiteApiPaths {

  private SuiteApiPaths() {}

  /** Each as method and path, such as {@code GET /suite-api/api/resources/{id}}. */
  public static List<String> of(ApplicationContext server) {
    return server.getBean(Routes.class).all().stream()
        .map(
            route ->
                route.method() + " " + SuiteApiServlet.BASE + "/" + String.join("/", route.parts()))
        .toList();
  }
}
