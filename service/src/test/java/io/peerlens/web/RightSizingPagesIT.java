package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import io.peerlens.node.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Right-sizing in a real browser on the real service, of machines whose right sizes are known. */
class RightSizingPagesIT extends PagesTest {

  /**
   * Two hosts of two NUMA nodes, and of the machines of the datacentre: shop-web-01 with 4 vCPUs is
   * too small, shop-web-02 with 16 uses 3 of them, the memory of shop-web-04 is not known,
   * shop-web-05 is idle but for a backup, shop-web-06 is powered off since 40 days, shop-web-07 has
   * an old snapshot.
   */
  private static final String ESTATE =
      """
      update object set properties = properties || '{"hardware|cpuInfo|numCpuCores": "16", "hardware|cpuInfo|hz": "2500000000", "hardware|memorySize": "268435456", "hardware|numa|nodes": "2"}'
      where object_kind = 'HostSystem';
      update object set properties = properties || jsonb_build_object('config|hardware|numCpu', case name when 'shop-web-02' then '16' else '4' end,
          'config|hardware|memoryKB', '16777216', 'cpu|speed', '2500000000'),
        tags = tags || jsonb_build_object('Owner', case when name < 'shop-web-04' then 'team-a' else 'team-b' end)
      where object_kind = 'VirtualMachine';
      insert into metric_group (adapter_kind, object_kind, name, metrics) values
        ('VMWARE', 'VirtualMachine', 'mem', array['consumed_average']),
        ('VMWARE', 'VirtualMachine', 'net', array['usage_average']),
        ('VMWARE', 'VirtualMachine', 'virtualDisk', array['read_average', 'write_average']),
        ('VMWARE', 'VirtualMachine', 'guest', array['mem.needed_latest']),
        ('VMWARE', 'VirtualMachine', 'diskspace', array['used', 'provisionedSpace', 'snapshot']),
        ('VMWARE', 'VirtualMachine', 'sys', array['poweredOn']),
        ('VMWARE', 'VirtualMachine', 'summary', array['running', 'snapshot_count'])
      on conflict (adapter_kind, object_kind, name) do update set metrics = excluded.metrics;
      update metric_group set metrics = metrics || array['demand_average', 'readyPct'], units = units || array['MHz', '%']
      where object_kind = 'VirtualMachine' and name = 'cpu';
      insert into metric_set (object_id, group_id)
      select o.id, g.id from object o, metric_group g
      where o.object_kind = 'VirtualMachine' and g.object_kind = 'VirtualMachine'
        and g.name in ('cpu', 'mem', 'net', 'virtualDisk', 'guest', 'diskspace', 'sys', 'summary') and not (g.name = 'guest' and o.name = 'shop-web-04')
      on conflict do nothing;
      insert into sample_1h (time, set_id, samples, avg)
      select t, s.id, 12, case g.name
        when 'cpu' then array_fill(null::float8, array[cardinality(g.metrics) - 2]) || (case o.name
            when 'shop-web-01' then array[case when busy then 3.95 else 0.6 end * 2500, case when busy then 6 else 1 end]
            when 'shop-web-02' then array[case when busy then 3 else 1 end * 2500, 1]
            when 'shop-web-05' then array[case when night then 0.5 else 0.01 end * 2500, 0]
            when 'shop-web-06' then array[0, 0]
            else array[3.1 * 2500, 1] end)::float8[]
        when 'mem' then array[16777216]
        when 'net' then array[case o.name when 'shop-web-05' then case when night then 20000 else 1 end when 'shop-web-06' then 0 else 900 end]
        when 'virtualDisk' then case o.name when 'shop-web-05' then array[case when night then 20000 else 2 end, 3] when 'shop-web-06' then array[0, 0] else array[800, 400] end
        when 'guest' then array[13 * 1048576.0]
        when 'diskspace' then array[100, 200, case o.name when 'shop-web-07' then extract(epoch from t - now()) / 86400 + 50 else 0 end]
        when 'sys' then array[case when o.name = 'shop-web-06' and t >= now() - interval '40 days' then 0 else 1 end]
        else array[1, case o.name when 'shop-web-07' then 1 else 0 end] end::float8[]
      from metric_set s join metric_group g on g.id = s.group_id and g.object_kind = 'VirtualMachine' join object o on o.id = s.object_id and o.object_kind = 'VirtualMachine',
        generate_series(date_trunc('hour', now()) - interval '45 days', date_trunc('hour', now()) - interval '1 hour', interval '1 hour') t,
        lateral (select extract(isodow from t at time zone 'UTC') < 6 and extract(hour from t at time zone 'UTC') between 8 and 17 as busy,
          extract(hour from t at time zone 'UTC') = 2 as night) clock
      where g.name in ('cpu', 'mem', 'net', 'virtualDisk', 'guest', 'diskspace', 'sys', 'summary') and s.instance = '';
      update object set properties = properties || jsonb_build_object('diskspace|snapshot|oldest', now() - interval '20 days',
        'diskspace|snapshot:snapshot-7|createTime', now() - interval '20 days', 'diskspace|snapshot:snapshot-7|name', 'before upgrade')
      where name = 'shop-web-07';
      update level_state set rolled_until = date_trunc('hour', now()) where level in ('5m', '1h');
      """;

