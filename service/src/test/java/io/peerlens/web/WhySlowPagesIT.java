package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page that says why something is slow, in a real browser on the real service. Its findings are
 * given, and held against the contract; the rest is asked of the service.
 */
class WhySlowPagesIT extends PagesTest {

  private static final String LIMITED = "00000000-0000-4000-8000-000000000010";
  private static final String WITHOUT_DATA = "00000000-0000-4000-8000-000000000011";
  private static final String CLUSTER = "00000000-0000-4000-8000-000000000002";

  private FakeApi api = FakeApi.ofSlowness();

  @Override
  PagesInstallation install() {
    return PagesInstallation.open();
  }

  @BeforeEach
  void serve() {
    api = FakeApi.ofSlowness();
    api.serve(page);
  }

  @Override
  void tidy() {
    assertThat(api.complaints()).isEmpty();
  }

  private String vm() {
    return JsonMapper.shared()
        .readTree(visitor.api("GET", "/objects?name=shop-web-01", null, null))
        .at("/items/0/id")
        .asString();
  }

  private Locator band(String name) {
    return page.locator(".band-row[aria-label^='" + name + "']");
  }

  @Test
  void aLimitEndsTheSearchWithPolicyAndNumber() {
    visitor.go("/why-slow?object=" + LIMITED);
    assertThat(page.locator("h1")).hasText("Why is etl-02 slow?");
    Locator finding = page.getByLabel("Finding", exact());
    assertThat(finding).containsText("It is delayed by its own IOPS limit. The policy silver-400");
    assertThat(finding.locator("b.hot")).hasText(new String[] {"612", "17.8 ms"});
    assertThat(page.locator(".band-row")).hasCount(5);
    assertThat(page.locator(".band-row.hit")).hasCount(1);
    assertThat(band("Guest")).containsText("21.4 ms");
    assertThat(band("Guest")).containsText("2.4 to 4.1 ms");
    assertThat(band("Guest").locator(".band-verdict b")).hasText("here");
    assertThat(band("Guest").locator("svg.strip"))
        .hasAttribute("aria-label", Pattern.compile("1 of 15"));
    for (String calm : List.of("Cluster", "Host", "Disk group")) {
      assertThat(band(calm).locator(".band-verdict b")).hasText("not here");
      assertThat(band(calm).locator(".hot")).hasCount(0);
    }
    assertThat(band("Network").locator(".band-verdict b")).hasText("no data");
    assertThat(page.locator(".proof series-chart .plot"))
        .hasAttribute(
            "aria-label", Pattern.compile("612 asked for, in 32 KB.*limit, silver-400 400"));
    Locator trials = page.locator(".trials tbody tr");
    assertThat(trials).hasCount(5);
    assertThat(page.locator(".trials tr.sel")).containsText("400, now");
    assertThat(trials.nth(2)).containsText("p95");
    assertThat(trials.nth(2)).containsText("504");
    assertThat(trials.last()).containsText("none");
    assertThat(page.locator(".victim").first())
        .containsText("no limit; fell to 41 % in 48 of 48 min");
    assertThat(page.locator(".victims .pane-foot p"))
        .hasText(
            new Pattern[] {
              Pattern.compile("Compared with the same hours of up to 28 days before, and with"),
              Pattern.compile("Of one machine that talks with it this is not known"),
              Pattern.compile("3 more with limits of their own are not counted; 2 that talk")
            });
    assertThat(page.locator(".trials .pane-foot p").first())
        .containsText("ds-b has at least 11,200 IOPS to spare at a limit of 640");
    assertThat(page.locator(".changed .change").first()).containsText("gold to silver-400");
    assertThat(page.locator(".changed .change").last())
        .hasAttribute("href", Pattern.compile("change=2"));
    button(page, "Other limits").click();
    assertThat(page.locator("#trials")).isFocused();
  }

  @Test
  void withoutDataNothingIsBlamed() {
    visitor.go("/why-slow?object=" + WITHOUT_DATA);
    assertThat(page.getByLabel("Finding", exact())).containsText("Nothing is known of it.");
    assertThat(page.locator(".band-row")).hasCount(5);
    assertThat(page.locator(".band-row.hit, .why-slow .hot")).hasCount(0);
    assertThat(page.locator(".band-verdict b"))
        .hasText(new String[] {"no data", "no data", "no data", "no data", "no data"});
    assertThat(page.locator(".proof")).hasCount(0);
    assertThat(page.locator(".changed")).containsText("Nothing changed on its path");
    page.keyboard().press("5");
    assertThat(page.locator("#band-network"))
        .containsText("Not measured: retransmits; the vCenter collector sends it.");
  }

