package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * What tests of pages have in common: a browser and an installation for all of them, and for each
 * somebody who has signed in.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PagesTest {

  /** Rows of a list, without gaps, heads of groups and what is closed. */
  static final String ROWS = ".results tbody tr:not(.gap):not(.group):not(.closed)";

  private static final List<Integer> WIDTHS = List.of(1280, 1440, 1920);

  /** Controls that say nothing to those who do not see them. */
  private static final String NAMELESS =
      """
      [...document.querySelectorAll("a[href], button, input, select, textarea")].filter(e => e.offsetParent && e.checkVisibility()
        && !(e.innerText ?? "").trim() && !e.getAttribute("aria-label") && !e.title && !e.labels?.length && e.tabIndex >= 0 && e.getAttribute("aria-hidden") !== "true").map(e => e.outerHTML.slice(0, 160))
      """;

  static final String TWO_FRAMES =
      "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))";

  Chromium chromium;
  PagesInstallation installation;
  Visitor visitor;
  Page page;

  /** What the pages are looked at on. */
  abstract PagesInstallation install();

  /** Prepares what all tests of the class look at. */
  void prepare(Visitor first) {}

  /**
   * Removes what a test has left; {@link #visitor} is still there, and its window shows nothing.
   */
  void tidy() {}

  @BeforeAll
  void open() {
    chromium = Chromium.startOrSkip();
    installation = install();
    try (Visitor first = visit(ColorScheme.LIGHT)) {
      prepare(first);
    }
  }

  @AfterAll
  void close() {
    if (installation != null) {
      installation.close();
    }
    if (chromium != null) {
      chromium.close();
    }
  }

  @BeforeEach
  void newVisitor() {
    visitor = visit(ColorScheme.LIGHT);
    page = visitor.page();
  }

  /** Whatever a test does, the browser has nothing to complain of. */
  @AfterEach
  void leave() {
    // First the page goes, so that nothing it still reads gets past the routes of the test.
    page.navigate("about:blank");
    page.unrouteAll();
    tidy();
    visitor.close();
  }

  Visitor visit(ColorScheme theme) {
    return Visitor.of(chromium, installation, 1440, theme);
  }

  /** Somebody else, with a role. */
  Visitor visitAs(String role) {
    return Visitor.of(chromium, installation, visitor.token(role), 1440, ColorScheme.LIGHT);
  }

  /** Pages fit windows of the usual widths in both themes, and their controls have names. */
  void assertFits(List<String> paths) {
    for (String path : paths) {
      visitor.go(path);
      assertThat(page.locator("h1")).not().hasText("\u00a0");
      for (int width : WIDTHS) {
        page.setViewportSize(width, 900);
        for (ColorScheme theme : List.of(ColorScheme.DARK, ColorScheme.LIGHT)) {
          page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(theme));
          page.evaluate(TWO_FRAMES);
          assertThat(page.evaluate("document.documentElement.scrollWidth"))
              .as("%s at %d, %s", path, width, theme)
              .isEqualTo(width);
        }
        assertThat((List<?>) page.evaluate(NAMELESS))
            .as("controls without a name on %s at %d", path, width)
            .isEmpty();
      }
    }
  }

  static Page.GetByLabelOptions exact() {
    return new Page.GetByLabelOptions().setExact(true);
  }

  static Locator.FilterOptions named(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  /** The first button with this in its name. */
  static Locator button(Page on, String name) {
    return on.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name)).first();
  }
}