  @Override
  PagesInstallation install() {
    return PagesInstallation.openWith(ESTATE, Set.of(Role.API));
  }

  @Override
  void prepare(Visitor first) {
    // The server has evaluated before the machines were there.
    Visitor.sources(
        first.page(), installation.url() + "/right-sizing", () -> first.go("/right-sizing"));
    assertThat(first.page().locator("h1"))
        .hasText(Pattern.compile("No machine is known yet|Nothing has been evaluated yet"));
    assertThat(first.page().locator(".words")).containsText("two weeks of history");
    assertThat(button(first.page(), "Evaluate now")).isVisible();
    evaluate(first);
  }

  /** Evaluates anew, and waits until it is done. */
  private static void evaluate(Visitor by) {
    String before = evaluated(by);
    button(by.page(), "Evaluate now").click();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !List.of(before, "now").contains(evaluated(by)));
  }

  private static String evaluated(Visitor by) {
    JsonNode found = JsonMapper.shared().readTree(by.api("GET", "/right-sizing", null, null));
    return found.path("job").isNull() ? found.path("evaluatedAt").asString("never") : "now";
  }

  @Override
  void tidy() {
    JsonNode decided =
        JsonMapper.shared()
            .readTree(
                visitor.api(
                    "GET",
                    "/right-sizing/recommendations?decision=approved,ignored&limit=100",
                    null,
                    null))
            .path("items");
    List<String> ids = decided.valueStream().map(one -> one.path("id").asString()).toList();
    if (!ids.isEmpty()) {
      visitor.api(
          "POST",
          "/right-sizing/recommendations/actions",
          Map.of("ids", ids, "action", "reopen"),
          null);
    }
  }

  private Locator row(String name) {
    return page.locator(ROWS).filter(named(name)).first();
  }

  private Locator why() {
    return page.locator(".size-why");
  }

  @Test
  void tooSmallComesFirstAndEachRowHasItsEvidence() {
    visitor.go("/right-sizing");
    assertThat(page.locator("h1"))
        .hasText(Pattern.compile("1 VM is too small\\. \\d+ could give back .*"));
    assertThat(page.locator(ROWS).first()).containsText("shop-web-01");
    assertThat(page.locator(ROWS).first()).containsText(Pattern.compile("4\\s+to\\s+\\d+\\s+vCPU"));
    assertThat(page.locator(ROWS).first()).containsText("now");
    assertThat(row("shop-web-02").locator(".evidence"))
        .hasAttribute("aria-label", Pattern.compile("from 16 to \\d+ vCPUs"));
    assertThat(page.locator(".figs")).containsText("Too small");
    assertThat(page.locator(".figs")).containsText("none was carried out yet");
    assertThat(page.locator(".rate-pane")).containsText("None was carried out yet.");
  }

  @Test
  void whyIsShownWithAChartAndTheFigures() {
    visitor.go("/right-sizing");
    row("shop-web-02").locator("td").nth(3).click();
    assertThat(why().locator("h2")).hasText("shop-web-02");
    assertThat(why().locator(".usage-chart")).containsText("16 now");
    assertThat(why().locator(".usage-chart")).containsText("then");
    assertThat(why()).containsText("p95, p99");
    assertThat(why()).containsText("NUMA node");
    assertThat(why().locator("dt").filter(named("Memory"))).hasCount(1);
    page.keyboard().press("Escape");
    assertThat(why()).hasCount(0);
    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(why()).isFocused();
  }

  @Test
  void decisionsNeedNoDialogueAndAreTakenBack() {
    visitor.go("/right-sizing");
    row("shop-web-02").getByText("Approve").click();
    assertThat(page.locator(".notice")).containsText("shop-web-02 approved");
    assertThat(row("shop-web-02")).containsText("approved, ");
    page.locator(".notice button").click();
    assertThat(row("shop-web-02").getByText("Approve")).isVisible();
    page.locator("h1").click();
    row("shop-web-02").locator("td").nth(3).click();
    page.keyboard().press("z");
    assertThat(page.locator(".notice")).containsText(Pattern.compile("ignored until \\d+ \\w+"));
    assertThat(row("shop-web-02")).hasCount(0);
    page.getByText(Pattern.compile("^\\s*1 ignored\\s*$")).click();
    assertThat(page).hasURL(Pattern.compile("show=ignored"));
    assertThat(row("shop-web-02")).containsText("ignored to");
    row("shop-web-02").locator("td").nth(3).click();
    button(page, "Show again").click();
    assertThat(row("shop-web-02")).hasCount(0);
    visitor.go("/right-sizing");
    page.keyboard().press("j");
    page.keyboard().press("x");
    page.keyboard().press("a");
    assertThat(page.locator(".notice")).containsText("approved");
    assertThat(row("shop-web-01")).containsText("approved, ");
  }

  @Test
  void whatCanBeGivenBackIsListedByKind() throws IOException {
    visitor.go("/right-sizing?tab=idle");
    assertThat(page.locator("h1")).containsText("1 idle VM");
    row("shop-web-05").locator("td").nth(2).click();
    assertThat(why()).containsText("By the clock");
    assertThat(why()).containsText("02:00");
    button(page, "Powered off").click();
    assertThat(row("shop-web-06")).containsText(Pattern.compile("(39|40) days"));
    button(page, "Old snapshots").click();
    assertThat(row("shop-web-07")).containsText("before upgrade");
    Download csv = page.waitForDownload(() -> button(page, "CSV").click());
    assertThat(Files.readString(csv.path())).contains("shop-web-07", "before upgrade");
    button(page, "Orphaned disks").click();
    // No collector lists the files of datastores here.
    assertThat(page.locator(".sizing-list")).containsText("This is not known.");
    assertThat(page.locator("h1")).hasText("Orphaned disks: not known");
  }

  @Test
  void sizesThatAreNotKnownSayWhyAndCannotBeMarked() {
    visitor.go("/right-sizing");
    Locator unknown = page.locator(ROWS).filter(named("shop-web-04")).last();
    assertThat(unknown).containsText(Pattern.compile("Tools|guest"));
    assertThat(unknown.locator("input")).isDisabled();
    assertThat(page.locator(".sizing-list .foot-line")).containsText("the need is not known");
  }

  @Test
  void theListIsNarrowedByOwnerAndName() {
    visitor.api(
        "PUT",
        "/right-sizing/settings",
        Map.of(
            "hours",
            Map.of(
                "days", List.of("mon", "tue", "wed", "thu", "fri"),
                "begins", "07:00",
                "ends", "19:00",
                "zone", "UTC"),
            "history",
            "60d",
            "ownerTag",
            "Owner",
            "hostFailures",
            1,
            "poweredOffAfter",
            "30d",
            "snapshotAfter",
            "7d"),
        "*");
    visitor.go("/right-sizing");
    assertThat(page.locator(".vars")).containsText("60 days");
    evaluate(visitor);
    page.getByLabel("Owner", exact()).selectOption("=team-a");
    assertThat(row("shop-web-02")).isVisible();
    assertThat(page.locator(ROWS).filter(named("shop-web-04"))).hasCount(0);
    page.locator("#filter").fill("web-01");
    assertThat(row("shop-web-02")).hasCount(0);
    assertThat(row("shop-web-01")).isVisible();
  }

  @Test
  void settingsAreChangedInOneDialogue() {
    visitor.go("/right-sizing");
    page.locator(".vars").getByText("History").click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    dialog.locator("input[name=history]").fill("5");
    button(page, "Save").click();
    assertThat(dialog).isVisible();
    dialog.locator("input[name=history]").fill("45");
    dialog.locator("input[name=history]").press("Tab");
    button(page, "Save").click();
    assertThat(dialog).hasCount(0);
    assertThat(page.locator(".vars")).containsText("45 days");
  }

  @Test
  void whatStillFitsAndPlansStandSideBySide() {
    visitor.go("/right-sizing?tab=clusters");
    Locator fits = page.locator(".fits-pane");
    assertThat(fits.locator("tbody tr").first()).containsText("Cluster A");
    button(page, "Add a plan").click();
    button(page, "Compare").click();
    Locator results = page.locator(".plan-results");
    assertThat(results.locator("thead th")).hasCount(3);
    assertThat(results.locator(".plan-reasons li").first()).containsText("As it is:");
  }

  /** What a page asks when plans are compared: the changes of the last one. */
  private JsonNode compared() {
    String asked =
        page.waitForRequest(
                "**/api/v1/right-sizing/scenarios", () -> button(page, "Compare").click())
            .postData();
    assertThat(page.locator(".plan-results .plan-reasons li").first()).containsText("As it is:");
    return JsonMapper.shared().readTree(asked).at("/scenarios/1/changes/0");
  }

  @Test
  void machinesOfAPlanAreLikeOneThatIsThere() {
    visitor.go("/right-sizing?tab=clusters");
    assertThat(compared().path("like").isMissingNode()).isTrue();
    Locator each = page.getByLabel("What each is like");
    each.selectOption("one");
    assertThat(page.locator("#palette-list li").first()).containsText("VM in");
    page.locator(".palette input").fill("esx-a-01");
    assertThat(page.locator("#palette-list")).containsText("Nothing matches.");
    page.locator(".palette input").fill("shop-web-02");
    page.locator("#palette-list li").filter(named("shop-web-02")).click();
    assertThat(each.locator("option:checked")).hasText("like shop-web-02");
    JsonNode like = compared();
    String id = like.path("like").asString();
    assertThat(visitor.api("GET", "/objects/" + id, null, null)).contains("\"shop-web-02\"");
    assertThat(like.path("count").asInt()).isEqualTo(10);
    assertThat(like.path("cpuMhz").isMissingNode()).isTrue();
    // Who closes the list without a choice changes nothing.
    each.selectOption("one");
    page.keyboard().press("Escape");
    assertThat(each.locator("option:checked")).hasText("like shop-web-02");
    each.selectOption("own");
    page.getByLabel("GB memory").fill("8");
    JsonNode own = compared();
    assertThat(own.path("like").isMissingNode()).isTrue();
    assertThat(own.path("memoryGb").asDouble()).isEqualTo(8);
    assertThat(own.path("cpuMhz").asDouble()).isZero();
  }

  @Test
  void aTicketNeedsATargetAndSaysSo() {
    visitor.go("/right-sizing");
    row("shop-web-02").locator("td").nth(3).click();
    button(page, "Make a ticket").click();
    assertThat(page.getByRole(AriaRole.DIALOG)).containsText("there is none yet");
    page.keyboard().press("Escape");
  }

  @Test
  void whoMayOnlyReadDecidesNothing() {
    try (Visitor viewer = visitAs("viewer")) {
      viewer.go("/right-sizing");
      assertThat(viewer.page().locator(ROWS).first()).containsText("open");
      assertThat(button(viewer.page(), "Evaluate now")).isDisabled();
    }
  }

  @Test
  void thePagesFitInBothThemes() {
    visitor.go("/right-sizing");
    row("shop-web-02").locator("td").nth(3).click();
    assertFits(
        List.of(
            page.url().substring(installation.url().length()),
            "/right-sizing?tab=idle",
            "/right-sizing?tab=orphaned-disk",
            "/right-sizing?tab=clusters"));
  }
}
