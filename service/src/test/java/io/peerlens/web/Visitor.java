package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.RequestOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Somebody signed in at an installation, with a browser window of their own. What the browser
 * complains of is kept; {@link #close} fails when there is anything.
 */
record Visitor(
    PagesInstallation installation, BrowserContext context, Page page, List<String> complaints)
    implements AutoCloseable {

  static Visitor of(
      Chromium chromium, PagesInstallation installation, int width, ColorScheme theme) {
    return of(chromium, installation, installation.token(), width, theme);
  }

  /** Signed in with this token rather than the admin's. */
  static Visitor of(
      Chromium chromium,
      PagesInstallation installation,
      String token,
      int width,
      ColorScheme theme) {
    BrowserContext context =
        chromium
            .browser()
            .newContext(new NewContextOptions().setViewportSize(width, 900).setColorScheme(theme));
    Page page = context.newPage();
    List<String> complaints = new ArrayList<>();
    page.onPageError(complaints::add);
    page.onConsoleMessage(
        (ConsoleMessage m) -> {
          // A save that comes second is refused, as is one of an ended session; the page says so.
          // A server that has too much to do is asked again.
          boolean expected =
              m.text().contains("412") || m.text().contains("401") || m.text().contains("503");
          if (m.type().equals("error") && !expected && !m.location().contains("/fonts/")) {
            complaints.add(m.text() + " " + m.location());
          }
        });
    context
        .request()
        .post(
            installation.url() + "/api/v1/session",
            RequestOptions.create().setData(Map.of("token", token)));
    return new Visitor(installation, context, page, complaints);
  }

  void go(String address) {
    page.navigate(installation.url() + address);
    // Chromium drops what it is loading when the machine gets or loses a network, as by a
    // container.
    if (complaints.removeIf(c -> c.contains("ERR_NETWORK_CHANGED"))) {
      page.navigate(installation.url() + address);
    }
    assertThat(page.locator("main")).isVisible();
  }

  /** Opens a page from its sources: a test then imports the very modules that the page uses. */
  void goToSources(String address) {
    sources(page, installation.url() + address, () -> go(address));
  }

  /** Lets an address of a page give the sources rather than bundles, for as long as this takes. */
  static void sources(Page page, String url, Runnable visit) {
    Path index = Path.of("src/main/resources/static/index.html");
    page.route(url, route -> route.fulfill(new Route.FulfillOptions().setPath(index)));
    visit.run();
    page.unroute(url);
  }

  /** Asks the API as a program would, with the token; the answer must be a success. */
  String api(String method, String path, @Nullable Object body, @Nullable String ifMatch) {
    RequestOptions options =
        RequestOptions.create()
            .setMethod(method)
            .setHeader("Authorization", "Bearer " + installation.token());
    if (body != null) {
      options.setData(body);
    }
    if (ifMatch != null) {
      options.setHeader("If-Match", ifMatch);
    }
    APIResponse answer = context.request().fetch(installation.url() + "/api/v1" + path, options);
    assertThat(answer.ok()).as("%s %s: %s", method, path, answer.text()).isTrue();
    return answer.text();
  }

  /** Signs in over the page, which asks for it. */
  void signInAgain() {
    assertThat(page.getByText("Your session has ended")).isVisible();
    page.getByLabel("API token").fill(installation.token());
    page.keyboard().press("Enter");
  }

  /** Makes a token with a role and gives its secret. */
  String token(String role) {
    String answer =
        api("POST", "/tokens", Map.of("name", role + " of the tests", "role", role), null);
    return Objects.requireNonNull(
        tools.jackson.databind.json.JsonMapper.shared().readTree(answer).get("secret").asString());
  }

  /** Stores a super metric of clusters and gives its id. */
  String superMetric(String name, String formula) {
    String answer =
        api(
            "POST",
            "/super-metrics",
            Map.of(
                "name",
                name,
                "formula",
                formula,
                "unitId",
                "percent",
                "kinds",
                List.of(Map.of("adapterKind", "VMWARE", "objectKind", "ClusterComputeResource"))),
            null);
    return Objects.requireNonNull(
        tools.jackson.databind.json.JsonMapper.shared().readTree(answer).get("id").asString());
  }

  @Override
  public void close() {
    // What is still being read when the window goes meets no routes of the test any more.
    List<String> complained =
        complaints.stream().filter(c -> !c.contains("ERR_NETWORK_CHANGED")).toList();
    context.close();
    assertThat(complained).as("errors on the console").isEmpty();
  }
}
