package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import io.peerlens.node.Role;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** What the page of an object draws of what was learned: its bands, what fills up, what is out. */
class ObjectPagesIT extends PagesTest {

  /**
   * Hours of 40 days of a machine's metrics, in which memory fills up, four days of another one's,
   * and counts of metrics that are out of their band.
   */
  private static final String LEARNED =
      """
      update level_state set rolled_until = date_trunc('hour', now()) where level in ('5m', '1h');
      insert into sample_1h (time, set_id, samples, avg, min, max)
      select h, s.id, 60, array[v, 2], array[v - 12, 1], array[v + 12, 3]
      from metric_set s join object o on o.id = s.object_id join metric_group g on g.id = s.group_id,
        generate_series(date_trunc('hour', now()) - interval '40 days', date_trunc('hour', now()) - interval '1 hour', interval '1 hour') h,
        lateral (select 30 + extract(epoch from h)::bigint / 3600 * 7 % 5 as v) x
      where o.name = 'shop-web-01' and g.name = 'cpu'
         or o.name = 'shop-web-02' and g.name = 'cpu' and h > now() - interval '5 days';
      insert into sample_1h (time, set_id, samples, avg)
      select h, s.id, 60, array[90 - extract(epoch from date_trunc('hour', now()) - h) / 86400]
      from metric_set s join object o on o.id = s.object_id join metric_group g on g.id = s.group_id and g.name = 'mem',
        generate_series(date_trunc('hour', now()) - interval '28 days', date_trunc('hour', now()) - interval '1 hour', interval '1 hour') h
      where o.name = 'esx-a-01';
      insert into metric_group (adapter_kind, object_kind, name, metrics, units)
      values ('VMWARE', 'HostSystem', 'System Attributes', array['all_metrics', 'active_alarms', 'child_all_metrics', 'total_alarms'], array[null, null, null, null]);
      insert into metric_set (object_id, group_id)
      select o.id, g.id from object o, metric_group g where o.name = 'esx-a-01' and g.name = 'System Attributes';
      insert into sample (time, set_id, values)
      select t, s.id, array[5, 1, 1240, 17]
      from metric_set s join metric_group g on g.id = s.group_id and g.name = 'System Attributes',
        generate_series(now() - interval '30 minutes', now(), interval '5 minutes') t;
      insert into object (uuid, adapter_kind, object_kind, external_id, name, removed_at, first_seen)
      values (md5('shop-web-09')::uuid, 'VMWARE', 'VirtualMachine', 'vc-1.example.net/shop-web-09', 'shop-web-09',
        now() - interval '20 minutes', now() - interval '3 hours');
      insert into object_reference (object_id, role, adapter_kind, object_kind, locator, last_seen)
      select id, 'parent', 'VMWARE', 'HostSystem', 'vc-1.example.net/esx-a-01', now() from object where name = 'shop-web-09';
      insert into object_change (time, object_id, kind, old_value, new_value)
      select now() - interval '20 minutes', id, 'removed', 'reporting', 'removed' from object where name = 'shop-web-09';
      """;

  @Override
  PagesInstallation install() {
    return PagesInstallation.openWith(LEARNED, Set.of(Role.API));
  }

  private void open(String name, String query) {
    openFirst("name=" + name, query);
  }

  private void openFirst(String filter, String query) {
    String id =
        JsonMapper.shared()
            .readTree(visitor.api("GET", "/objects?" + filter, null, null))
            .at("/items/0/id")
            .asString();
    visitor.go("/objects/" + id + query);
  }

  private Locator chart(String metric) {
    return page.getByLabel(metric, exact()).locator("series-chart");
  }

  private Object spec(String metric, String expression) {
    return chart(metric).evaluate("c => { const spec = c.spec; return " + expression + "; }");
  }

  @Test
  void theUsualRangeIsDrawnBehindALineAndContinuesAhead() {
    open("shop-web-01", "?range=3h&m=cpu%7Cusage_average");
    page.getByLabel("Lines drawn behind").getByText("Own band").click();
    assertThat(page).hasURL(Pattern.compile("mode=own"));
    assertThat(chart("CPU usage").locator("header")).containsText("usual 3");
    assertThat(spec("CPU usage", "spec.to > Date.now() + 20 * 60000")).isEqualTo(true);
    assertThat(spec("CPU usage", "spec.forecast < spec.to")).isEqualTo(true);
    String band = "spec.series.find(s => s.name === 'usual')";
    assertThat(
            spec(
                "CPU usage",
                "%s.max.findLast(v => v !== null) > 42 && %s.min.findLast(v => v !== null) < 22"
                    .formatted(band, band)))
        .isEqualTo(true);
    // Its own line ends now.
    assertThat(
            spec(
                "CPU usage",
                "spec.series.find(s => s.style === 'main').values.length === spec.times.length && "
                    + "spec.series.find(s => s.style === 'main').values.at(-1) === null"))
        .isEqualTo(true);
  }

