package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * How long a page takes that a browser opens for the first time, from its sources and from bundles,
 * one after the other: docs/performance.md.
 */
@Tag("proof")
@Isolated("measures time")
class PageTimesIT {

  /** A visit: until the page has a heading, and how many files and answers that took. */
  private record Visit(double millis, double requests, double kilobytes) {}

  @Test
  void aPageIsThereWithinASecond() {
    Chromium chromium = Chromium.startOrSkip();
    PagesInstallation installation = PagesInstallation.shared();
    List<Double> bundled = new ArrayList<>();
    System.out.println("| page | sources | bundles |");
    for (String path : PagesIT.PATHS) {
      visit(chromium, installation, path, false); // the server has answered it once
      Visit sources = visit(chromium, installation, path, true);
      Visit bundles = visit(chromium, installation, path, false);
      bundled.add(bundles.millis);
      System.out.printf("| %s | %s | %s |%n", path, words(sources), words(bundles));
    }
    chromium.close();
    bundled.sort(null);
    assertThat(bundled.get(bundled.size() / 2)).as("median, in ms").isLessThan(1000);
  }

  private static String words(Visit visit) {
    return "%.0f requests, %.0f kB, %.0f ms"
        .formatted(visit.requests, visit.kilobytes, visit.millis);
  }

  /** With an empty cache. */
  private static Visit visit(
      Chromium chromium, PagesInstallation installation, String path, boolean sources) {
    try (Visitor visitor = Visitor.of(chromium, installation, 1440, ColorScheme.LIGHT)) {
      visitor
          .page()
          .addInitScript(
              """
              new MutationObserver((_, o) => {
                const head = document.querySelector(".bare main, main h1");
                if (!head || !head.textContent.trim()) return;
                globalThis.contentAt = performance.now();
                o.disconnect();
              }).observe(document, { childList: true, subtree: true, characterData: true });
              """);
      if (sources) {
        visitor.goToSources(path);
      } else {
        visitor.go(path);
      }
      visitor.page().waitForFunction("() => globalThis.contentAt");
      assertThat(visitor.page().locator("main")).isVisible();
      visitor.page().waitForTimeout(1000);
      Map<?, ?> seen =
          (Map<?, ?>)
              visitor
                  .page()
                  .evaluate(
                      """
                      () => {
                        const all = performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation")).filter(e => !e.name.includes("/fonts/"));
                        return { at: globalThis.contentAt, count: all.length, bytes: all.reduce((n, e) => n + e.encodedBodySize, 0) };
                      }
                      """);
      visitor.complaints().clear();
      return new Visit(number(seen, "at"), number(seen, "count"), number(seen, "bytes") / 1024);
    }
  }

  private static double number(Map<?, ?> of, String name) {
    return of.get(name) instanceof Number n ? n.doubleValue() : Double.NaN;
  }
}
