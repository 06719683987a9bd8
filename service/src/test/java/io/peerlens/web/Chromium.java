package io.peerlens.web;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.peerlens.support.Missing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * A headless Chromium, if this machine has one; nothing is ever downloaded for it. Whoever has
 * taken one has it alone, as Playwright is not thread-safe; closed, it waits for the next test
 * class and ends with the JVM. So there are as many as test classes need one at the same time.
 */
record Chromium(Playwright playwright, Browser browser) implements AutoCloseable {

  private static final Queue<Chromium> IDLE = new ConcurrentLinkedQueue<>();

  private static final List<String> PLACES =
      List.of(
          // the engine without the windows, menus and services of the desktop program
          "/usr/bin/chromium-headless-shell",
          "/usr/bin/chromium",
          "/usr/bin/chromium-browser",
          "/usr/bin/google-chrome",
          "/opt/google/chrome/chrome",
          "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");

  /**
   * Takes one that is free or starts one. Without a Chromium in one of the usual places, or where
   * the environment variable CHROMIUM points, the calling test is skipped with a line that says so.
   */
  static Chromium startOrSkip() {
    Chromium free = IDLE.poll();
    return free == null ? start() : free;
  }

  private static Chromium start() {
    Optional<Path> found =
        Stream.concat(Stream.of(System.getenv("CHROMIUM")), PLACES.stream())
            .filter(Objects::nonNull)
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();
    if (found.isEmpty()) {
      throw Missing.tool(
          "Chromium",
          "Debian package chromium-headless-shell or chromium, or the variable CHROMIUM");
    }
    // Builds share the machine; what waits is not wrong.
    PlaywrightAssertions.setDefaultAssertionTimeout(30_000);
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
    Runtime.getRuntime().addShutdownHook(new Thread(playwright::close));
    return new Chromium(playwright, browser);
  }

  /** Closes its windows; the browser itself stays for others. */
  @Override
  public void close() {
    if (browser.isConnected()) {
      browser.contexts().forEach(BrowserContext::close);
      IDLE.add(this);
    }
  }
}