  @Test
  void aRemovedObjectSaysSinceWhenAndWhereItWasAndKeepsItsHistory() {
    openFirst("removed=true", "?range=3h");
    assertThat(page.locator("main"))
        .containsText(Pattern.compile("removed from vCenter at (\\d+ \\w+ )?\\d\\d:\\d\\d"));
    assertThat(page.locator("main .where")).containsText("DC East / Cluster A / esx-a-01");
    assertThat(page.locator("main")).containsText("was removed from vCenter");
  }

  @Test
  void aMetricThatIsStillLearnedShowsThat() {
    open("shop-web-02", "?range=3h&mode=own&m=cpu%7Cusage_average");
    assertThat(chart("CPU usage").locator("header"))
        .containsText(Pattern.compile("learning, day [34] of 7"));
    open("shop-web-04", "?range=3h&mode=own&m=cpu%7Cusage_average");
    assertThat(chart("CPU usage").locator("header")).containsText("nothing learned yet");
  }

  /** A forecast goes by the last three days; what is used now may be far above. */
  @Test
  void theCurrentUseIsShownBesideTheForecast() {
    page.route(
        "**/api/v1/series/latest",
        route -> {
          String object =
              JsonMapper.shared().readTree(route.request().postData()).at("/objects/0").asString();
          route.fulfill(
              new Route.FulfillOptions()
                  .setContentType("application/json")
                  .setBody(
                      "{\"values\": [{\"objectId\": \"%s\", \"metric\": \"mem|usage_average\", \"unit\": \"%%\", \"time\": %d, \"value\": 99.9}]}"
                          .formatted(object, System.currentTimeMillis())));
        });
    open("esx-a-01", "");

    assertThat(page.getByLabel("Fills up")).containsText("now 99.9 of 100 %: far above the level");
    page.unroute("**/api/v1/series/latest");
  }

  @Test
  void aResourceThatFillsUpShowsWhen() {
    open("esx-a-01", "");
    Locator fills = page.getByLabel("Fills up");
    assertThat(fills).containsText("Memory usage");
    assertThat(fills).containsText("11 days");
    assertThat(fills)
        .containsText(
            Pattern.compile(
                "at\\s+89\\s+of\\s+100\\s+%,\\s+grows\\s+1(\\.0)?\\s+%\\s+a\\s+day,\\s+full\\s+on"));
    assertThat(fills.getByRole(AriaRole.IMG))
        .hasAttribute("aria-label", "11 days, earliest 11 days, latest 11 days");
    open("shop-web-01", "");
    assertThat(page.getByLabel("Relations")).isVisible();
    assertThat(page.getByLabel("Fills up")).hasCount(0);
  }

  @Test
  void theCountOfUnusualMetricsLeadsToTheirChart() {
    open("esx-a-01", "?range=1h");
    Locator out = page.getByLabel("Outside the usual range", exact());
    assertThat(out.locator(".out-of-band")).hasCount(2);
    assertThat(out).containsText(Pattern.compile("Itself\\s*1\\s*of 5"));
    assertThat(out).containsText(Pattern.compile("With below\\s*17\\s*of 1,?240"));
    out.getByText("With below").click();
    assertThat(page).hasURL(Pattern.compile("mode=own"));
    assertThat(chart("Metrics outside the usual range, with those below")).isVisible();
    page.getByText("VMs with most unusual metrics").click();
    assertThat(page)
        .hasURL(Pattern.compile("top-talkers\\?.*metric=System\\+Attributes%7Cactive_alarms"));
    assertThat(page.getByLabel("Kind of object")).hasValue("VirtualMachine");
    open("shop-web-01", "");
    assertThat(page.getByLabel("Relations")).isVisible();
    assertThat(page.getByLabel("Outside the usual range", exact())).hasCount(0);
  }

