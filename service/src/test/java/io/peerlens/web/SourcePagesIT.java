package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.peerlens.node.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import io.peerlens.support.TestKafka;
import io.peerlens.support.Vcsim;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The page of sources with the service and a simulated vCenter, from an empty installation on. */
@Timeout(400)
@Order(2)
class SourcePagesIT extends PagesTest {

  private static final double PATIENCE = 90_000;
  private static final String TOPIC = "source-pages-" + UUID.randomUUID();

  @TempDir static Path folder;

  private Vcsim vcsim;

  @Override
  PagesInstallation install() {
    vcsim = Vcsim.startOrSkip(folder, "-vm", "4", "-host", "2", "-cluster", "1");
    TestKafka kafka = TestKafka.shared();
    for (String suffix : List.of("", "-flows", "-events")) {
      kafka.createTopic(TOPIC + suffix, 1);
    }
    PeerlensServer server =
        PeerlensServer.start(
            TestDatabase.migrated(),
            Set.of(Role.API, Role.COLLECTOR, Role.INGEST),
            "peerlens.secrets.key=BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=",
            "peerlens.collector.egress.allow=127.0.0.0/8",
            "peerlens.collector.egress.ports=1024-65535",
            "peerlens.events.topic=" + TOPIC + "-events",
            "peerlens.events.group=" + TOPIC + "-events",
            "peerlens.ingest.bootstrap-servers=" + kafka.bootstrap(),
            "peerlens.ingest.topic=" + TOPIC,
            "peerlens.ingest.group=" + TOPIC,
            "peerlens.flows.topic=" + TOPIC + "-flows",
            "peerlens.flows.group=" + TOPIC + "-flows");
    return new PagesInstallation(server.url(), Objects.requireNonNull(server.adminToken()), server);
  }

  @AfterAll
  void stop() {
    if (vcsim != null) {
      vcsim.close();
    }
  }

  private Locator side() {
    return page.locator(".source-side");
  }

  private Locator row() {
    return page.locator(ROWS).first();
  }

  private static LocatorAssertions.ContainsTextOptions patiently() {
    return new LocatorAssertions.ContainsTextOptions().setTimeout(PATIENCE);
  }

  @Test
  void aVCenterIsAddedFromTheEmptyInstallationPausedMissedAndRemoved() {
    // The first page offers it.
    visitor.go("/");
    assertThat(page.locator("h1")).hasText("Nothing has come in yet.");
    page.getByLabel("First steps").getByText("Add a vCenter").click();
    assertThat(page).hasURL(Pattern.compile("/sources\\?add=vcenter"));

    // The certificate stands there as soon as there is an address, and its box is not ticked.
    page.locator("#source-address").fill("127.0.0.1:" + vcsim.port());
    page.keyboard().press("Tab");
    String fingerprint =
        JsonMapper.shared()
            .readTree(
                visitor.api(
                    "POST",
                    "/sources/probe",
                    Map.of("kind", "vcenter", "address", vcsim.address().toString()),
                    null))
            .at("/certificate/sha256")
            .asString();
    assertThat(side().locator(".fingerprint")).containsText(fingerprint.substring(0, 47));
    assertThat(side().locator(".fingerprint")).containsText(fingerprint.substring(48));
    Locator box = side().locator("input[name=compared]");
    assertThat(box).not().isChecked();
    page.locator("#source-name").fill("vc-sim");
    page.locator("#source-username").fill(Vcsim.USERNAME);
    page.locator("#source-password").fill("not the password");
    page.keyboard().press("Tab");
    Locator start = button(page, "Start reading");
    assertThat(start).isDisabled();
    assertThat(side()).containsText("Compare the fingerprint, then tick the box");

    // A wrong password is told at its field; only the right one lets it start.
    box.check();
    assertThat(page.locator("#source-password-wrong")).containsText("refuses the account reader");
    assertThat(start).isDisabled();
    page.locator("#source-password").fill(Vcsim.PASSWORD);
    page.keyboard().press("Tab");
    assertThat(start).isEnabled();
    assertThat(side().getByLabel("Rights", new Locator.GetByLabelOptions().setExact(true)))
        .containsText("sees 1 cluster");
    start.click();

    // It becomes fresh by itself, and so does the first page.
    assertThat(row()).containsText("vc-sim");
    assertThat(row()).containsText("fresh", patiently());
    assertThat(page.locator("h1")).containsText("fresh", patiently());
    assertThat(side().locator("table.rounds")).containsText("Configuration", patiently());
    assertThat(side().locator("table.rounds")).containsText("Performance", patiently());
    assertThat(page.locator("body")).not().containsText(Vcsim.PASSWORD);
    visitor.go("/");
    assertThat(page.locator("h1"))
        .containsText(
            Pattern.compile("objects report"),
            new LocatorAssertions.ContainsTextOptions().setTimeout(PATIENCE));

    // It fits every window.
    visitor.go("/sources");
    assertThat(row()).containsText("vc-sim");
    page.keyboard().press("j");
    assertThat(side()).containsText("How it is read");
    String address = page.url().substring(installation.url().length());
    assertFits(List.of(address, address + "&edit=yes", "/sources?add=vcenter"));
    page.setViewportSize(1440, 900);

    // Z pauses it, and reads it again.
    visitor.go(address);
    assertThat(side()).containsText("How it is read");
    page.keyboard().press("z");
    assertThat(row()).containsText("paused");
    assertThat(side()).containsText("Paused by admin");
    assertThat(row().getByRole(AriaRole.IMG)).hasAttribute("aria-label", "paused");
    page.keyboard().press("z");
    assertThat(row()).containsText("fresh", patiently());

    // A viewer sees the same without the buttons.
    try (Visitor viewer = visitAs("viewer")) {
      viewer.go(address);
      Page theirs = viewer.page();
      assertThat(theirs.locator(".source-side")).containsText("How it is read");
      assertThat(theirs.locator(".source-side").getByText("Pause")).hasCount(0);
      assertThat(theirs.locator(".source-side").getByText("Remove")).hasCount(0);
      assertThat(theirs.getByText("Add a vCenter")).hasCount(0);
    }

    // When it is gone, the page says what happened, what follows and what to do.
    vcsim.close();
    assertThat(row()).containsText("stopped", patiently());
    Locator error = page.locator(".source-errors-pane .source-error").first();
    assertThat(error).containsText("vCenter does not answer");
    assertThat(error).containsText("It is tried again");
    assertThat(error).containsText("See whether vCenter is up");
    assertThat(page.locator("h1")).containsText("vc-sim", patiently());
    error.getByText("Test it").click();
    assertThat(side()).containsText("There is no answer over TLS");

    // Removing asks, and is done ten seconds later.
    page.keyboard().press("Escape");
    visitor.go(address);
    button(page, "Remove\u2026").click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog).containsText("Its");
    assertThat(dialog).containsText("all their values");
    dialog.getByText("Remove it").click();
    assertThat(page.locator(".notice")).containsText("vc-sim is deleted in 10 s");
    assertThat(page.locator(ROWS).filter(named("vc-sim")))
        .hasCount(0, new LocatorAssertions.HasCountOptions().setTimeout(PATIENCE));
    assertThat(visitor.api("GET", "/objects?limit=100", null, null)).contains("DC0_C0");
  }
}
