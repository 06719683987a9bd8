package io.peerlens.web;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A headless Chromium, if this machine has one; nothing is ever downloaded for it. */
record Chromium(Playwright playwright, Browser browser) implements AutoCloseable {

  private static final List<String> PLACES =
      List.of(
          "/usr/bin/chromium",
          "/usr/bin/chromium-browser",
          "/usr/bin/google-chrome",
          "/opt/google/chrome/chrome",
          "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");

  /**
   * Starts it. Without a Chromium in one of the usual places, or where the environment variable
   * CHROMIUM points, the calling test is skipped with a line that says so.
   */
  static Chromium startOrSkip() {
    Optional<Path> found =
        Stream.concat(Stream.of(System.getenv("CHROMIUM")), PLACES.stream())
            .filter(Objects::nonNull)
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();
    if (found.isEmpty()) {
      String said =
          "SKIPPED: no Chromium, so the pages are not tested. Install one, or set CHROMIUM.";
      System.err.println(said);
      Assumptions.abort(said);
    }
    // Builds share the machine; what waits is not wrong.
    PlaywrightAssertions.setDefaultAssertionTimeout(20_000);
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    Browser browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(found.orElseThrow())
                    .setTimeout(120_000)
                    // Containers have neither user namespaces for its sandbox nor a large /dev/shm.
                    .setArgs(List.of("--no-sandbox", "--disable-dev-shm-usage")));
    return new Chromium(playwright, browser);
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