  @Test
  void metricsOutsideTheirRangeAreListedWithIt() {
    page.route(
        Pattern.compile("/anomalies$"),
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(
                        """
                        {"from": "2026-11-20T14:05:00Z", "to": "2026-11-20T14:10:00Z", "judged": 9, "items": [
                          {"key": "mem|usage_average", "value": 91.3, "lower": 40.1, "upper": 62.8, "beyond": 4.6},
                          {"key": "a|1", "value": 1, "lower": 0, "upper": 0, "beyond": null},
                          {"key": "a|2", "value": 1, "lower": 0, "upper": 0, "beyond": null},
                          {"key": "a|3", "value": 1, "lower": 0, "upper": 0, "beyond": null},
                          {"key": "a|4", "value": 1, "lower": 0, "upper": 0, "beyond": null},
                          {"key": "a|5", "value": 1, "lower": 0, "upper": 0, "beyond": null},
                          {"key": "a|6", "value": 1, "lower": 0, "upper": 0, "beyond": null}]}
                        """)));
    open("esx-a-01", "?range=1h");
    Locator out = page.getByLabel("Outside the usual range", exact());
    assertThat(out.locator(".named")).hasCount(5);
    assertThat(out).containsText("and 2 more");
    Locator first = out.locator(".named").first();
    assertThat(first)
        .containsText(Pattern.compile("Memory usage\\s*91\\.3 %\\s*usually 40\\.1 to 62\\.8"));
    first.click();
    assertThat(page).hasURL(Pattern.compile("m=mem%7Cusage_average&mode=own"));
    assertThat(chart("Memory usage")).isVisible();
  }

  @Test
  void anUnusualPeriodLeadsToItsMetrics() {
    long now = Instant.now().getEpochSecond() / 300 * 300;
    page.route(
        Pattern.compile("/anomaly-score\\?"),
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(
                        """
                        {"unusualFrom": 19, "metrics": 5, "times": [%d, %d, %d], "scores": [3.5, 25.5, null], "stretches": [
                          {"from": "%s", "to": "%s", "score": 25.5, "keys": ["mem|usage_average", "cpu|usage_average"],
                           "carriers": [{"key": "mem|usage_average", "began": "%s"}, {"key": "cpu|usage_average", "began": null}]}]}
                        """
                            .formatted(
                                (now - 1800) * 1000,
                                (now - 1500) * 1000,
                                (now - 1200) * 1000,
                                Instant.ofEpochSecond(now - 1500),
                                Instant.ofEpochSecond(now - 1200),
                                Instant.ofEpochSecond(now - 1500)))));
    open("esx-a-01", "?range=1h");
    Locator lanes = page.getByLabel("Alerts and changes");
    Locator stretch =
        lanes.getByLabel(
            Pattern.compile("^Unusual from .* to .*: Memory usage from .*, CPU usage$"));
    stretch.click();
    assertThat(page)
        .hasURL(Pattern.compile("m=mem%7Cusage_average&m=cpu%7Cusage_average.*mode=own"));
    assertThat(chart("Memory usage")).isVisible();
  }

  @Test
  void aNewObjectHasNoScoresYet() {
    open("shop-web-04", "?range=1h");
    assertThat(page.getByLabel("Alerts and changes")).containsText("too little is known yet");
  }

  @Test
  void aManualChangeIsRecordedAndCompared() {
    open("shop-web-03", "?range=6h");
    assertThat(page.getByLabel("Record a change")).isVisible();
    assertThat(page.locator("h1")).hasText("shop-web-03");
    page.keyboard().press("n");
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    dialog.getByLabel("What was changed").fill("NIC driver 1.4 to 1.5");
    dialog.getByLabel("When").fill("2100-01-01T00:00");
    dialog.getByText("Record", new Locator.GetByTextOptions().setExact(true)).click();
    assertThat(dialog.getByLabel("When").evaluate("e => e.validationMessage"))
        .isEqualTo("That is in the future.");
    assertThat(dialog).isVisible();
    dialog
        .getByLabel("When")
        .fill(LocalDateTime.now().minusHours(1).truncatedTo(ChronoUnit.MINUTES).toString());
    dialog.getByLabel("Sort").fill("driver");
    dialog.getByLabel("Expected to improve").selectOption("balanced");
    dialog.getByText("Record", new Locator.GetByTextOptions().setExact(true)).click();
    assertThat(dialog).hasCount(0);
    Locator flag =
        page.getByLabel(
            Pattern.compile("driver: NIC driver 1\\.4 to 1\\.5 by .+: compare before and after"));
    assertThat(flag).isVisible();
    flag.click();
    dialog.getByText("NIC driver 1.4 to 1.5").click();
    assertThat(page).hasURL(Pattern.compile("/compare\\?.*change=\\d+"));
    assertThat(page.locator("main")).containsText("NIC driver 1.4 to 1.5");
  }

  @Test
  void nothingIsCutOff() {
    open("esx-a-01", "?range=1h&mode=own");
    assertThat(page.getByLabel("Fills up")).isVisible();
    assertThat(
            (List<?>)
                page.evaluate(
                    "() => [...document.querySelectorAll('.fill, .out-of-band')].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.innerText)"))
        .as("cut off")
        .isEmpty();
  }
}
