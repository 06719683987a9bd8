package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import io.peerlens.node.Role;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Two periods compared in a real browser on the real service, from a change and freely. */
class ComparePagesIT extends PagesTest {

  /** Read latency of shop-web-01 fell two days ago, when a driver was recorded. */
  private static final String CHANGED =
      """
      insert into metric_group (adapter_kind, object_kind, name, metrics, units)
      values ('VMWARE', 'VirtualMachine', 'virtualDisk', array['totalReadLatency_average', 'totalWriteLatency_average'], array['ms', 'ms']);
      insert into metric_set (object_id, group_id)
      select o.id, g.id from object o, metric_group g where o.name = 'shop-web-01' and g.name = 'virtualDisk';
      insert into sample (time, set_id, values)
      select t, s.id, array[
        (case when t < now() - interval '2 days' then 2.1 else 1.4 end) * (1 + 0.1 * sin(extract(epoch from t) / 13751) + 0.05 * sin(extract(epoch from t) * 0.0123)),
        5 + sin(extract(epoch from t) * 0.0091)]
      from metric_set s join metric_group g on g.id = s.group_id and g.name = 'virtualDisk',
        generate_series(date_trunc('hour', now()) - interval '4 days', now(), interval '5 minutes') t;
      with one as (
        insert into object_change (time, object_id, kind, key, new_value)
        select now() - interval '2 days', id, 'recorded', 'driver', 'NVMe driver 1.2.3' from object where name = 'shop-web-01'
        returning id)
      insert into recorded_change (change_id, author, note, goal)
      select id, 'anna', 'Ticket 4711', 'read-latency' from one;
      """;

  @Override
  PagesInstallation install() {
    return PagesInstallation.openWith(CHANGED, Set.of(Role.API));
  }

  private String vm() {
    return JsonMapper.shared()
        .readTree(visitor.api("GET", "/objects?name=shop-web-01", null, null))
        .at("/items/0/id")
        .asString();
  }

  @Test
  void aFlagOfAnObjectLeadsToWhatItsChangeDid() {
    visitor.go("/objects/" + vm() + "?range=4d");
    Locator flag = page.locator(".lanes [role=button]").filter(named("driver: NVMe driver 1.2.3"));
    flag.click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog).containsText("Compare before and after");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("/compare\\?.*change=\\d+"));
    Locator verdict = page.getByLabel("Verdict", exact());
    assertThat(verdict)
        .containsText(
            Pattern.compile("Disk read latency better: 2\\.\\d+ to 1\\.\\d+ ms, certain"));
    assertThat(page.locator(".compare-change")).containsText("NVMe driver 1.2.3 by anna");
    assertThat(page.locator(".compare-change")).containsText("Ticket 4711");
    Locator row = page.locator(".compare-metrics tbody tr").first();
    assertThat(row).containsText("better");
    assertThat(row.locator("svg.interval")).hasAttribute("aria-label", Pattern.compile("between"));
    assertThat(page.locator(".compare .charts series-chart")).hasCount(1);
    assertThat(page.locator(".compare .charts header").first()).containsText("first");
    page.getByLabel("Before it").selectOption("1d");
    assertThat(page).hasURL(Pattern.compile("before=1d"));
    assertThat(verdict).containsText("better");
    button(page, "Other periods").click();
    assertThat(page).hasURL(Pattern.compile("bf="));
    assertThat(page.locator(".compare-side legend").first()).hasText("First period");
    assertThat(verdict).containsText("better");
  }

  @Test
  void periodsAreChosenByGoalOrMetricsAndSwapped() {
    visitor.go("/compare");
    assertThat(page.locator(".words")).containsText("Choose an object");
    button(page, "Choose object").click();
    page.keyboard().type("shop-web-01");
    page.getByRole(AriaRole.OPTION).filter(named("shop-web-01")).first().click();
    assertThat(page.getByLabel("Verdict", exact())).containsText("Cannot tell: ");
    String vm = vm();
    visitor.go(
        "/compare?a=%s&af=%s&at=%s&bf=%s&bt=%s&goal=write-latency"
            .formatted(vm, daysAgo(4), daysAgo(2), daysAgo(2), daysAgo(0)));
    Locator verdict = page.getByLabel("Verdict", exact());
    assertThat(verdict).containsText("no difference shown");
    page.getByLabel("Goal", exact()).selectOption("read-latency");
    assertThat(verdict).containsText("better");
    assertThat(page).hasURL(Pattern.compile("goal=read-latency"));
    page.locator("h1").click();
    page.keyboard().press("x");
    assertThat(verdict).containsText("worse");
    page.keyboard().press("m");
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    dialog.getByRole(AriaRole.SEARCHBOX).fill("totalWriteLatency");
    dialog.getByRole(AriaRole.CHECKBOX).first().click();
    button(page, "Done").click();
    assertThat(page).hasURL(Pattern.compile("m=virtualDisk"));
    assertThat(page.locator(".compare-metrics tbody tr")).hasCount(1);
    assertThat(verdict).containsText("no difference shown");
  }

  @Test
  void errorsAreShownAtTheirField() {
    visitor.go(
        "/compare?a=%s&af=%s&at=%s&bf=%s&bt=%s"
            .formatted(vm(), daysAgo(3), daysAgo(1), daysAgo(2), daysAgo(0)));
    assertThat(page.locator(".failure")).containsText("overlaps a");
    // The browser says on its console, too, that a request was refused.
    visitor.complaints().removeIf(complaint -> complaint.contains("400"));
  }

  @Test
  void thePageFitsInBothThemes() {
    assertFits(
        List.of(
            "/compare",
            "/compare?a=%s&af=%s&at=%s&bf=%s&bt=%s"
                .formatted(vm(), daysAgo(4), daysAgo(2), daysAgo(2), daysAgo(0))));
  }

  private static String daysAgo(int days) {
    return Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofDays(days)).toString();
  }
}
