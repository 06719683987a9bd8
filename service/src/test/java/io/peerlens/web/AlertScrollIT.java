package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.peerlens.web.PagesAlerts.HOSTS;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import io.peerlens.node.Role;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.json.JsonMapper;

/** How smoothly a long list of alerts scrolls, measured while nothing else runs. */
@Isolated("measures how long frames take")
class AlertScrollIT extends PagesTest {

  private PagesAlerts alerts;
  private PagesRules rules;

  @Override
  PagesInstallation install() {
    return PagesInstallation.open(Set.of(Role.API), "peerlens.scopes.age=1ms");
  }

  @Override
  void prepare(Visitor first) {
    alerts = PagesAlerts.open(installation, new PagesRules(first));
    alerts.forget();
  }

  @BeforeEach
  void rulesOfTheVisitor() {
    rules = new PagesRules(visitor);
  }

  /**
   * Ten thousand alerts are scrolled through and changed while somebody looks. The bounds are wide,
   * since builds share machines; the figures are printed.
   */
  @Test
  void tenThousandAlertsAreScrolledSmoothly() {
    alerts.put(HOSTS);
    String one = rules.json("/alerts?limit=1").get("items").get(0).toString();
    String id = JsonMapper.shared().readTree(one).get("id").asString();
    page.route(
        Pattern.compile("/api/v1/alerts\\?limit=1000"),
        route -> {
          Matcher cursor = Pattern.compile("cursor=(\\d+)").matcher(route.request().url());
          int first = cursor.find() ? Integer.parseInt(cursor.group(1)) : 0;
          StringBuilder items = new StringBuilder();
          for (int i = first; i < first + 1000; i++) {
            items.append(i == first ? "" : ",").append(one.replace(id, i == 0 ? id : madeUp(i)));
          }
          String next = first + 1000 < 10_000 ? "\"" + (first + 1000) + "\"" : "null";
          route.fulfill(
              new Route.FulfillOptions()
                  .setContentType("application/json")
                  .setBody(
                      "{\"items\":[" + items + "],\"nextCursor\":" + next + ",\"total\":10000}"));
        });
    visitor.goToSources("/alerts?by=none");
    assertThat(page.locator(".list-pane h2")).hasText("10,000 alerts open");
    List<?> scrolling = (List<?>) page.evaluate(FRAMES, Map.of("by", 120, "change", false));
    assertThat(page.locator(".results tr").count()).isLessThan(120);
    List<?> changing = (List<?>) page.evaluate(FRAMES, Map.of("by", 0, "change", true));
    System.out.printf(
        "10,000 alerts: frames while scrolling (median, 95 %%, longest): %s ms; while they change: %s ms%n",
        scrolling, changing);
    assertThat(((Number) scrolling.get(0)).doubleValue()).isLessThan(100);
    assertThat(((Number) changing.get(0)).doubleValue()).isLessThan(100);
  }

  /** Scrolls for 240 frames, with alerts that change meanwhile, and gives how long frames took. */
  private static final String FRAMES =
      """
      async ({ by, change }) => {
        const { alertsChanged, alertVersion } = await import("/app/core/alerts.js");
        const box = document.querySelector(".results");
        const frame = () => new Promise(requestAnimationFrame);
        const took = [];
        const before = alertVersion();
        let last = await frame();
        // A busy server is asked less often: until it was asked again, though no longer than a minute.
        for (let i = 0; i < 240 || (change && alertVersion() === before && i < 3600); i++) {
          if (change && i % 60 === 0) alertsChanged();
          box.scrollTop += by;
          const now = await frame();
          took.push(now - last);
          last = now;
        }
        if (change && alertVersion() === before) throw new Error("nothing was read again");
        took.sort((a, b) => a - b);
        return [took[took.length >> 1], took[Math.floor(took.length * 0.95)], took.at(-1)].map(n => Math.round(n * 10) / 10 + 0.01);
      }
      """;

  private static String madeUp(int i) {
    return "%08d-0000-4000-8000-000000000000".formatted(i);
  }
}
