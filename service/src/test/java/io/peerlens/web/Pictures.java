package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.LoadState;
import com.microsoft.playwright.options.ReducedMotion;
import com.microsoft.playwright.options.RequestOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Screenshots of the documents, taken from the running sample by {@code scripts/pictures}, which
 * names its address, its data directory and the folder for the pictures as system properties. No
 * build runs this class, as its name ends neither in Test nor in IT.
 */
class Pictures {

  private static final Duration HISTORY = Duration.ofMinutes(30);

  private final String url = System.getProperty("pictures.url", "http://localhost:8080");
  private final Path data = Path.of(System.getProperty("pictures.data", "../data"));
  private final Path folder = Path.of(System.getProperty("pictures.folder", "../docs/images"));

  @Test
  void picturesOfTheSampleAreTaken() throws Exception {
    try (Chromium chromium = Chromium.startOrSkip()) {
      BrowserContext context =
          chromium
              .browser()
              .newContext(
                  new NewContextOptions()
                      .setViewportSize(1440, 900)
                      .setColorScheme(ColorScheme.LIGHT)
                      .setReducedMotion(ReducedMotion.REDUCE));
      String token = Files.readString(data.resolve("admin-token")).strip();
      context
          .request()
          .post(url + "/api/v1/session", RequestOptions.create().setData(Map.of("token", token)));
      await()
          .atMost(HISTORY)
          .pollInterval(Duration.ofSeconds(5))
          .untilAsserted(
              () -> {
                assertThat(items(context, "/outlier-events?q=shop-web-04")).isNotEmpty();
                assertThat(items(context, "/jobs?limit=100").valueStream())
                    .noneMatch(
                        job ->
                            job.path("kind").asString("").equals("back-fill")
                                && job.path("state").asString("").equals("running"));
              });
      prepare(context);
      JsonNode event = items(context, "/outlier-events?q=shop-web-04").get(0);
      JsonNode group = first(context, "/outlier-groups", "shop/web");
      JsonNode waiting = first(context, "/super-metrics", "Host - VMs waiting for CPU (count)");

      picture(context, "/", "shop-web-04", "overview");
      picture(
          context, "/outliers/events/" + id(event), "What sets shop-web-04 apart", "outlier-event");
      picture(context, "/outliers/" + id(group), "What sets shop-web-04 apart", "outlier-group");
      JsonNode host = items(context, "/objects?name=east-general-esx06").get(0);
      String explained = "/super-metrics/" + id(waiting) + "?of=" + id(host);
      picture(context, explained, "Matched by line 1", "super-metric");
      picture(context, "/top-talkers?range=3h", "Who talks to whom", "top-talkers");
      context.close();
    }
  }

  /**
   * Lets pages wait for their fonts, which they otherwise use only if they are there at once, and
   * hides the reminder that notifications have no address for links.
   */
  private void prepare(BrowserContext context) {
    context.route(
        "**/*.css",
        route -> {
          APIResponse css = route.fetch();
          String text = css.text().replaceAll("font-display: *optional", "font-display:block");
          route.fulfill(new Route.FulfillOptions().setResponse(css).setBody(text));
        });
    Page page = context.newPage();
    page.navigate(url + "/");
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Not now")).click();
    page.close();
  }

  /** Takes a picture of the page at {@code address} when it shows {@code text} and has loaded. */
  private void picture(BrowserContext context, String address, String text, String name) {
    Page page = context.newPage();
    page.navigate(url + address);
    assertThat(page.locator("main").getByText(text).first()).isVisible();
    page.waitForLoadState(LoadState.NETWORKIDLE);
    assertThat(page.locator("[aria-busy=true]")).hasCount(0);
    page.evaluate("() => document.fonts.ready.then(() => true)");
    page.screenshot(new Page.ScreenshotOptions().setPath(folder.resolve(name + ".png")));
    page.close();
  }

  private JsonNode first(BrowserContext context, String list, String name) {
    String query = "?q=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    return items(context, list + query)
        .valueStream()
        .filter(item -> item.path("name").asString("").equals(name))
        .findFirst()
        .orElseThrow();
  }

  private JsonNode items(BrowserContext context, String path) {
    String answer = context.request().get(url + "/api/v1" + path).text();
    return JsonMapper.shared().readTree(answer).path("items");
  }

  private static String id(JsonNode item) {
    return item.path("id").asString("");
  }
}
