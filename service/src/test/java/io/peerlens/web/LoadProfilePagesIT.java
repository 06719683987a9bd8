package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import io.peerlens.node.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Load profiles in a real browser on the real service, of hours whose mixture is known. */
class LoadProfilePagesIT extends PagesTest {

  /**
   * Of every machine six hours in ten have 1,000 operations of 8 KB with 70 % reads, the others 300
   * of 64 KB with 20 %; shop-web-01 had ten times as many two days ago at noon, an hour after its
   * driver was changed.
   */
  private static final String HOURS =
      """
      insert into metric_group (adapter_kind, object_kind, name, metrics, units)
      values ('VMWARE', 'VirtualMachine', 'virtualDisk', array['numberReadAveraged_average', 'numberWriteAveraged_average', 'read_average',
        'write_average', 'totalReadLatency_average', 'totalWriteLatency_average'], array['number', 'number', 'KBps', 'KBps', 'ms', 'ms']);
      insert into metric_set (object_id, group_id)
      select o.id, g.id from object o, metric_group g where o.object_kind = 'VirtualMachine' and g.object_kind = 'VirtualMachine' and g.name = 'virtualDisk';
      insert into sample_1h (time, set_id, samples, avg)
      select t, s.id, 12, case
        when o.name = 'shop-web-01' and t = date_trunc('day', now()) - interval '36 hours' then array[7000, 3000, 56000, 24000, 3.0, 5.0]
        when (extract(epoch from t)::bigint / 3600) % 10 < 6 then array[700, 300, 5600, 2400, 1.0, 2.0]
        else array[60, 240, 3840, 15360, 4.0, 8.0] end
      from metric_set s join metric_group g on g.id = s.group_id and g.name = 'virtualDisk' join object o on o.id = s.object_id,
        generate_series(date_trunc('hour', now()) - interval '20 days', date_trunc('hour', now()) - interval '1 hour', interval '1 hour') t;
      update level_state set rolled_until = date_trunc('hour', now());
      insert into object_change (time, object_id, kind, key, old_value, new_value)
      select date_trunc('day', now()) - interval '36 hours 20 minutes', id, 'property', 'config|version', '1.4', '1.5' from object where name = 'shop-web-01';
      """;

  private static final Path VSCSI =
      Path.of("../sizing/src/test/resources/io/peerlens/profile/vscsistats/sample.csv");

  @Override
  PagesInstallation install() {
    return PagesInstallation.openWith(HOURS, Set.of(Role.API));
  }

  /** A profile of twenty days, once it is computed. */
  private String computed(Map<String, Object> more) {
    Map<String, Object> body = new HashMap<>(more);
    body.putIfAbsent("from", Instant.now().minus(Duration.ofDays(20)).toString());
    JsonNode made = JsonMapper.shared().readTree(visitor.api("POST", "/load-profiles", body, null));
    String path = "/load-profiles/" + made.path("id").asString();
    visitor.go(path);
    assertThat(page.locator(".figs")).isVisible();
    return path;
  }

  private Locator pane(String name) {
    return page.getByLabel(name, exact());
  }