  @Test
  void theSlowMachinesOfAClusterLeadToTheirOwnPage() {
    visitor.go("/why-slow?object=" + CLUSTER);
    assertThat(page.locator(".tb")).containsText("the slowest of Cluster B");
    Locator machines = page.locator(".machines .list-row");
    assertThat(machines).hasCount(8);
    assertThat(page.locator(".machines .ph"))
        .containsText("10 of 40 machines, of 2 it is not known");
    button(page, "Show 2 more").click();
    assertThat(machines).hasCount(10);
    machines.last().click();
    assertThat(page).hasURL(Pattern.compile("object=00000000-0000-4000-8000-000000000012"));
    assertThat(page).hasURL(Pattern.compile("at=2026-11-28T00:05:00Z"));
  }

  @Test
  void aMomentIsChosenByKeyAndStandsInTheLink() {
    visitor.go("/why-slow?object=" + LIMITED);
    assertThat(page.locator(".band-row")).hasCount(5);
    page.keyboard().press("1");
    assertThat(page.locator("#band-guest")).containsText("disk 2, write");
    page.keyboard().press("1");
    assertThat(page.locator("#band-guest")).hasCount(0);
    page.keyboard().press("a");
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog).containsText("the ten minutes before");
    dialog.getByLabel("Moment").fill("2026-11-27 14:05");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("at=2026-11-27T"));
    assertThat(page.locator(".band-row")).hasCount(5);
    assertThat(api.queries("GET /why-slow")).anyMatch(query -> query.contains("at=1795"));
    page.keyboard().press("a");
    dialog.getByRole(AriaRole.BUTTON).filter(named("Now")).click();
    assertThat(page).not().hasURL(Pattern.compile("[?&]at="));
    int asked = api.queries("GET /why-slow").size();
    assertThat(api.queries("GET /why-slow").get(asked - 1)).doesNotContain("at=");
  }

  @Test
  void theEndOfTheRangeIsTheMoment() {
    visitor.go(
        "/why-slow?object=" + LIMITED + "&from=2026-11-27T08:00:00Z&to=2026-11-27T14:05:00Z");
    assertThat(page.locator(".band-row")).hasCount(5);
    assertThat(api.queries("GET /why-slow")).allMatch(query -> query.contains("at=1795788300000"));
  }

  @Test
  void withoutAnObjectItAsksForOne() {
    page.navigate("about:blank");
    visitor.go("/");
    page.keyboard().press("g");
    page.keyboard().press("w");
    assertThat(page).hasURL(Pattern.compile("/why-slow"));
    assertThat(page.locator("h1")).hasText("Why slow?");
    assertThat(page.locator(".choose .pane")).hasCount(2);
    assertThat(page.locator(".choose"))
        .containsText("No machine has sent the latency of its disks");
    page.keyboard().press("v");
    page.getByRole(AriaRole.COMBOBOX).fill("shop-web-01");
    page.getByRole(AriaRole.OPTION).filter(named("shop-web-01")).first().click();
    assertThat(page).hasURL(Pattern.compile("/why-slow\\?.*object=" + vm()));
    assertThat(page.locator(".band-row")).hasCount(5);
  }

  @Test
  void anObjectLeadsHere() {
    visitor.go("/objects/" + vm());
    page.locator(".tb a.ctl").filter(named("Why slow?")).click();
    assertThat(page).hasURL(Pattern.compile("/why-slow\\?.*object=" + vm()));
    page.goBack();
    assertThat(page.locator("h1")).hasText("shop-web-01");
    assertThat(page.locator(".tb a.ctl").filter(named("Why slow?"))).isVisible();
    page.keyboard().press("s");
    assertThat(page).hasURL(Pattern.compile("/why-slow\\?.*object=" + vm()));
  }

  @Test
  void bandsStackOnAPhone() {
    page.setViewportSize(390, 844);
    visitor.go("/why-slow?object=" + LIMITED);
    assertThat(band("Guest")).containsText("usual 2.4 to 4.1 ms");
    assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(390);
    double guest = band("Guest").boundingBox().y;
    double cluster = band("Cluster").boundingBox().y;
    assertThat(cluster).isGreaterThan(guest + 40);
    assertThat(page.locator(".band-head")).isHidden();
  }

  @Test
  void thePageFitsInBothThemes() {
    assertFits(
        List.of(
            "/why-slow",
            "/why-slow?object=" + LIMITED,
            "/why-slow?object=" + CLUSTER,
            "/why-slow?object=" + WITHOUT_DATA));
  }
}