  @Test
  void aProfileIsAskedForAndItsTitleIsTheFinding() {
    visitor.go("/load-profiles/new");
    assertThat(page.locator("h1")).hasText("New load profile");
    button(page, "30 days").click();
    button(page, "Hosts").click();
    page.locator("main").getByRole(AriaRole.CHECKBOX).click();
    pane("Days").getByText("Sat").click();
    pane("Days").getByText("Sun").click();
    page.locator("input[name=begins]").fill("00:00");
    page.locator("input[name=ends]").fill("23:00");
    page.locator("h1").click();
    page.keyboard().press("Control+s");
    assertThat(page.locator("h1"))
        .hasText(Pattern.compile("All machines: (59|60|61) % of hours are 8K 70/30"));
    assertThat(page.locator(".vars")).containsText("by host");
    assertThat(page.locator(".vars")).containsText("every day, 00:00 to 23:00");
    visitor.go("/load-profiles");
    assertThat(page.locator(ROWS).first()).containsText("All machines, by host");
    assertThat(page.locator(ROWS).first()).containsText("30 days");
    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("/load-profiles/[0-9a-f-]{36}"));
  }

  @Test
  void theMapTheFiguresAndALoadAreThoseOfTheChosenGroup() throws IOException {
    computed(Map.of("by", "cluster"));
    Locator map = pane("What the hours are like");
    assertThat(map.locator("td").filter(named("A")).first()).containsText("60");
    assertThat(map.locator("td").filter(named("A")).first())
        .hasAttribute("title", Pattern.compile("around 8K, 70 % reads"));
    assertThat(map.locator(".hour-profiles li")).hasCount(2);
    assertThat(map.locator(".hour-profiles li").nth(1)).containsText("64K 20/80");
    Locator figures = pane("Figures");
    assertThat(figures.locator("tbody tr").first()).containsText("IOPS");
    assertThat(figures).containsText("How high five minutes are within an hour is not known");
    Locator load = pane("A load like this");
    assertThat(load.locator("pre")).containsText("8K 70/30");
    map.locator(".hour-profiles button").nth(1).click();
    assertThat(page).hasURL(Pattern.compile("cluster=64K"));
    assertThat(load.getByLabel("Profile")).hasValue("64K 20/80");
    assertThat(load.locator("pre")).containsText("bs=");
    button(page, "DiskSpd").click();
    assertThat(load.locator("pre")).containsText("-b65536");
    button(page, "HCIBench").click();
    assertThat(load.locator("textarea")).hasCount(0);
    button(page, "vdbench").click();
    load.locator("textarea").fill("/dev/sdb\n/dev/sdc");
    assertThat(load.locator("pre")).containsText("/dev/sdc");
    Download saved = page.waitForDownload(() -> button(page, "Save as a file").click());
    assertThat(Files.readString(saved.path())).contains("/dev/sdb");
    page.getByLabel("Group", exact()).selectOption("Cluster A");
    assertThat(page.locator("h1")).containsText("Cluster A: ");
    Download csv =
        page.waitForDownload(() -> page.locator(".top").getByText("CSV", exactly()).click());
    assertThat(Files.readString(csv.path())).contains("Cluster A");
    assertThat(pane("For each")).containsText("Machine");
    assertThat(pane("For each").locator("tr").filter(named("vCPU"))).containsText("not known");
  }

  private static Locator.GetByTextOptions exactly() {
    return new Locator.GetByTextOptions().setExact(true);
  }

  @Test
  void aPeakShowsItsMachinesAndWhatChangedThen() {
    computed(Map.of("by", "cluster"));
    Locator peaks = page.locator(".peaks-pane");
    Locator first = peaks.locator("tbody tr").first();
    assertThat(first).containsText("shop-web-01");
    page.locator("h1").click();
    page.keyboard().press("j");
    assertThat(page).hasURL(Pattern.compile("peak="));
    Locator around = peaks.locator(".around");
    assertThat(around).containsText("shop-web-01");
    assertThat(around).containsText("1.5");
    assertThat(around.getByText("Compare", exactly()))
        .hasAttribute("href", Pattern.compile("/compare\\?change=\\d+"));
    assertThat(around).containsText("Who talked most");
    page.keyboard().press("Escape");
    assertThat(around).hasCount(0);
  }

  @Test
  void whatIsUnknownSaysWhatWouldTellAndIsKnownOnceItIsAdded() {
    String path = computed(Map.of("by", "vm"));
    page.getByLabel("Group", exact()).selectOption("shop-web-01");
    Locator unknown = pane("What history does not say");
    assertThat(unknown.locator("dd").first()).containsText("not known Would tell: vscsiStats");
    unknown.locator("input[type=file]").setInputFiles(VSCSI);
    assertThat(unknown.locator("dd").first()).containsText("random");
    assertThat(unknown.locator("dd").first()).containsText("from vscsiStats");
    assertThat(unknown.locator("dd").nth(1)).containsText("not known");
    assertThat(unknown.locator(".added li")).hasCount(1);
    unknown.locator(".added button").click();
    assertThat(unknown.locator(".added li")).hasCount(0);
    page.locator(".notice button").click();
    assertThat(unknown.locator(".added li")).hasCount(1);
    JsonNode stored = JsonMapper.shared().readTree(visitor.api("GET", path, null, null));
    assertThat(stored.path("accesses")).hasSize(1);
  }

  @Test
  void outputOfOneMachineHoldsForTheGroupsThatItIsIn() {
    String path = computed(Map.of("by", "vm"));
    Locator unknown = pane("What history does not say");
    Locator of = unknown.getByLabel("vscsiStats of");
    of.selectOption("one");
    assertThat(page.locator("#palette-list li").first()).containsText("VM in");
    page.locator(".palette input").fill("shop-web-02");
    page.locator("#palette-list li").filter(named("shop-web-02")).click();
    assertThat(of.locator("option:checked")).hasText("of shop-web-02");
    unknown.locator("input[type=file]").setInputFiles(VSCSI);
    assertThat(page.locator(".notice")).containsText("Added, for shop-web-02.");
    assertThat(unknown.locator(".added li")).containsText("shop-web-02");
    assertThat(unknown.locator("dd").first()).containsText("random");
    JsonNode stored = JsonMapper.shared().readTree(visitor.api("GET", path, null, null));
    assertThat(stored.at("/accesses/0/machine/name").asString()).isEqualTo("shop-web-02");
    page.getByLabel("Group", exact()).selectOption("shop-web-02");
    assertThat(unknown.locator("dd").first()).containsText("random");
    page.getByLabel("Group", exact()).selectOption("shop-web-01");
    assertThat(unknown.locator("dd").first()).containsText("not known");
  }

  @Test
  void withoutDataThePageSaysWhy() {
    String to = Instant.now().minus(Duration.ofDays(40)).toString();
    String from = Instant.now().minus(Duration.ofDays(50)).toString();
    computed(Map.of("from", from, "to", to));
    assertThat(page.locator("h1")).hasText("All machines: no operations are known of this time");
    assertThat(page.locator(".map-pane")).containsText("No operations are known of this time.");
    assertThat(page.locator(".figs")).containsText("not known");
    assertThat(pane("A load like this")).containsText("Of this group they are not.");
    assertThat(page.locator("main")).not().containsText("NaN");
  }

  @Test
  void wrongPeriodsAreRefusedAtTheirField() {
    visitor.go("/load-profiles/new");
    button(page, "From, to").click();
    page.locator(".when-field").first().fill("2020-01-01 00:00");
    page.locator("h1").click();
    page.keyboard().press("Control+s");
    assertThat(page.locator("main [role=alert]").first()).isVisible();
    assertThat(page).hasURL(Pattern.compile("/load-profiles/new"));
    // The browser says on its console, too, that a request was refused.
    visitor.complaints().removeIf(complaint -> complaint.contains("400"));
  }

  @Test
  void whoMayOnlyReadComputesNothing() {
    computed(Map.of());
    try (Visitor viewer = visitAs("viewer")) {
      viewer.go("/load-profiles");
      assertThat(button(viewer.page(), "Compute one")).isDisabled();
      viewer.page().locator(ROWS).first().locator("a").first().click();
      assertThat(button(viewer.page(), "Delete")).isDisabled();
      assertThat(viewer.page().locator(".load-text")).isVisible();
    }
  }

  @Test
  void thePagesFitInBothThemes() {
    String path = computed(Map.of("by", "host"));
    assertFits(List.of("/load-profiles", "/load-profiles/new", path));
  }
}
